import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import type { StartOutcome } from '../server';
import type { Session } from '../session/session';
import type { Connection } from './connection';
import { httpStatus } from '../protocol/errorFacts';

const probeDeadlines = { request: 10_000, ceiling: 10_000 };

/** Answers bring a new connection so often at most: one that never helps must not be made for ever. */
const maxRenewals = 3;
const renewalsWithinMs = 60_000;

/** What servers call a session that they do not know, each in its own way. */
const lostCodes: ReadonlySet<number> = new Set([
  ErrorCode.unsupportedProtocolVersion,
  -32600,
  -32000,
  -32001,
]);
const lostWords =
  /\b(not|before|un)\b.{0,20}initiali[sz]|uninitiali[sz]ed|session\b.{0,30}\b(not found|unknown|expired|invalid|missing|terminated|required)|\b(no|unknown|invalid|expired|missing)\b.{0,20}session/i;

/** Finds out whether a server still knows a session and speaks its era, and replaces it where not. */
export class LostSessionCheck {
  private readonly connection: Connection;
  private readonly log: Logger;
  private checking: Promise<StartOutcome | undefined> | undefined;
  private renewals: readonly number[] = [];

  constructor(connection: Connection, log: Logger) {
    this.connection = connection;
    this.log = log;
  }

  /**
   * Takes an answer that {@link suggestsLostSession}. Resolves with how the connection was made anew, or with
   * nothing where the session is as good as before.
   */
  check(session: Session): Promise<StartOutcome | undefined> {
    if (this.connection.session !== session) return this.connection.reconnect(session);
    this.checking ??= this.renew(session).finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** Connects again if the session is dead, which it may be unnoticed after the machine slept. */
  async probe(session: Session): Promise<void> {
    const loss = await findLoss(session);
    if (loss === undefined) return;
    this.log.warn(`The server does not answer any more: ${loss}`);
    await this.connection.reconnect(session);
  }

  private async renew(session: Session): Promise<StartOutcome | undefined> {
    const now = Date.now();
    this.renewals = this.renewals.filter((at) => now - at < renewalsWithinMs);
    if (this.renewals.length >= maxRenewals) return undefined;
    const loss = await findLoss(session);
    if (loss === undefined) return undefined;
    this.renewals = [...this.renewals, now];
    this.log.warn(`The server no longer knows this session: ${loss}`);
    return this.connection.reconnect(session);
  }
}

/** True for HTTP 404 (session management); a stateless server says that of an unknown method. */
export function isSessionUnknown({ era }: Session, error: unknown): boolean {
  return httpStatus(error) === 404 && !(era === 'modern' && error instanceof RpcError);
}

/**
 * True for an error as a server answers that was replaced by one of another era, or was started
 * anew: it has not carried the request out, and is worth a question whether it knows the session.
 */
export function suggestsLostSession({ era }: Session, error: unknown): boolean {
  if (error instanceof RpcError) {
    if (lostCodes.has(error.code)) return true;
    if (error.code === ErrorCode.headerMismatch) return era === 'legacy';
    if (error.code === ErrorCode.missingCapability || error.code === ErrorCode.methodNotFound)
      return false;
    if (lostWords.test(error.message.slice(0, 1000))) return true;
  }
  return httpStatus(error) === 400;
}

/** What a server says against a session when it is asked for a sign of life, if it does. */
async function findLoss(session: Session): Promise<string | undefined> {
  const isModern = session.era === 'modern';
  try {
    await session.request(isModern ? 'server/discover' : 'ping', {}, { deadlines: probeDeadlines });
    return undefined;
  } catch (error) {
    // Otherwise it lives, whatever it answers.
    const isLost =
      !(error instanceof RpcError) ||
      isSessionUnknown(session, error) ||
      suggestsLostSession(session, error) ||
      (isModern && error.code === ErrorCode.methodNotFound);
    return isLost ? errorMessage(error) : undefined;
  }
}
