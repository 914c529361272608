import { CancelledError, errorDetail, errorMessage, UserError } from '../base/errors';
import type { Logger } from '../base/log';
import type { Connection } from './connection';
import { httpStatus } from './describeFailure';
import { ConnectionLostError } from './rpcError';
import type { StartOutcome } from './server';
import type { Session } from './session';

type Params = Readonly<Record<string, unknown>>;

/**
 * Sends requests over whatever session a connection has: starts it if need be, replaces a session
 * that the server no longer knows, and turns every failure into a sentence that names the server.
 */
export class ServerRequests {
  private readonly name: string;
  private readonly connection: Connection;
  private readonly log: Logger;

  constructor(name: string, connection: Connection, log: Logger) {
    this.name = name;
    this.connection = connection;
    this.log = log;
  }

  /**
   * Runs `request` on the live session; `what` completes "could not …". One that is `repeatable`
   * is sent again after its session had to be replaced. Rejects with a `UserError`, or with a
   * `CancelledError` where the caller withdrew it.
   */
  async send(
    what: string,
    request: (session: Session) => Promise<Params>,
    repeatable = true,
  ): Promise<Params> {
    const session = await this.session(what);
    try {
      return await request(session);
    } catch (error) {
      if (error instanceof CancelledError) throw error;
      if (!(await this.replaced(session, error)) || !repeatable) throw this.explain(what, error);
    }
    const next = await this.session(what);
    return request(next).catch((error: unknown) => {
      throw error instanceof CancelledError ? error : this.explain(what, error);
    });
  }

  private async session(what: string): Promise<Session> {
    if (this.connection.session) return this.connection.session;
    const outcome = await this.connection.start();
    if (this.connection.session) return this.connection.session;
    throw new UserError(`"${this.name}" could not ${what}: it is not running. ${why(outcome)}`);
  }

  /** True after the session was lost and another is there (HTTP 404: session management). */
  private async replaced(session: Session, error: unknown): Promise<boolean> {
    const lost = httpStatus(error) === 404 || error instanceof ConnectionLostError;
    if (!lost || !session.isHttp) return false;
    return (await this.connection.reconnect(session)).kind === 'running';
  }

  private explain(what: string, error: unknown): UserError {
    this.log.debug(errorDetail(error));
    const { ending, lastWords } = this.connection.lastWire ?? {};
    const reason =
      error instanceof ConnectionLostError && ending
        ? `the server ${ending}.${lastWords ? ` Its last words: ${lastWords}` : ''}`
        : errorMessage(error);
    return new UserError(`"${this.name}" could not ${what}: ${reason}`, { cause: error });
  }
}

function why(outcome: StartOutcome): string {
  switch (outcome.kind) {
    case 'needsSignIn':
      return 'It needs a sign-in.';
    case 'running':
      return 'It ended again at once.';
    case 'failed':
    case 'refused':
      return outcome.message;
  }
}
