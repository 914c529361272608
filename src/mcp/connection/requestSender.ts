import { CancelledError, errorDetail, errorMessage, UserError } from '../../base/errors';
import type { Logger } from '../../base/log';
import { inEnglish, type LocalizableMessage, type Translate } from '../../base/translate';
import { truncate } from '../../base/text/text';
import type { Authorization } from '../auth/authorization';
import { signInAndStart } from '../auth/signIn';
import { isSignInRequired } from '../auth/signInRequired';
import { notStarted, type StartOutcome } from '../serverState';
import { responseFailure } from '../protocol/errorFacts';
import { ConnectionLostError } from '../protocol/rpcError';
import type { Session } from '../session/session';
import { ServerStoppedError } from '../session/tasks/taskState';
import type { Connection } from './connection';
import type { ConnectionDeps } from './connectionDeps';
import { endingSentence } from './endingSentence';
import { suggestsLostSession, isSessionUnknown, type LostSessionCheck } from './lostSessionCheck';

/** At most this many sign-ins for one request: one to get in, and one for more permissions. */
const maxSignIns = 2;

/** The most that is shown of the reason for a failure, which may be a whole page, in UTF-16 units. */
const longestReason = 10_000;

/** What may be done to get one request through. */
export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** True if it may be sent again after its session had to be replaced. */
  readonly repeatable?: boolean;
  /** True if a user is waiting for it and may be asked to sign in. */
  readonly interactive?: boolean;
  /** True if a server that was stopped on purpose is not started for it. */
  readonly staysStopped?: boolean;
  /** Waited for once there is a session, before the request is sent. */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

/**
 * Sends requests over the current session of a connection: starts the server if necessary, replaces
 * a session that the server no longer knows, lets the user sign in, and turns every failure into a
 * sentence that names the server.
 */
export class RequestSender {
  private readonly name: string;
  private readonly connection: Connection;
  private readonly authorization: Authorization | undefined;
  private readonly log: Logger;
  private readonly t: Translate;
  private readonly lostSession: LostSessionCheck;

  constructor(
    name: string,
    connection: Connection,
    deps: Pick<ConnectionDeps, 'authorization' | 'log' | 't'>,
    lostSession: LostSessionCheck,
  ) {
    this.name = name;
    this.connection = connection;
    this.authorization = deps.authorization;
    this.log = deps.log;
    this.t = deps.t ?? inEnglish;
    this.lostSession = lostSession;
  }

  /**
   * Runs `request` on the live session and resolves with its result; `what` completes "could not …". Rejects with a
   * `UserError`, or with a `CancelledError` if the caller aborted it.
   */
  async send<T>(
    what: LocalizableMessage,
    request: (session: Session) => Promise<T>,
    options: SendOptions,
  ): Promise<T> {
    let signIns = 0;
    let repeated = false;
    for (;;) {
      const session = await this.session(what, options);
      if (options.onBegin) {
        await options.onBegin();
        if (options.signal?.aborted) throw new CancelledError();
      }
      try {
        const answer = await request(session);
        this.connection.reached(session);
        return answer;
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

  private async session(what: LocalizableMessage, options: SendOptions): Promise<Session> {
    if (this.connection.session) return this.connection.session;
    if (options.staysStopped && this.connection.isEndedOnPurpose) {
      const problem = this.problem(what, this.t('it was stopped before the answer came.'));
      // While it is being stopped, it may be about to start again.
      const isStopped = this.connection.state.kind === 'stopped';
      throw isStopped ? new ServerStoppedError(problem) : new UserError(problem);
    }
    let outcome = await this.connection.start();
    if (outcome.kind === 'needsSignIn' && options.interactive && this.authorization)
      outcome = await signInAndStart(this.connection, this.authorization, {
        ...options,
        t: this.t,
      });
    if (options.signal?.aborted) throw new CancelledError();
    if (this.connection.session) return this.connection.session;
    throw notStarted(
      outcome,
      this.problem(what, this.t('it is not running. {0}', this.why(outcome))),
    );
  }

  private async signIn(
    what: LocalizableMessage,
    error: unknown,
    { signal }: SendOptions,
  ): Promise<void> {
    if (!this.authorization) throw this.explain(what, error);
    const { t } = this;
    const options = { signal, onlyIfNew: true, t };
    const outcome = await signInAndStart(this.connection, this.authorization, options);
    if (signal?.aborted) throw new CancelledError();
    if (outcome.kind !== 'running')
      throw notStarted(
        outcome,
        t('"{0}" could not {1}. {2}', this.name, what(t), this.why(outcome)),
        error,
      );
  }

  /** Prepares to send a request again; resolves with what to tell the user, or `undefined` if that is useless. */
  private async recover(session: Session, error: unknown): Promise<string | undefined> {
    const { t } = this;
    const madeAnew = t('The connection was reestablished. Try again.');
    if (isSessionUnknown(session, error)) {
      const { kind } = await this.connection.reconnect(session);
      return kind === 'running' ? madeAnew : undefined;
    }
    if (suggestsLostSession(session, error))
      return (await this.lostSession.check(session))?.kind === 'running' ? madeAnew : undefined;
    // Only the stream of one response broke; the others and the session go on.
    return session.isHttp && error instanceof ConnectionLostError
      ? t('It may have been carried out all the same.')
      : undefined;
  }

  private explain(what: LocalizableMessage, error: unknown, next?: string): UserError {
    this.log.debug(errorDetail(error));
    const ending = this.endingOf(error);
    if (ending !== undefined)
      return new UserError(
        this.t('The server {0} "{1}" had been asked to {2}.', ending, this.name, what(this.t)),
        { cause: error },
      );
    const reason = this.reasonOf(error);
    const rest = next === undefined ? '' : `${reason.endsWith('.') ? '' : '.'} ${next}`;
    return new UserError(this.problem(what, reason + rest), { cause: error });
  }

  private problem(what: LocalizableMessage, reason: string): string {
    const { t } = this;
    return t('"{0}" could not {1}: {2}', this.name, what(t), reason);
  }

  /** Says how a server ended by itself before it answered, in a sentence that goes on after its name. */
  private endingOf(error: unknown): string | undefined {
    if (!(error instanceof ConnectionLostError) || this.connection.isEndedOnPurpose)
      return undefined;
    const { ending, stderrTail } = this.connection.lastAttempt;
    return ending && endingSentence(ending, { stderrTail });
  }

  private reasonOf(error: unknown): string {
    const { t } = this;
    if (error instanceof ConnectionLostError && this.connection.isEndedOnPurpose)
      return t('it was stopped before the answer came.');
    if (isSignInRequired(error)) return errorMessage(error, t);
    return responseFailure(error, t) ?? truncate(errorMessage(error, t), longestReason);
  }

  private why(outcome: StartOutcome): string {
    const { t } = this;
    switch (outcome.kind) {
      case 'needsSignIn':
        return t('It needs a sign-in.');
      case 'running':
        return t('It exited again immediately.');
      case 'failed':
      case 'refused':
        return outcome.message;
    }
  }
}
