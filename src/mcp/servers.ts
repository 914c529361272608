import type { Event } from '../base/event';
import type { Server, StartOutcome } from './server';
import type { ServerDefinition } from './serverConfig';

/** All configured servers, in the order of their definitions. */
export interface Servers {
  readonly all: readonly Server[];
  get(id: string): Server | undefined;
  /** Fires when servers were added, removed or replaced, and when the state of one changed. */
  readonly onDidChange: Event<void>;
  /** Makes the servers what `definitions` says: the unchanged keep running, others stop or appear. */
  reconcile(definitions: readonly ServerDefinition[]): Promise<void>;
  /** Starts one server, or with `*` all of them side by side; resolves when their lists are in. */
  start(id: string): Promise<readonly StartOutcome[]>;
}
