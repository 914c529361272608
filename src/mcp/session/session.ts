import type { Client as SdkClient, SubscriptionFilter } from '@modelcontextprotocol/client';
import { Emitter } from '../../base/event';
import { type JsonRecord, asRecord, canonicalJson, isRecord } from '../../base/json';
import type { SpanContext } from '../../base/tracing';
import { httpStatus } from '../protocol/errorFacts';
import { inAnswerTo } from '../protocol/readAs';
import {
  type Implementation,
  type JsonObject,
  type LoggingLevel,
  type Progress,
  type ServerCapabilities,
  type Tool,
  entryNamed,
  protocolMeta,
} from '../protocol/types';
import type { ServerInfo } from '../serverState';
import type { ClientAbility } from '../protocol/serverRequests';
import { type RequestRouter, tasksExtension } from './requestRouter';
import { afterUrlElicitation, answerAll, untilComplete } from './inputRequired';
import { type Era, eraOf, eras } from '../protocol/revisions';
import type { JsonRpcPeer, PeerRequestOptions } from './peer/jsonRpcPeer';
import type { ServerFaults } from './peer/serverFaults';
import type { CallAnswer, TaskFacts, TaskHandle } from './tasks/taskState';
import type { ServerTransport } from '../transport/serverTransport';
import { errorMessage } from '../../base/errors';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import { paramHeaders } from './paramHeaders';

/** The listed tools of a server, which can be loaded again. */
interface ToolList {
  readonly items: readonly Tool[];
  refresh(): Promise<void>;
}

/** The call to make, with the definition of the tool when the call was allowed, if it is listed. */
interface WantedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly tool: Tool | undefined;
}

/**
 * Calls a tool; if a task takes the place of its result, progress is passed on until `progressUntil` is disposed. A
 * server may refuse the headers that repeat the arguments (2026-07-28, -32020): then its tools are listed
 * again, and the call is repeated if only the header marks in the definition have changed, because the call
 * was allowed for everything else in it.
 */
export async function callTool(
  session: Session,
  tools: ToolList,
  { name, args, tool }: WantedCall,
  {
    meta,
    asTask,
    progressUntil,
    ...options
  }: PeerRequestOptions & Pick<RequestOptions, 'meta' | 'asTask'> = {},
): Promise<CallAnswer> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  const send = async (as: Tool | undefined) => {
    const headers = as && session.usesParamHeaders ? paramHeaders(as.inputSchema, args) : undefined;
    const how = { ...options, headers, acceptsTask: session.followsTasks };
    return { answer: await session.request('tools/call', params, how) };
  };
  const mayBeTask = tool && session.followsTasks && needsTask(tool, session.info);
  if (mayBeTask && !(asTask === false && hasTaskChoice(tool, session.info)))
    return callAsTask(session, params, { ...options, progressUntil }, asTask || undefined);
  try {
    return await send(tool);
  } catch (error) {
    if (!tool || !session.usesParamHeaders || !isHeaderMismatch(error)) throw error;
    await tools.refresh();
    const now = entryNamed(tools, name);
    if (!now || withoutMarks(now) !== withoutMarks(tool))
      throw new RpcError(error.code, (t) =>
        t('{0} The tool has changed: call it again.', end(errorMessage(error, t))),
      );
    if (canonicalJson(now) === canonicalJson(tool)) throw error;
    return send(now);
  }
}

/** True for a tool that its server runs as a task in the form of 2025-11-25. */
export function needsTask(tool: Tool, info: ServerInfo): boolean {
  return hasTaskChoice(tool, info) || taskSupport(tool, info) === 'required';
}

/** True for a tool that may be called as such a task, or as any other. */
export function hasTaskChoice(tool: Tool, info: ServerInfo): boolean {
  return taskSupport(tool, info) === 'optional';
}

function taskSupport({ execution }: Tool, { protocolVersion, capabilities }: ServerInfo) {
  const isOffered = eras[eraOf(protocolVersion)].hasCoreTasks;
  return isOffered && capabilities.tasks?.requests?.tools?.call
    ? execution?.taskSupport
    : undefined;
}

