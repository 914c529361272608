import type {
  Client as SdkClient,
  JsonSchemaValidatorResult,
  SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { jsonText } from '../../base/text/jsonText';
import { withoutDump } from '../../base/text/schemaDump';
import { plainLabel } from '../../base/text/text';
import type { AskingServer, ClientRequests } from '../protocol/clientRequests';
import { httpStatus } from '../protocol/errorFacts';
import type { Implementation, LoggingLevel, ServerCapabilities } from '../protocol/types';
import type { ServerInfo } from '../serverState';
import { clientCapabilities, createAnswerServer, type AnswerServer } from './answerServer';
import { untilComplete } from './inputRequired';
import { negotiate, type Era } from './handshake/negotiate';
import type { Deadlines } from './lane/pendingRequest';
import { RequestLane, type LaneRequestOptions } from './lane/requestLane';
import { ConnectionLostError } from '../protocol/rpcError';
import { mendHandshake } from './handshake/mendHandshake';
import { ownError } from './lane/sdkErrors';
import { ServerFaults } from './lane/serverFaults';
import { afterUrlElicitation } from './urlElicitation';
import type { Wire } from './wire';

const modernRevision = '2026-07-28';
const meta = 'io.modelcontextprotocol';
/** No log is read beyond that, and the editor would take long to show it: in UTF-16 units. */
const longestTrace = 100_000;

/** What a session is opened with. */
export interface SessionOptions {
  /** Not started yet; the session closes it. */
  readonly wire: Wire;
  /** The era that this server spoke last time, if known. */
  readonly era?: Era | undefined;
  readonly client: Implementation;
  readonly server: AskingServer;
  readonly requests: ClientRequests;
  readonly deadlines: Deadlines & { readonly initialize: number };
  readonly log: Logger;
  /** Says whether every message shall be written to the log, at level trace. */
  readonly tracing: () => boolean;
  readonly signal: AbortSignal;
}

type Params = Readonly<Record<string, unknown>>;

/** A live connection with a server after a successful handshake. */
export class Session {
  readonly info: ServerInfo;
  readonly era: Era;
  /** What the server did in it that the protocol does not know. */
  readonly faults: ServerFaults;
  private readonly notifications = new Emitter<{ method: string; params: Params }>((error) =>
    this.faults.count(error),
  );
  readonly onNotification = this.notifications.event;
  private readonly lost = new Emitter<void>();
  readonly onLost = this.lost.event;
  private readonly doubt = new Emitter<void>();
  /** Something suggests that the server does not know the session any more: worth a question. */
  readonly onDoubt = this.doubt.event;

  private readonly failed = new Emitter<unknown>();
  /** A request was refused or got no answer. */
  readonly onFailure = this.failed.event;

  private readonly resumed = new Emitter<void>();
  /** Messages of the server may have been lost, and come again now. */
  readonly onResumed = this.resumed.event;

  private readonly hearing = new Emitter<boolean>();
  /** Whether messages of the server that answer nothing come in, where that changes. */
  readonly onDidChangeHearing = this.hearing.event;

  private readonly client: SdkClient;
  private readonly lane: RequestLane;
  private readonly wire: Wire;
  private readonly answer: AnswerServer;

  constructor(
    client: SdkClient,
    lane: RequestLane,
    wire: Wire,
    answer: AnswerServer,
    faults: ServerFaults,
  ) {
    this.faults = faults;
    this.client = client;
    this.lane = lane;
    this.wire = wire;
    // No person answers a server that is gone.
    const ended = new AbortController();
    this.answer = (method, params, signal) =>
      answer(method, params, AbortSignal.any([signal, ended.signal])).catch((error: unknown) => {
        throw ended.signal.aborted ? ended.signal.reason : error;
      });
    this.era = client.getProtocolEra() ?? 'legacy';
    this.info = readInfo(client);
    lane.onnotification = (method, params) => this.notifications.fire({ method, params });
    lane.onlost = () => {
      ended.abort(
        new ConnectionLostError('The connection closed before the question was answered.'),
      );
      faults.dispose();
      this.lost.fire();
    };
    wire.onResumed = () => this.resumed.fire();
    wire.onHearing = (hears) => this.hearing.fire(hears);
    const { onerror } = client;
    client.onerror = (error) => {
      onerror?.(error);
      if (isStreamRefused(error)) this.doubt.fire();
    };
  }

  /** True where every request is an HTTP request of its own. */
  get isHttp(): boolean {
    return this.wire.transport.hasPerRequestStream === true;
  }

  /** True where arguments of a tool may have to be repeated as HTTP headers. */
  get usesParamHeaders(): boolean {
    return this.era === 'modern' && this.isHttp;
  }

  /**
   * Sends a request and resolves with its complete result; questions of the server in between are
   * answered. Rejects as {@link RequestLane.request} does.
   */
  request(method: string, params: Params, options: LaneRequestOptions = {}): Promise<Params> {
    const send = (full: Params) => this.lane.request(method, full, options);
    const complete = () => untilComplete(send, params, this.answer, options.signal);
    return this.watch(
      afterUrlElicitation(complete, this.answer, this.onNotification, options.signal),
    );
  }

  /** Sends a notification. */
  notify(method: string, params?: Params): Promise<void> {
    return this.lane.notify(method, params);
  }

  /** Opens a `subscriptions/listen` stream; only in the modern era. */
  listen(filter: SubscriptionFilter): ReturnType<SdkClient['listen']> {
    return this.watch(this.client.listen(filter));
  }

  /** Asks the server to log at `level` and above, where it logs at all. */
  async setLoggingLevel(level: LoggingLevel): Promise<void> {
    if (this.era === 'modern') {
      this.lane.envelope = { ...this.lane.envelope, [`${meta}/logLevel`]: level };
    } else if (this.info.capabilities.logging) {
      await this.request('logging/setLevel', { level });
    }
  }

  private async watch<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.failed.fire(error);
      throw error;
    }
  }

  /** Closes the connection, and with it the process behind it; again to force it. */
  close(): Promise<void> {
    return this.wire.close();
  }
}

