import type { Server } from '../mcp/server';
import type { StartOutcome } from '../mcp/serverState';

/** Starts a server by its id, or all with `*`, because the user asked for it, even one that was stopped by hand. */
export type StartServer = (id: string) => Promise<readonly StartOutcome[]>;

/** Starts servers because the user asked for them, and tells the user which did not start, and why. */
export type StartAndTell = (servers: readonly Server[]) => Promise<readonly StartOutcome[]>;
