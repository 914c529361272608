import type { StartOutcome } from '../mcp/server';

/** Starts a server by its id, or all with `*`, because the user asked for it, even one that was stopped by hand. */
export type StartServer = (id: string) => Promise<readonly StartOutcome[]>;