/**
 * Does the handshake over `wire`, in the era that the server speaks. Rejects with what the transport
 * or the server said; the wire is then closed.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { wire, era, client, server, requests, deadlines, log, signal } = options;
  const sdk = await import('../sdk');
  const lane = new RequestLane(wire.transport, deadlines);
  const faults = new ServerFaults(log);
  lane.onfault = (error, message) => faults.count(error, message);
  lane.mendAnswer = (method, result) =>
    mendHandshake(method, result, (sentence) => faults.note(sentence));
  lane.readError = (error) => ownError(sdk, error);
  lane.ontraffic = (direction, message) => {
    if (options.tracing()) log.trace(traffic(direction, message));
  };
  const answer = createAnswerServer(server, requests);
  const envelope = {
    [`${meta}/protocolVersion`]: modernRevision,
    [`${meta}/clientInfo`]: client,
    [`${meta}/clientCapabilities`]: clientCapabilities(requests, 'modern'),
  };

  const shake = async (how: Era, timeout: number, abandoned?: AbortSignal): Promise<SdkClient> => {
    const mode = how === 'modern' ? { pin: modernRevision } : how;
    const capabilities = clientCapabilities(requests, how);
    const sdkClient = new sdk.Client(client, {
      capabilities,
      versionNegotiation: { mode },
      jsonSchemaValidator: { getValidator: () => acceptAnything },
    });
    sdkClient.onerror = (error) => {
      // The transports of the SDK read what came over HTTP, and do not hand on what it was.
      if (isUnreadable(error)) faults.count(error);
      else log.warn(plainLabel(errorMessage(error), 1000));
      // The stream of HTTP+SSE is the session: another stream would be another session. It plans
      // to open one right after this, so that it is closed a moment later.
      if (error instanceof sdk.SseError) queueMicrotask(() => void wire.close());
    };
    sdkClient.fallbackRequestHandler = ({ method, params }, context) =>
      lane.whileAnswering(() => answer(method, params ?? {}, context.mcpReq.signal));
    abandoned?.addEventListener('abort', () => void sdkClient.close(), { once: true });
    await sdkClient.connect(lane, { timeout, signal }).catch((error: unknown) => {
      throw ownError(sdk, error);
    });
    return sdkClient;
  };

  try {
    const timeoutMs = deadlines.initialize;
    const discover = (until: AbortSignal) =>
      lane.request('server/discover', { _meta: envelope }, { signal: until });
    const sdkClient = await negotiate({ lane, era, shake, discover, timeoutMs, signal });
    if (lane.isLost) throw new ConnectionLostError('The connection closed during the handshake.');
    if (sdkClient.getProtocolEra() === 'modern') lane.envelope = envelope;
    return new Session(sdkClient, lane, wire, answer, faults);
  } catch (error) {
    faults.dispose();
    await wire.close();
    throw error;
  }
}

/** True where the error is that something was no message of the protocol. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || withoutDump(error.message) !== error.message;
}

/** A server that lost its session refuses the stream of its own messages like that. */
function isStreamRefused(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' && httpStatus(error) === 404;
}

function readInfo(client: SdkClient): ServerInfo {
  const implementation = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: (client.getServerCapabilities() ?? {}) as ServerCapabilities,
    ...(implementation?.name && { implementation: implementation as Implementation }),
    ...(instructions && { instructions }),
  };
}

/** Schemas are a server's: the gate checks with them, in another thread; the SDK would do so in this one. */
function acceptAnything<T>(value: unknown): JsonSchemaValidatorResult<T> {
  return { valid: true, data: value as T, errorMessage: undefined };
}

function traffic(direction: 'sent' | 'received', message: unknown): string {
  return `${direction === 'sent' ? '→' : '←'} ${jsonText(message, 0, longestTrace)}`;
}
