import { CancelledError, errorDetail, errorMessage, UserError } from '../../base/errors';
import type { Logger } from '../../base/log';
import { truncate } from '../../base/text/text';
import type { Authorization } from '../auth/authorization';
import { signInAndStart } from '../auth/signIn';
import { isSignInRequired } from '../auth/signInRequired';
import type { StartOutcome } from '../server';
import { ConnectionLostError } from '../protocol/rpcError';
import type { Session } from '../session/session';
import type { Connection } from './connection';
import { endingSentence } from './endingSentence';
import { isDoubtful, isSessionUnknown, type SessionDoubt } from './sessionDoubt';

type Params = Readonly<Record<string, unknown>>;

/** A person signs in this often for one request at most: once at all, once for more permissions. */
const maxSignIns = 2;

/** The reason of a failure may be a whole page that a server sent: in UTF-16 units. */
const longestReason = 10_000;
const madeAnew = 'The connection was made anew: try again.';

/** What may be done to get one request through. */
export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** It may be sent again after its session had to be replaced. */
  readonly repeatable?: boolean;
  /** A person waits for it and may be asked to sign in. */
  readonly interactive?: boolean;
}

/**
 * Sends requests over whatever session a connection has: starts it if need be, replaces a session
 * that the server no longer knows, has the person sign in, and turns every failure into a sentence
 * that names the server.
 */
export class ServerRequests {
  private readonly name: string;
  private readonly connection: Connection;
  private readonly authorization: Authorization | undefined;
  private readonly log: Logger;
  private readonly doubt: SessionDoubt;

  constructor(
    name: string,
    connection: Connection,
    deps: { readonly authorization?: Authorization | undefined; readonly log: Logger },
    doubt: SessionDoubt,
  ) {
    this.name = name;
    this.connection = connection;
    this.authorization = deps.authorization;
    this.log = deps.log;
    this.doubt = doubt;
  }

  /**
   * Runs `request` on the live session; `what` completes "could not …". Rejects with a
   * `UserError`, or with a `CancelledError` where the caller withdrew it.
   */
  async send(
    what: string,
    request: (session: Session) => Promise<Params>,
    options: SendOptions,
  ): Promise<Params> {
    let signIns = 0;
    let repeated = false;
    for (;;) {
      const session = await this.session(what, options);
      try {
        return await request(session);
      } catch (error) {
        if (error instanceof CancelledError) throw error;
        if (isSignInRequired(error) && options.interactive && signIns < maxSignIns) {
          signIns += 1;
          await this.signIn(what, error, options);
        } else {
          const next = repeated ? undefined : await this.recover(session, error);
          if (next === undefined || !options.repeatable) throw this.explain(what, error, next);
          repeated = true;
        }
      }
    }
  }

  private async session(what: string, options: SendOptions): Promise<Session> {
    if (this.connection.session) return this.connection.session;
    let outcome = await this.connection.start();
    if (outcome.kind === 'needsSignIn' && options.interactive && this.authorization)
      outcome = await signInAndStart(this.connection, this.authorization, options);
    if (this.connection.session) return this.connection.session;
    throw new UserError(`"${this.name}" could not ${what}: it is not running. ${why(outcome)}`);
  }

  private async signIn(what: string, error: unknown, { signal }: SendOptions): Promise<void> {
    if (!this.authorization) throw this.explain(what, error);
    const options = { signal, onlyIfNew: true };
    const outcome = await signInAndStart(this.connection, this.authorization, options);
    if (signal?.aborted) throw new CancelledError();
    if (outcome.kind !== 'running')
      throw new UserError(`"${this.name}" could not ${what}. ${why(outcome)}`, { cause: error });
  }

  /** Where a request may be sent again: what a person should know who wants to do that. */
  private async recover(session: Session, error: unknown): Promise<string | undefined> {
    if (isSessionUnknown(session, error)) {
      const { kind } = await this.connection.reconnect(session);
      return kind === 'running' ? madeAnew : undefined;
    }
    if (isDoubtful(session, error))
      return (await this.doubt.check(session))?.kind === 'running' ? madeAnew : undefined;
    // The stream of one response broke; others go on, and the session with them.
    return session.isHttp && error instanceof ConnectionLostError
      ? 'It may have been carried out all the same.'
      : undefined;
  }

  private explain(what: string, error: unknown, next?: string): UserError {
    this.log.debug(errorDetail(error));
    const { ending, stderrTail } = this.connection.lastAttempt;
    const reason =
      error instanceof ConnectionLostError && ending
        ? `the server ${endingSentence(ending, { stderrTail })}`
        : truncate(errorMessage(error), longestReason);
    const rest = next === undefined ? '' : `${reason.endsWith('.') ? '' : '.'} ${next}`;
    return new UserError(`"${this.name}" could not ${what}: ${reason}${rest}`, { cause: error });
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
