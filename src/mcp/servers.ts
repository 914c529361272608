import type { Event } from '../base/event';
import type { Server } from './server';
import type { StartOutcome } from './serverState';
import type { ServerDefinition } from './serverConfig';

/** All configured servers, in the order of their definitions. */
export interface Servers {
  readonly all: readonly Server[];
  /** How many more servers are configured but not used. */
  readonly unused: number;
  /** Resolves at the first {@link Servers.reconcile}: until then, it is unknown whether there are any. */
  readonly ready: Promise<void>;
  get(id: string): Server | undefined;
  /** Fires when servers were added, removed or replaced, and when the state of one changed. */
  readonly onDidChange: Event<void>;
  /** Makes the servers match `definitions`: unchanged ones keep running, others are stopped, replaced or added. */
  reconcile(definitions: readonly ServerDefinition[], unused?: number): Promise<void>;
  /** Starts one server, or all of them in parallel for `*`; resolves when their lists are loaded. */
  start(id: string): Promise<readonly StartOutcome[]>;
}