/** Calls a tool as a task (2025-11-25, tasks), whose result the server is to keep for `ttl` ms. */
export async function callAsTask(
  session: Session,
  params: JsonRecord,
  options: PeerRequestOptions = {},
  ttl?: number,
): Promise<CallAnswer> {
  const task = ttl === undefined ? {} : { ttl };
  const answer = await session.request('tools/call', { ...params, task }, options);
  // A server may answer immediately, as if it had not been asked for a task.
  const { task: created } = answer;
  return isRecord(created) ? { coreTask: created } : { answer };
}

function isHeaderMismatch(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === ErrorCode.headerMismatch;
}

/** Returns the definition of a tool as text without the header marks. */
function withoutMarks(tool: Tool): string {
  return canonicalJson({ ...tool, inputSchema: unmarked(tool.inputSchema) });
}

/** Removes header marks where they are allowed, below `properties` alone; elsewhere, the same word is part of a value. */
function unmarked(schema: JsonRecord): JsonRecord {
  const { 'x-mcp-header': mark, properties, ...rest } = schema;
  return {
    ...rest,
    ...(mark !== undefined && typeof mark !== 'string' && { 'x-mcp-header': mark }),
    ...(properties !== undefined && {
      properties: isRecord(properties)
        ? Object.fromEntries(
            Object.entries(properties).map(([key, part]) => [
              key,
              isRecord(part) ? unmarked(part) : part,
            ]),
          )
        : properties,
    }),
  };
}

