import type { Transport } from '@modelcontextprotocol/client';
import { within } from '../../../base/async';
import { causesOf, UserError } from '../../../base/errors';
import { isSignInRequired } from '../../auth/signInRequired';
import { httpStatus, readFacts } from '../../protocol/errorFacts';
import { type Era, latestInitialized } from '../../protocol/revisions';
import { ErrorCode } from '../../protocol/rpcError';
import type { JsonRpcPeer } from '../peer/jsonRpcPeer';

/** After this many milliseconds without an answer, a URL is asked in the other way, too. */
const silenceMs = 2000;

/** The same for a process, which has to start first. */
const processSilenceMs = 5000;

/** The parameters of {@link negotiate}. */
export interface Negotiation<T> {
  readonly peer: Pick<JsonRpcPeer, 'hasPerRequestStream' | 'isLost'> & {
    readonly sessionId?: string | undefined;
  };
  /** The era that this server spoke last time, if known. */
  readonly era: Era | undefined;
  /** The only era to ask for, if no other is wanted. */
  readonly only?: Era | undefined;
  /**
   * Asks the first question of an era, for `timeoutMs` milliseconds or until it is abandoned; resolves with what begins
   * the session after a good answer.
   */
  readonly ask: (era: Era, timeoutMs: number, abandoned: AbortSignal) => Promise<() => Promise<T>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What became of a question: what begins the session, or why there is none in this era. */
type Outcome<T> = { readonly era: Era } & (
  { readonly begin: () => Promise<T> } | { readonly error: unknown }
);

/** A question that was asked; `outcome` never rejects. */
interface Asked<T> {
  readonly outcome: Promise<Outcome<T>>;
  abandon(): void;
}

/**
 * Begins a session in the era that the server speaks (2026-07-28, versioning). A URL is asked in the modern way first, a
 * process in the legacy way; where it is known what the server spoke last time, that goes first. The other way follows
 * once, over the same connection: after a refusal, whatever it is, since gateways and servers refuse what they do not
 * know with everything from 401 to 500; and beside the first one after a short silence. All of it ends within `timeoutMs`.
 */
export async function negotiate<T>(negotiation: Negotiation<T>): Promise<T> {
  const { peer, only, era, timeoutMs } = negotiation;
  const startedAt = Date.now();
  const first = era ?? (peer.hasPerRequestStream ? 'modern' : 'legacy');
  const second = first === 'modern' ? 'legacy' : 'modern';
  const shortMs = Math.min(peer.hasPerRequestStream ? silenceMs : processSilenceMs, timeoutMs / 4);
  const one = begin(negotiation, only ?? first, timeoutMs);
  if (only) {
    const outcome = await one.outcome;
    if ('begin' in outcome) return outcome.begin();
    throw outcome.error;
  }
  // A process that is known to be legacy is just slow, and some of those exit if a request comes too early.
  const isPatient = era === 'legacy' && !peer.hasPerRequestStream;
  const isAnswered = isPatient || (await within(one.outcome, shortMs));
  const left = () => Math.max(1, timeoutMs - (Date.now() - startedAt));
  if (!isAnswered) return takeFirst([one, begin(negotiation, second, left())], negotiation);
  const outcome = await one.outcome;
  if ('begin' in outcome) return outcome.begin();
  if (!mayBeOther(outcome, negotiation)) throw outcome.error;
  // A process that refuses the legacy way at once would answer the modern way as soon.
  const isQuick = second === 'modern' && !peer.hasPerRequestStream;
  return takeLast(outcome, begin(negotiation, second, isQuick ? shortMs : left()));
}

function begin<T>({ ask }: Negotiation<T>, era: Era, timeoutMs: number): Asked<T> {
  const abandoned = new AbortController();
  return {
    outcome: ask(era, timeoutMs, abandoned.signal).then(
      (start) => ({ era, begin: start }),
      (error: unknown) => ({ era, error }),
    ),
    abandon: () => abandoned.abort(),
  };
}

/** Takes the good one of two answers, whichever comes first; the other question is abandoned. */
async function takeFirst<T>(
  asked: readonly [Asked<T>, Asked<T>],
  negotiation: Negotiation<T>,
): Promise<T> {
  const done = await Promise.race(asked.map(async (one) => ({ one, outcome: await one.outcome })));
  const other = asked[done.one === asked[0] ? 1 : 0];
  const { outcome } = done;
  // A session that `initialize` has opened already is in every request over this connection from now on.
  const isOpened = outcome.era === 'modern' && negotiation.peer.sessionId !== undefined;
  if ('begin' in outcome && !isOpened) {
    other.abandon();
    await other.outcome;
    return outcome.begin();
  }
  if ('error' in outcome && (isRefusal(outcome.error) || !mayBeOther(outcome, negotiation))) {
    other.abandon();
    throw outcome.error;
  }
  return takeLast(outcome, other);
}

/** Takes the answer to the second question after the first one led to nothing; rejects with the more telling failure. */
async function takeLast<T>(before: Outcome<T>, asked: Asked<T>): Promise<T> {
  const last = await asked.outcome;
  if ('begin' in last) return last.begin();
  if ('begin' in before) return before.begin();
  const [modern, legacy] =
    before.era === 'modern' ? [before.error, last.error] : [last.error, before.error];
  throw saysMore(modern, legacy) ? modern : legacy;
}

/** True if the other way may work after this failure. */
function mayBeOther<T>(
  outcome: Outcome<T>,
  { peer, signal }: Pick<Negotiation<T>, 'peer' | 'signal'>,
): boolean {
  if ('begin' in outcome || peer.isLost || signal.aborted) return false;
  const { era, error } = outcome;
  if (era === 'modern') return !(error instanceof UserError) && wasReached(error);
  if (!peer.hasPerRequestStream) return codeOf(error) !== 'REQUEST_TIMEOUT';
  const status = httpStatus(error) ?? 0;
  return typeof codeOf(error) === 'number' || (status >= 400 && status < 500) || isRefusal(error);
}

/** True for the statuses of an address that knows nothing of what it was asked. */
function isUnknownThere(error: unknown): boolean {
  return [400, 404, 405].includes(httpStatus(error) ?? 0);
}

/** True if a sign-in or a permission is missing. */
function isRefusal(error: unknown): boolean {
  return isSignInRequired(error) || [401, 403].includes(httpStatus(error) ?? 0);
}

/** The codes of a network that did not lead to the server. */
const unreached =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$|CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/;

function wasReached(error: unknown): boolean {
  const { code } = readFacts(error);
  return typeof code !== 'string' || !unreached.test(code);
}

/** True if the failure of the modern way says more than that of the legacy way. */
function saysMore(modern: unknown, legacy: unknown): boolean {
  // A server that lists its versions has already said best what is wrong.
  if (causesOf(modern).some((one) => codeOf(one) === ErrorCode.unsupportedProtocolVersion))
    return true;
  // A server of newer revisions alone refuses `initialize` even to those who may use it.
  return isRefusal(modern) && (typeof codeOf(legacy) === 'number' || isUnknownThere(legacy));
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

const implementation = { name: 'rehearsal', version: '1' };

/** Loads the SDK and performs a handshake with nobody, so that it builds what the first one needs, above all its schemas. */
export async function preloadSdk(): Promise<void> {
  const { Client } = await import('../../sdk');
  const client = new Client(implementation, { versionNegotiation: { mode: 'legacy' } });
  const nobody: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(message) {
      if ('id' in message)
        nobody.onmessage?.({
          jsonrpc: '2.0',
          id: message.id ?? 0,
          result: {
            protocolVersion: latestInitialized,
            capabilities: {},
            serverInfo: implementation,
          },
        });
      return Promise.resolve();
    },
  };
  await client.connect(nobody);
  await client.close();
}
