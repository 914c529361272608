import type { Client as SdkClient, JsonSchemaValidatorResult } from '@modelcontextprotocol/client';
import { Timer, deferred } from '../../base/async';
import { LocalizedError, errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import { jsonText, withoutDump } from '../../base/text/jsonText';
import { wordsLabel } from '../../base/text/text';
import type { LocalizableMessage } from '../../base/translate';
import {
  type AskingServer,
  type ClientAbility,
  requestsWithout,
  type ServerRequestHandlers,
} from '../protocol/serverRequests';
import type { Note } from '../protocol/readAs';
import { ConnectionLostError, DeadlineError, ErrorCode, RpcError } from '../protocol/rpcError';
import { type Implementation, protocolMeta } from '../protocol/types';
import type { TrafficNotes } from '../traffic/trafficRecorder';
import {
  type RequestRouter,
  type TaskSeams,
  clientCapabilities,
  createRequestRouter,
  createTaskRouter,
} from './requestRouter';
import { normalizeInitializeResult } from './handshake/normalizeInitializeResult';
import { type Era, type Revision, eraOf, eras, modernRevision } from '../protocol/revisions';
import { firstQuestions } from './handshake/firstQuestions';
import { negotiate } from './handshake/negotiate';
import { longestTimerMs } from './peer/pendingRequest';
import type { Deadlines } from '../serverConfig';
import { JsonRpcPeer } from './peer/jsonRpcPeer';
import type { FollowRequest } from './peer/requestSpans';
import { ServerFaults } from './peer/serverFaults';
import { DebuggerMissingError, type ServerTransport } from '../transport/serverTransport';
import { type ClientDeclaration, Session } from './session';
import { SignInRequiredError } from '../auth/signInRequired';
import type * as sdk from '../sdk';
import { httpStatus } from '../protocol/errorFacts';

/**
 * Opens a session over the first of these ways that the server speaks; `onTransport` gets each transport before
 * it is tried, to close it if the signal aborts. Rejects with the error of the last way that was tried.
 */
export async function openFirstWorking(
  ways: readonly (() => ServerTransport)[],
  options: Omit<SessionOptions, 'transport'>,
  onTransport: (transport: ServerTransport) => void,
): Promise<Session> {
  const { log, signal } = options;
  const open = async (transport: ServerTransport): Promise<Session> => {
    // Nothing else knows the transport yet, and a debugger may be ready for it.
    if (signal.aborted) await transport.close();
    signal.throwIfAborted();
    onTransport(transport);
    try {
      return await openSession({ ...options, transport });
    } catch (error) {
      const other = signal.aborted ? undefined : await transport.again?.();
      if (!other) throw error;
      log.info('What its sandbox hides has changed meanwhile. It is set up once more.');
      return open(other);
    }
  };
  for (const [index, openTransport] of ways.entries()) {
    try {
      return await open(openTransport());
    } catch (error) {
      const isLast = index === ways.length - 1;
      if (!isLast && error instanceof DebuggerMissingError)
        log.warn('No debugger attached. The server starts without one.');
      else if (!isLast && isTransportUnknown(error))
        log.info(`The server does not speak this transport (HTTP ${httpStatus(error)}).`);
      else throw error;
    }
  }
  throw new Error('There is no way to reach the server.');
}

/** True for a status that, in answer to `initialize`, means HTTP+SSE (backwards compatibility of transports). */
function isTransportUnknown(error: unknown): boolean {
  return [400, 404, 405].includes(httpStatus(error) ?? 0);
}

/** The classes of the SDK's errors on which decisions depend. */
interface SdkErrors {
  readonly InsufficientScopeError: typeof sdk.InsufficientScopeError;
  readonly ProtocolError: typeof sdk.ProtocolError;
  readonly SdkErrorCode: typeof sdk.SdkErrorCode;
  readonly SdkHttpError: typeof sdk.SdkHttpError;
  readonly UnauthorizedError: typeof sdk.UnauthorizedError;
}

/** A chain of causes is followed at most this deep; it may lead back to itself. */
const deepestCause = 5;

/**
 * Turns an error of the SDK, or one of its causes, into ours if decisions depend on it, so that they need
 * no SDK; returns any other as it is. Names of classes are not compared, because the build changes them.
 */
export function ownError(classes: SdkErrors, error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > deepestCause) return error;
  // These only say that a sign-in is needed, in words for programmers.
  if (error instanceof classes.UnauthorizedError || isRefusedAgain(classes, error))
    return new SignInRequiredError();
  if (error instanceof classes.InsufficientScopeError)
    return new SignInRequiredError(error.message, { cause: error });
  if (error instanceof classes.ProtocolError)
    return new RpcError(error.code, error.message, error.data);
  if (error.cause !== undefined) error.cause = ownError(classes, error.cause, depth + 1);
  return error;
}