function end(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/**
 * How long a server is to keep the result of a call that it runs as a task (2025-11-25), in ms; 0 leaves that to it, and
 * `false` wants the result itself, where the server leaves that to the client.
 */
export type AsTask = number | false;

/** The longest time, in ms, for which a server is asked to keep the result of a task. */
export const longestTtl = 30 * 24 * 60 * 60_000;

/** The options of a request to a server: a way to cancel it, listeners for its progress and its task, and metadata. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server turns a call into a task, which can be followed from elsewhere, too. */
  readonly onTask?: (task: TaskHandle) => void;
  /** Called with each state that the server tells of such a task. */
  readonly onTaskState?: ((state: TaskFacts) => void) | undefined;
  readonly asTask?: AsTask | undefined;
  /** What a user wrote into the `_meta` of a request; the fields of the protocol are added to it. */
  readonly meta?: JsonRecord | undefined;
  /** What it is a part of, in traces. */
  readonly span?: SpanContext | undefined;
  /** Waited for once the server runs, before anything is sent; if it was aborted meanwhile, nothing is. */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

type Params = Readonly<Record<string, unknown>>;

/** The options of a request over a session. */
export interface SessionRequestOptions extends PeerRequestOptions {
  /** The server may turn the request into a task; its answer then has the `resultType` `task`. */
  readonly acceptsTask?: boolean;
}

/** What this client says that it can do, in each era, and what it was made to lack. */
export interface ClientDeclaration {
  readonly declared: Readonly<Record<Era, Readonly<Record<string, object>>>>;
  readonly without: readonly ClientAbility[];
}

/** A live connection with a server after a successful handshake. */
export class Session {
  readonly info: ServerInfo;
  /** The capabilities that this client declared. */
  readonly declared: Readonly<Record<string, object>>;
  readonly era: Era;
  /** True if calls may become tasks on the server. */
  readonly followsTasks: boolean;
  /** What the server did during the session that the protocol does not allow. */
  readonly faults: ServerFaults;
  private readonly notifications = new Emitter<{ method: string; params: Params }>((error) =>
    this.faults.count(error),
  );
  readonly onNotification = this.notifications.event;
  private readonly lost = new Emitter<void>();
  readonly onLost = this.lost.event;
  private readonly suspectedLost = new Emitter<void>();
  /** Fires when something suggests that the server no longer knows the session, so that it is worth a check. */
  readonly onDidSuspectLost = this.suspectedLost.event;

  private readonly failed = new Emitter<unknown>();
  /** Fires with the error when a request was refused or got no answer. */
  readonly onFailure = this.failed.event;

  private readonly resumed = new Emitter<void>();
  /** Fires when the server's own messages, some of which may have been lost, arrive again. */
  readonly onResumed = this.resumed.event;

  private readonly listeningChanged = new Emitter<boolean>();
  /** Fires when the server's own messages can no longer be received (false), and when they can again (true). */
  readonly onDidChangeListening = this.listeningChanged.event;

  private readonly client: SdkClient;
  private readonly peer: JsonRpcPeer;
  private readonly transport: ServerTransport;
  private readonly answer: RequestRouter;

  constructor(
    client: SdkClient,
    peer: JsonRpcPeer,
    transport: ServerTransport,
    answer: RequestRouter,
    faults: ServerFaults,
    { declared, without }: ClientDeclaration,
  ) {
    this.faults = faults;
    this.client = client;
    this.peer = peer;
    this.transport = transport;
    // Users need not answer a server that is gone.
    const { ended } = peer;
    this.answer = (method, params, signal) =>
      answer(method, params, AbortSignal.any([signal, ended])).catch((error: unknown) => {
        throw ended.aborted ? ended.reason : error;
      });
    this.era = client.getProtocolEra() ?? 'legacy';
    this.declared = declared[this.era];
    this.followsTasks = eras[this.era].declaresExtensions
      ? Object.hasOwn(asRecord(this.declared['extensions']), tasksExtension)
      : !without.includes('tasks');
    this.info = readInfo(client);
    peer.onnotification = (method, params) => this.notifications.fire({ method, params });
    peer.onlost = () => {
      faults.dispose();
      this.lost.fire();
    };
    transport.onResumed = () => this.resumed.fire();
    transport.onListening = (listening) => this.listeningChanged.fire(listening);
    const { onerror } = client;
    client.onerror = (error) => {
      onerror?.(error);
      if (isStreamRefused(error)) this.suspectedLost.fire();
    };
  }

  /** True if every request is an HTTP request of its own. */
  get isHttp(): boolean {
    return this.transport.channel.hasPerRequestStream === true;
  }

  /** True if arguments of a tool may have to be repeated as HTTP headers. */
  get usesParamHeaders(): boolean {
    return eras[this.era].isStateless && this.isHttp;
  }

  /**
   * Sends a request and resolves with its complete result; questions of the server in between are
   * answered. Rejects as {@link JsonRpcPeer.request} does.
   */
  request(method: string, params: Params, options: SessionRequestOptions = {}): Promise<Params> {
    const send = (full: Params) => this.peer.request(method, full, options);
    const note = inAnswerTo(method, (sentence) => this.faults.note(sentence));
    const complete = () => untilComplete(send, params, this.answer, { ...options, note });
    return this.watch(
      afterUrlElicitation(complete, this.answer, this.onNotification, options.signal),
    );
  }

  /** Answers questions that the server asked other than in the answer to a request. */
  answerAll(questions: Params, signal: AbortSignal): Promise<Params> {
    return answerAll(questions, this.answer, signal);
  }

  /** Sends a notification. */
  notify(method: string, params?: Params): Promise<void> {
    return this.peer.notify(method, params);
  }

  /** Opens a `subscriptions/listen` stream; only in the modern era. */
  listen(filter: SubscriptionFilter): ReturnType<SdkClient['listen']> {
    return this.watch(this.client.listen(filter));
  }

  /** Asks the server to log at `level` and above, if it logs at all. */
  async setLoggingLevel(level: LoggingLevel): Promise<void> {
    if (eras[this.era].isStateless) {
      this.peer.envelope = { ...this.peer.envelope, [`${protocolMeta}/logLevel`]: level };
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
}

/** True if a stream was refused as by a server that lost the session: many answer that with 400 instead of 404. */
function isStreamRefused(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  const status = httpStatus(error);
  return code === 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM' && (status === 404 || status === 400);
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
