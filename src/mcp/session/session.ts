import type { Client as SdkClient, SubscriptionFilter } from '@modelcontextprotocol/client';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import type { AskingServer, ClientRequests } from '../protocol/clientRequests';
import { httpStatus } from '../connection/describeFailure';
import type { Implementation, LoggingLevel, ServerCapabilities } from '../protocol/types';
import type { ServerInfo } from '../serverState';
import { clientCapabilities, createAnswerServer, type AnswerServer } from './answerServer';
import { untilComplete } from './inputRequired';
import type { Deadlines } from './pendingRequest';
import { RequestLane, type LaneRequestOptions } from './requestLane';
import { ConnectionLostError, ErrorCode } from '../protocol/rpcError';
import { afterUrlElicitation } from './urlElicitation';
import type { Wire } from './wire';

/** `legacy` is every revision that begins with `initialize`; `modern` is 2026-07-28 and later. */
export type Era = 'legacy' | 'modern';

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
  private readonly notifications = new Emitter<{ method: string; params: Params }>();
  readonly onNotification = this.notifications.event;
  private readonly lost = new Emitter<void>();
  readonly onLost = this.lost.event;
  private readonly doubt = new Emitter<void>();
  /** Something suggests that the server does not know the session any more: worth a question. */
  readonly onDoubt = this.doubt.event;

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

  constructor(client: SdkClient, lane: RequestLane, wire: Wire, answer: AnswerServer) {
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
    return afterUrlElicitation(complete, this.answer, this.onNotification, options.signal);
  }

  /** Sends a notification. */
  notify(method: string, params?: Params): Promise<void> {
    return this.lane.notify(method, params);
  }

  /** Opens a `subscriptions/listen` stream; only in the modern era. */
  listen(filter: SubscriptionFilter): ReturnType<SdkClient['listen']> {
    return this.client.listen(filter);
  }

  /** Asks the server to log at `level` and above, where it logs at all. */
  async setLoggingLevel(level: LoggingLevel): Promise<void> {
    if (this.era === 'modern') {
      this.lane.envelope = { ...this.lane.envelope, [`${meta}/logLevel`]: level };
    } else if (this.info.capabilities.logging) {
      await this.request('logging/setLevel', { level });
    }
  }

  /** Closes the connection, and with it the process behind it; again to force it. */
  close(): Promise<void> {
    return this.wire.close();
  }
}

/**
 * Does the handshake over `wire`, in the era that the server speaks. A process is asked in the old
 * way first and, where it answers that it only speaks the new one, in the new way on the same pipe,
 * so that it is never started twice; a URL is asked in the new way first. Rejects with what the
 * transport or the server said; the wire is then closed.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { wire, era, client, server, requests, deadlines, log, signal } = options;
  const sdk = await import('../sdk');
  const lane = new RequestLane(wire.transport, deadlines);
  lane.ontraffic = (direction, message) => {
    if (options.tracing()) log.trace(traffic(direction, message));
  };
  const answer = createAnswerServer(server, requests);
  const capabilities = clientCapabilities(requests);

  const connect = async (negotiate: Era | 'auto'): Promise<SdkClient> => {
    const mode = negotiate === 'modern' ? { pin: modernRevision } : negotiate;
    const sdkClient = new sdk.Client(client, { capabilities, versionNegotiation: { mode } });
    sdkClient.onerror = (error) => {
      log.warn(plainLabel(error.message, 1000));
      // The stream of HTTP+SSE is the session: another stream would be another session. It plans
      // to open one right after this, so that it is closed a moment later.
      if (error instanceof sdk.SseError) queueMicrotask(() => void wire.close());
    };
    sdkClient.fallbackRequestHandler = ({ method, params }, context) =>
      lane.whileAnswering(() => answer(method, params ?? {}, context.mcpReq.signal));
    await sdkClient.connect(lane, { timeout: deadlines.initialize, signal });
    return sdkClient;
  };

  try {
    const first = wire.transport.hasPerRequestStream === true ? 'auto' : 'legacy';
    const sdkClient = await connect(era ?? first).catch((error) => {
      if (lane.isLost || signal.aborted) throw error;
      // What is remembered of a server may be outdated.
      if (era !== undefined && era !== first && isRefusal(error)) return connect(first);
      if (first === 'legacy' && speaksOnlyModern(error)) return connect('modern');
      throw error;
    });
    if (lane.isLost) throw new ConnectionLostError('The connection closed during the handshake.');
    if (sdkClient.getProtocolEra() === 'modern') {
      lane.envelope = {
        [`${meta}/protocolVersion`]: sdkClient.getNegotiatedProtocolVersion(),
        [`${meta}/clientInfo`]: client,
        [`${meta}/clientCapabilities`]: capabilities,
      };
    }
    return new Session(sdkClient, lane, wire, answer);
  } catch (error) {
    await wire.close();
    throw error;
  }
}

/** A server that lost its session refuses the stream of its own messages like that. */
function isStreamRefused(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' && httpStatus(error) === 404;
}

/** True where a server answered a handshake, but not with its consent. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  const status = httpStatus(error) ?? 0;
  return (
    typeof code === 'number' || code === 'ERA_NEGOTIATION_FAILED' || (status >= 400 && status < 500)
  );
}

function speaksOnlyModern(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return code === ErrorCode.unsupportedProtocolVersion || code === ErrorCode.methodNotFound;
}

function readInfo(client: SdkClient): ServerInfo {
  const implementation = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: (client.getServerCapabilities() ?? {}) as ServerCapabilities,
    ...(implementation && { implementation: implementation as Implementation }),
    ...(instructions && { instructions }),
  };
}

function traffic(direction: 'sent' | 'received', message: unknown): string {
  return `${direction === 'sent' ? '→' : '←'} ${jsonText(message, 0, longestTrace)}`;
}
