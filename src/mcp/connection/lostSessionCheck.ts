import { Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { causesOf, errorMessage, isCancellation } from '../../base/errors';
import type { Logger } from '../../base/log';
import { backoffMs, patientBackoff, type Backoff } from '../../base/pace';
import { isSignInRequired } from '../auth/signInRequired';
import { ConnectionLostError, DeadlineError, ErrorCode, RpcError } from '../protocol/rpcError';
import type { StartOutcome } from '../serverState';
import type { Session } from '../session/session';
import type { Connection } from './connection';
import { gatewayStatuses, httpStatus, readFacts } from '../protocol/errorFacts';
import { eras } from '../protocol/revisions';

/** Longer than a connection may take to be made, so that a network that is down is not taken for a server that is busy. */
const probeDeadlines = { request: 15_000, ceiling: 15_000 };

/** At most this many probes in a row of a server that is reached and silent; one that is not reached is probed until it is. */
const mostProbes = 8;

/** Answers cause a new connection at most this many times within the period below, in case that never helps. */
const maxRenewals = 3;
const renewalsWithinMs = 60_000;

/** The pauses between checks of a session that only looks lost: some servers refuse a stream for good. */
const suspicionBackoff: Backoff = { firstMs: 1000, longestMs: 3_600_000 };

/** The codes, and below the words, that various servers use for a session that they do not know. */
const lostCodes: ReadonlySet<number> = new Set([
  ErrorCode.unsupportedProtocolVersion,
  -32600,
  -32000,
  -32001,
]);
const lostWords =
  /\b(not|before|un)\b.{0,20}initiali[sz]|uninitiali[sz]ed|session\b.{0,30}\b(not found|unknown|expired|invalid|missing|terminated|required)|\b(no|unknown|invalid|expired|missing)\b.{0,20}session/i;

/** The result of examining a session; `why` says how it is known to be lost. */
type Finding =
  | { readonly kind: 'known' | 'unanswered' }
  | { readonly kind: 'lost'; readonly why: string }
  /** Nothing answers at its address, or only a gateway in front of it. */
  | { readonly kind: 'unreached'; readonly error: unknown };

/**
 * Checks whether a server still knows a session and speaks its era, and replaces the session if not. Only an answer
 * proves that it does not: without one, the server may be busy or the network down.
 */
export class LostSessionCheck implements Disposable {
  private readonly connection: Connection;
  private readonly log: Logger;
  private checking: Promise<StartOutcome | undefined> | undefined;
  private renewals: readonly number[] = [];
  private probes = 0;
  private suspicions = 0;
  private trustedUntil = 0;
  private asking: Session | undefined;
  private readonly nextProbe = new Timer(() => {
    const { session } = this.connection;
    if (session) void this.ask(session);
  });

  constructor(connection: Connection, log: Logger) {
    this.connection = connection;
    this.log = log;
  }

  /**
   * Checks the session after an answer that {@link suggestsLostSession}. Resolves with the outcome of reconnecting,
   * or with `undefined` if the session is kept.
   */
  check(session: Session): Promise<StartOutcome | undefined> {
    if (this.connection.session !== session) return this.connection.reconnect(session);
    this.checking ??= this.renew(session).finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** Reconnects if the session is lost, which may have gone unnoticed while the machine slept. */
  probe(session: Session): Promise<void> {
    this.rest();
    return this.ask(session);
  }

  /** Probes a session that may be lost, but the less often, the more often that was suspected. */
  async suspect(session: Session): Promise<void> {
    const now = Date.now();
    if (now < this.trustedUntil) return;
    this.trustedUntil = now + backoffMs(suspicionBackoff, this.suspicions);
    this.suspicions += 1;
    await this.probe(session);
  }

  /** Probes a session after a request, or its stream, failed in a way that may mean that its server is gone. */
  async doubt(session: Session, error: unknown): Promise<void> {
    if (this.nextProbe.pending || !isUnreached(session, error)) return;
    await this.ask(session);
  }

  /** Stops asking after a session, which has ended. */
  dispose(): void {
    this.rest();
    this.asking = undefined;
    this.suspicions = 0;
    this.trustedUntil = 0;
  }

  private rest(): void {
    this.nextProbe.dispose();
    this.probes = 0;
  }

  /** Probes a session whose server may be gone, unless that is under way or the session has ended. */
  async ask(session: Session): Promise<void> {
    if (this.asking === session || this.connection.session !== session) return;
    this.asking = session;
    const finding = await examine(session);
    if (this.asking === session) this.asking = undefined;
    if (this.connection.session !== session) return;
    switch (finding.kind) {
      case 'known':
        this.rest();
        return this.connection.reached(session);
      case 'lost':
        if (this.mayRenew()) await this.replace(session, finding.why);
        return;
      case 'unreached':
        this.connection.unreached(session, finding.error);
        return this.probeLater();
      case 'unanswered':
        if (session.isHttp && this.probes + 1 < mostProbes) this.probeLater();
    }
  }

  private probeLater(): void {
    this.nextProbe.start(backoffMs(patientBackoff, this.probes));
    this.probes += 1;
  }

  private async renew(session: Session): Promise<StartOutcome | undefined> {
    if (!this.mayRenew()) return undefined;
    const finding = await examine(session);
    if (this.connection.session !== session) return this.connection.reconnect(session);
    if (finding.kind !== 'lost') return undefined;
    return this.replace(session, finding.why);
  }

  private mayRenew(): boolean {
    const now = Date.now();
    this.renewals = this.renewals.filter((at) => now - at < renewalsWithinMs);
    return this.renewals.length < maxRenewals;
  }

  private replace(session: Session, loss: string): Promise<StartOutcome> {
    this.renewals = [...this.renewals, Date.now()];
    this.log.warn(`The server no longer knows this session: ${loss}`);
    return this.connection.reconnect(session);
  }
}

/** True for HTTP 404 (session management), unless it is a stateless server's JSON-RPC error for an unknown method. */
export function isSessionUnknown({ era }: Session, error: unknown): boolean {
  return httpStatus(error) === 404 && !(eras[era].isStateless && error instanceof RpcError);
}

/**
 * True for an error that is typical of a server that was restarted, or replaced by one of another era:
 * it has not carried out the request, and should be asked whether it knows the session.
 */
export function suggestsLostSession({ era }: Session, error: unknown): boolean {
  if (error instanceof RpcError) {
    if (lostCodes.has(error.code)) return true;
    if (error.code === ErrorCode.headerMismatch) return !eras[era].isStateless;
    if (error.code === ErrorCode.missingCapability || error.code === ErrorCode.methodNotFound)
      return false;
    if (lostWords.test(error.message.slice(0, 1000))) return true;
  }
  return httpStatus(error) === 400;
}

/** True for an HTTP error that blames the client, except those that mean that the server is busy. */
function isRefused(error: unknown): boolean {
  if (error instanceof RpcError) return false;
  const status = httpStatus(error) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Asks a server for a sign of life. */
async function examine(session: Session): Promise<Finding> {
  const { isStateless, probe } = eras[session.era];
  try {
    await session.request(probe, {}, { deadlines: probeDeadlines });
    return { kind: 'known' };
  } catch (error) {
    const isLost =
      isSignInRequired(error) ||
      isRefused(error) ||
      isSessionUnknown(session, error) ||
      suggestsLostSession(session, error) ||
      (isStateless && error instanceof RpcError && error.code === ErrorCode.methodNotFound);
    if (isLost) return { kind: 'lost', why: errorMessage(error) };
    if (isUnreached(session, error)) return { kind: 'unreached', error };
    // Any JSON-RPC answer proves that it is alive.
    return { kind: error instanceof RpcError ? 'known' : 'unanswered' };
  }
}

/** The codes of errors of the network, from the system and from `fetch`. */
const networkCodes = /^(E[A-Z]+|EAI_AGAIN|UND_ERR_(SOCKET|CONNECT_TIMEOUT))$/;

/** True for an error that no server answered with: none was reached, or the connection broke before the answer. */
function isUnreached({ isHttp }: Session, error: unknown): boolean {
  if (!isHttp || error instanceof RpcError || error instanceof DeadlineError) return false;
  if (isCancellation(error) || isSignInRequired(error)) return false;
  if (error instanceof ConnectionLostError) return true;
  const { status, code } = readFacts(error);
  if (status !== undefined) return gatewayStatuses.includes(status);
  // The `fetch` of a page reports all that keeps it from an answer as a `TypeError` without a code.
  return code === undefined
    ? causesOf(error).some((one) => one instanceof TypeError)
    : typeof code === 'string' && networkCodes.test(code);
}
