import { delay } from '../../../base/async';
import { httpStatus } from '../../protocol/errorFacts';
import type { RequestLane } from '../lane/requestLane';
import { ErrorCode } from '../../protocol/rpcError';

/** `legacy` is every revision that begins with `initialize`; `modern` is 2026-07-28 and later. */
export type Era = 'legacy' | 'modern';

/** A process that is silent for this many milliseconds may not know `initialize`. */
const silenceMs = 5000;

/** The parameters of {@link negotiate}. */
export interface Negotiation<T> {
  readonly lane: RequestLane;
  /** The era that this server spoke last time, if known. */
  readonly era: Era | undefined;
  /** Performs the handshake of one era within `timeoutMs` milliseconds, unless it is abandoned. */
  readonly shake: (era: Era, timeoutMs: number, abandoned?: AbortSignal) => Promise<T>;
  /** Sends a `server/discover` during a handshake, and resolves with its result. */
  readonly discover: (signal: AbortSignal) => Promise<unknown>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Performs the handshake in the era that the server speaks (2026-07-28, versioning). A URL is asked in
 * the modern way first. A process is asked in the legacy way first and, after an error or a short
 * silence, in the modern way on the same pipe, so that it is never started twice. If it is known what
 * the server spoke last time, that goes first; if it is outdated, the other way follows.
 */
export function negotiate<T>(negotiation: Negotiation<T>): Promise<T> {
  const { lane, era } = negotiation;
  const first = era ?? (lane.hasPerRequestStream ? 'modern' : 'legacy');
  return first === 'modern' ? modernFirst(negotiation) : legacyFirst(negotiation);
}

async function modernFirst<T>(negotiation: Negotiation<T>): Promise<T> {
  const { lane, shake, timeoutMs, signal } = negotiation;
  // Some older processes ignore what they do not know, so time is left for the other way.
  const ms = lane.hasPerRequestStream ? timeoutMs : timeoutMs / 2;
  try {
    return await shake('modern', ms);
  } catch (error) {
    if (lane.isLost || signal.aborted || !mayBeLegacy(error, lane)) throw error;
    return shake('legacy', ms).catch((legacyError: unknown) => {
      // A server that lists its versions has already said best what is wrong.
      throw codeOf(error) === ErrorCode.unsupportedProtocolVersion ? error : legacyError;
    });
  }
}

async function legacyFirst<T>(negotiation: Negotiation<T>): Promise<T> {
  const { lane, shake, timeoutMs, signal } = negotiation;
  const shortMs = Math.min(silenceMs, timeoutMs / 4);
  const abandoned = new AbortController();
  const initialized = shake('legacy', timeoutMs, abandoned.signal);
  if (await isModern(negotiation, initialized, shortMs)) {
    abandoned.abort();
    await initialized.catch(() => {});
    return shake('modern', timeoutMs);
  }
  return initialized.catch((error: unknown) => {
    if (lane.isLost || signal.aborted || !mayBeModern(error, lane)) throw error;
    return shake('modern', lane.hasPerRequestStream ? timeoutMs : shortMs).catch(() => {
      throw error;
    });
  });
}

/** True if a silent process answers the modern way before it answers `initialize`. */
async function isModern<T>(
  { lane, era, discover }: Negotiation<T>,
  initialized: Promise<T>,
  shortMs: number,
): Promise<boolean> {
  // A process that is known to be legacy is just slow, and some of those exit if a request comes too early.
  if (lane.hasPerRequestStream || era === 'legacy') return false;
  const over = new AbortController();
  const ended = initialized.then(
    () => false,
    () => false,
  );
  const answered = delay(shortMs, over.signal)
    .then(() => discover(over.signal))
    .then((result) => isDiscovery(result) || ended)
    .catch(() => ended);
  const modern = await Promise.race([ended, answered]);
  over.abort();
  return modern;
}

function isDiscovery(result: unknown): boolean {
  return Array.isArray(
    (result as { readonly supportedVersions?: unknown } | null)?.supportedVersions,
  );
}

/** True for an answer that a modern server would not give, and for the lack of an answer on a pipe. */
function mayBeLegacy(error: unknown, lane: RequestLane): boolean {
  const code = codeOf(error);
  if (code === 'REQUEST_TIMEOUT') return !lane.hasPerRequestStream;
  // With a cause, the network failed; with a status, the server or the sign-in did.
  const isVerdict = (error as Error).cause === undefined && httpStatus(error) === undefined;
  return typeof code === 'number' || (code === 'ERA_NEGOTIATION_FAILED' && isVerdict);
}

/** True for an answer other than success; on a pipe, every failure except a timeout is one. */
function mayBeModern(error: unknown, lane: RequestLane): boolean {
  if (!lane.hasPerRequestStream) return codeOf(error) !== 'REQUEST_TIMEOUT';
  const status = httpStatus(error) ?? 0;
  return typeof codeOf(error) === 'number' || (status >= 400 && status < 500);
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