/** True if a token was refused that had just been renewed for the same request. */
function isRefusedAgain({ SdkErrorCode, SdkHttpError }: SdkErrors, error: Error): boolean {
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication;
}

/** How long after its limit a start is given up that no deadline of a question has ended, in milliseconds. */
const graceMs = 1000;
/** The longest message in a trace, in UTF-16 units: nobody reads more, and the editor would take long to show it. */
const longestTrace = 100_000;

/** The options for opening a session. */
export interface SessionOptions {
  /** Not started yet. */
  readonly transport: ServerTransport;
  /** The era that this server spoke last time, if known. */
  readonly era?: Era | undefined;
  /** The only revision to speak; if omitted, the latest that the server speaks, too. */
  readonly revision?: Revision | undefined;
  /** What this client shall neither declare nor do. */
  readonly without?: readonly ClientAbility[] | undefined;
  readonly client: Implementation;
  readonly server: AskingServer;
  readonly requests: ServerRequestHandlers;
  readonly deadlines: Deadlines & { readonly initialize: number };
  readonly log: Logger;
  /** Returns true if every message should be written to the log, at level trace. */
  readonly tracing: () => boolean;
  /** Records every message, for a user who looks later. */
  readonly traffic?: TrafficNotes | undefined;
  /** Follows each request, for traces. */
  readonly follow?: FollowRequest | undefined;
  /** The caller that aborts it also closes the transport. */
  readonly signal: AbortSignal;
}

/**
 * Performs the handshake over `transport`, in the era that the server speaks. Rejects with the error of the
 * transport or the server; the transport is then closed, unless `signal` aborted.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const {
    transport,
    era,
    revision,
    client,
    server,
    deadlines,
    log,
    signal,
    without = [],
  } = options;
  const requests = requestsWithout(options.requests, without);
  const sdk = await import('../sdk');
  const faults = new ServerFaults(log);
  const noteFault = (sentence: LocalizableMessage) => faults.note(sentence);
  transport.onFault = noteFault;
  const peer = createPeer(options, faults);
  peer.readError = (error) => ownError(sdk, error);
  const answer = createRequestRouter(server, requests, noteFault);
  const only = revision && eraOf(revision);
  const modern = revision && only === 'modern' ? revision : modernRevision;
  const declaration = declarationOf(requests, without);
  const envelope = envelopeOf(modern, client, declaration.declared.modern);

  const onerror = (error: Error) => {
    // The SDK's transports parse what comes over HTTP themselves, and do not pass on what they could not read.
    if (isUnreadable(error)) faults.count(error);
    else log.warn(wordsLabel(errorMessage(error), 1000));
    // The stream of HTTP+SSE is the session: another stream would be another session. The transport
    // schedules one right after this, so it is closed a moment later.
    if (error instanceof sdk.SseError) queueMicrotask(() => void transport.close());
  };
  const asTasks = (capabilities: Readonly<Record<string, object>>) =>
    createTaskRouter(answer, capabilities, seamsOf(peer, noteFault, onerror));
  const newClient = (how: Era): SdkClient => {
    const capabilities = declaration.declared[how];
    const sdkClient = new sdk.Client(client, {
      capabilities,
      ...(revision && how === 'legacy' && { supportedProtocolVersions: [revision] }),
      versionNegotiation: { mode: eras[how].isStateless ? { pin: modern } : 'legacy' },
      jsonSchemaValidator: { getValidator: () => acceptAnything },
    });
    sdkClient.onerror = onerror;
    answerThrough(sdkClient, peer, eras[how].hasCoreTasks ? asTasks(capabilities) : answer);
    return sdkClient;
  };

  try {
    // The SDK checks the signal only after the start, and not every transport refuses to start after it was closed.
    signal.throwIfAborted();
    // The handshake's clock belongs to the SDK and cannot be stopped.
    const timeoutMs = transport.hold ? longestTimerMs : deadlines.initialize;
    const questions = { peer, newClient, envelope, note: noteFault, signal };
    const ask = firstQuestions(questions, (error) => ownError(sdk, error));
    const sdkClient = await inTime(
      negotiate({ peer, era, only, ask, timeoutMs, signal }),
      timeoutMs,
    );
    if (peer.isLost)
      throw new ConnectionLostError((t) => t('The connection closed during the handshake.'));
    if (eras[sdkClient.getProtocolEra() ?? 'legacy'].isStateless) {
      peer.envelope = envelope;
      peer.spans.version = modern;
    }
    return new Session(sdkClient, peer, transport, answer, faults, declaration);
  } catch (error) {
    faults.dispose();
    // A second close would force the end.
    if (!signal.aborted) await transport.close();
    throw revision && isOfVersion(error) ? otherRevision(revision, error) : error;
  }
}

/** Makes the peer of a session, what is odd in whose messages is told to `faults`. */
function createPeer(options: SessionOptions, faults: ServerFaults): JsonRpcPeer {
  const { transport, deadlines, log, traffic: notes } = options;
  const peer = new JsonRpcPeer(transport.channel, deadlines, transport.hold);
  const note = (sentence: LocalizableMessage) => faults.note(sentence);
  peer.onfault = (error, message) => faults.count(error, message);
  peer.onodd = note;
  peer.handshakes.normalize = (result) => normalizeInitializeResult('initialize', result, note);
  peer.answers.onDropped = () =>
    note((t) =>
      t('The server did not take the answers to its requests fast enough. Requests were dropped.'),
    );
  peer.ontraffic = (direction, message) => {
    notes?.note(direction, message);
    if (options.tracing()) log.trace(traffic(direction, message));
  };
  peer.spans.follow = options.follow;
  peer.onfailed = (id, error) => notes?.noteFailure(id, error);
  return peer;
}

