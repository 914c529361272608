import type { Event } from '../base/event';
import type { Server, StartOutcome } from './server';
import type { ServerDefinition } from './serverConfig';

/** All configured servers, in the order of their definitions. */
export interface Servers {
  readonly all: readonly Server[];
  /** How many more are configured and not used. */
  readonly unused: number;
  /** Resolves at the first {@link Servers.reconcile}: until then nobody knows whether there are any. */
  readonly ready: Promise<void>;
  get(id: string): Server | undefined;
  /** Fires when servers were added, removed or replaced, and when the state of one changed. */
  readonly onDidChange: Event<void>;
  /** Makes the servers what `definitions` says: the unchanged keep running, others stop or appear. */
  reconcile(definitions: readonly ServerDefinition[], unused?: number): Promise<void>;
  /** Starts one server, or with `*` all of them side by side; resolves when their lists are in. */
  start(id: string): Promise<readonly StartOutcome[]>;
}
