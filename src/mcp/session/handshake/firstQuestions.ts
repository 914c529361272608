import type { Client as SdkClient, DiscoverResult } from '@modelcontextprotocol/client';
import { LocalizedError } from '../../../base/errors';
import { asRecord, isRecord, type JsonRecord } from '../../../base/json';
import { listText, type LocalizableMessage } from '../../../base/translate';
import { DeadlineError, ErrorCode, RpcError } from '../../protocol/rpcError';
import { eras, modernRevision, modernRevisions, type Era } from '../../protocol/revisions';
import type { Meta } from '../../protocol/types';
import type { JsonRpcPeer } from '../peer/jsonRpcPeer';
import { normalizeInitializeResult } from './normalizeInitializeResult';
import type { Negotiation } from './negotiate';

/** Thrown if a question that opens a session was not answered in time; the SDK's own error has the same code. */
class NoAnswerError extends LocalizedError {
  override readonly name = 'NoAnswerError';
  readonly code = 'REQUEST_TIMEOUT';
}

/** What the questions that open a session need. */
export interface OpeningDeps {
  readonly peer: JsonRpcPeer;
  readonly newClient: (era: Era) => SdkClient;
  /** The metadata of every request of the modern era. */
  readonly envelope: Meta;
  /** Takes what was wrong with an answer. */
  readonly note: (sentence: LocalizableMessage) => void;
  readonly signal: AbortSignal;
}

/**
 * Creates the questions that open a session: `initialize`, which a client of the SDK asks, and `server/discover`, which
 * is asked without one, so that both may be under way over one connection. `readError` turns errors of the SDK into ours.
 */
export function firstQuestions(
  questions: OpeningDeps,
  readError: (error: unknown) => unknown,
): Negotiation<SdkClient>['ask'] {
  return async (era, timeoutMs, abandoned) => {
    try {
      return await (eras[era].isStateless ? discover : initialize)(questions, timeoutMs, abandoned);
    } catch (error) {
      throw readError(error);
    }
  };
}

type Begin = () => Promise<SdkClient>;

async function initialize(
  { peer, newClient, signal }: OpeningDeps,
  timeout: number,
  abandoned: AbortSignal,
): Promise<Begin> {
  const client = newClient('legacy');
  peer.handshakes.abandoned = abandoned;
  abandoned.addEventListener('abort', () => void client.close(), { once: true });
  await client.connect(peer, { timeout, signal });
  return () => Promise.resolve(client);
}

async function discover(
  { peer, newClient, envelope, note }: OpeningDeps,
  timeoutMs: number,
  abandoned: AbortSignal,
): Promise<Begin> {
  await peer.start();
  const ask = () =>
    peer.request(
      'server/discover',
      { _meta: envelope },
      { signal: abandoned, deadlines: { request: timeoutMs, ceiling: timeoutMs } },
    );
  const result = await ask().catch((error: unknown) => {
    if (error instanceof DeadlineError)
      throw new NoAnswerError((t) => t('The server did not answer {0}.', 'server/discover'));
    // It says itself that the same question is right.
    if (namesRevision(error)) return ask();
    throw error;
  });
  const { capabilities, instructions, _meta } = normalizeInitializeResult(
    'server/discover',
    checked(result),
    note,
  );
  // Only what is read by the client above, which checks all of it.
  const discovery: JsonRecord = {
    resultType: 'complete',
    supportedVersions: modernRevisions,
    ttlMs: 0,
    cacheScope: 'private',
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...(_meta !== undefined && { _meta }),
  };
  return async () => {
    const client = newClient('modern');
    await client.connect(peer, {
      prior: { kind: 'modern', discover: discovery as DiscoverResult },
    });
    return client;
  };
}

/** True for the refusal of a version in favor of the one that was asked for. */
function namesRevision(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== ErrorCode.unsupportedProtocolVersion)
    return false;
  const { supported } = asRecord(error.data);
  return Array.isArray(supported) && supported.includes(modernRevision);
}

/** Returns an answer to `server/discover` that offers our revision; throws if it is none. */
function checked(result: unknown): JsonRecord {
  const { supportedVersions: offered } = asRecord(result);
  if (
    !isRecord(result) ||
    !Array.isArray(offered) ||
    !offered.every((one) => typeof one === 'string')
  )
    throw new RpcError(0, (t) => t('The answer to {0} lists no revisions.', 'server/discover'));
  if (modernRevisions.some((one) => offered.includes(one))) return result;
  throw new RpcError(ErrorCode.unsupportedProtocolVersion, (t) =>
    t(
      'The server speaks only revisions that this client does not know: {0}',
      listText(offered.slice(0, maxShown), t),
    ),
  );
}

/** At most this many revisions of a server are named in a sentence. */
const maxShown = 10;