function declarationOf(
  requests: ServerRequestHandlers,
  without: readonly ClientAbility[],
): ClientDeclaration {
  const legacy = clientCapabilities(requests, 'legacy', without);
  return { declared: { legacy, modern: clientCapabilities(requests, 'modern', without) }, without };
}

/** Returns what each modern request says of its client. */
function envelopeOf(revision: Revision, client: Implementation, capabilities: object) {
  return {
    [`${protocolMeta}/protocolVersion`]: revision,
    [`${protocolMeta}/clientInfo`]: client,
    [`${protocolMeta}/clientCapabilities`]: capabilities,
  };
}

/** Has the questions that the SDK's client gets answered. */
function answerThrough(sdkClient: SdkClient, peer: JsonRpcPeer, answer: RequestRouter): void {
  sdkClient.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
    peer.whileAnswering((over) =>
      answer(method, params ?? {}, AbortSignal.any([mcpReq.signal, over])),
    );
}

function seamsOf(peer: JsonRpcPeer, note: Note, onerror: (error: Error) => void): TaskSeams {
  return {
    run: (work) => peer.whileAnswering(work),
    tell: (state) => {
      if (!peer.isLost) peer.notify('notifications/tasks/status', state).catch(onerror);
    },
    note,
  };
}

/** How servers refuse a revision: by its code, as a method that they lack, or as a value that they do not take. */
const ofVersion: ReadonlySet<number> = new Set([
  ErrorCode.methodNotFound,
  ErrorCode.invalidParams,
  ErrorCode.unsupportedProtocolVersion,
]);

/** True if a server that was asked for one revision alone said that it is another, or refused to be asked. */
function isOfVersion(error: unknown): error is Error {
  if (error instanceof RpcError) return ofVersion.has(error.code);
  // The error of the SDK has no class of its own.
  return error instanceof Error && error.message.includes('protocol version is not supported');
}

function otherRevision(revision: Revision, error: Error): Error {
  return new LocalizedError(
    (t) =>
      t(
        'The server does not speak revision {0}, the only one that is asked for: {1}',
        revision,
        errorMessage(error, t),
      ),
    { cause: error },
  );
}

/** Rejects if the start still waits after its limit for anything but an answer, such as for the stream of HTTP+SSE. */
async function inTime<T>(start: Promise<T>, limitMs: number): Promise<T> {
  const ms = Math.min(limitMs + graceMs, longestTimerMs);
  const late = deferred<never>();
  const timer = new Timer(() =>
    late.reject(
      new DeadlineError((t) =>
        t(
          'The server was not ready within {0} s. "timeouts.start" in its configuration sets how long to wait.',
          String(Math.round(limitMs / 1000)),
        ),
      ),
    ),
  );
  timer.start(ms);
  try {
    return await Promise.race([start, late.promise]);
  } finally {
    timer.dispose();
  }
}

/** True if the error is that something was not a message of the protocol. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || withoutDump(error.message) !== error.message;
}

/** Accepts any value, because the gate checks against the server's schemas in another thread; the SDK would use this one. */
function acceptAnything<T>(value: unknown): JsonSchemaValidatorResult<T> {
  return { valid: true, data: value as T, errorMessage: undefined };
}

function traffic(direction: 'sent' | 'received', message: unknown): string {
  return `${direction === 'sent' ? '→' : '←'} ${jsonText(message, 0, longestTrace)}`;
}
