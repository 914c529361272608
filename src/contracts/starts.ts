import { UserError } from '../base/errors';
import type { ServerBeside, SessionWatch } from '../mcp/createServers';
import type { Server } from '../mcp/server';
import type { StartOutcome } from '../mcp/serverState';
import type { UserAction } from './questionOutcome';

/**
 * Starts configured servers for commands and features. With the user's action that asked for it, a server starts even if it
 * was stopped by hand, and its questions may take the keyboard; a model, a file or another extension has none.
 */
export interface Starts {
  /** Starts a server by its id, or all with `*`; rejects with a `UserError` if none has it. */
  start(id: string, action: UserAction | undefined): Promise<readonly StartOutcome[]>;
  /**
   * Starts another process or session of a server, for its caller alone; rejects with a `UserError` that says why it does not
   * run.
   */
  startBeside(id: string, how: BesideStart): Promise<ServerBeside>;
  /** Starts servers because the user asked for them, and tells the user which did not start, and why. */
  startAndTell(servers: readonly Server[], action: UserAction): Promise<readonly StartOutcome[]>;
}

/** How a server is started beside itself; `asked` is the user's action that asked for it. */
export interface BesideStart {
  readonly asked: UserAction | undefined;
  readonly signal: AbortSignal;
  readonly watch?: SessionWatch;
}

/** An error: the process of a server ended while it started, as one does that can run only once. */
export class EndedAtStartError extends UserError {}

/** Returns an error that says why a server does not run; `attempt` is what is known of its start, if it was a new one. */
export function startError(
  { name }: Pick<Server, 'name'>,
  outcome: Exclude<StartOutcome, { readonly kind: 'running' }>,
  attempt: Pick<Server['lastAttempt'], 'ending'> = {},
): UserError {
  const hasEnded = outcome.kind === 'failed' && attempt.ending !== undefined;
  const Kind = hasEnded ? EndedAtStartError : UserError;
  return new Kind(
    'message' in outcome ? outcome.message : (t) => t('"{0}" needs a sign-in.', name),
  );
}
