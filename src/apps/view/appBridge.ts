import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import { type Deferred, deferred } from '../../base/async';
import { type JsonRecord, isRecord } from '../../base/json';
import { LastMinute } from '../../base/pace';
import { jsonText } from '../../base/text/jsonText';
import type { CallToolResult, JsonObject, ReadResourceResult } from '../../mcp/protocol/types';
import type { AppNotes } from '../../mcp/traffic/trafficRecorder';
import { truncate } from '../../base/text/text';
import { readContentBlock } from '../../mcp/protocol/results';
import { spokenText } from '../../mcp/protocol/content';

/** The longest text that an app may put into the chat, in UTF-16 units; more is cut. */
export const maxContextLength = 50_000;

/** Returns the text of a `ui/message`; `undefined` if it has no text, or anything other than text. */
export function readMessage({ content }: JsonRecord): string | undefined {
  const blocks = blocksOf(content).map((block) => readContentBlock(block));
  const texts = blocks.flatMap((block) => spokenText(block) ?? []);
  if (texts.length === 0 || texts.length < blocks.length) return undefined;
  return truncate(texts.join('\n\n'), maxContextLength);
}

/** Returns what an app wants models to know as one text, with the type of anything that is not text. */
export function readContext({ content, structuredContent }: JsonRecord): string {
  const texts = blocksOf(content).map((value) => {
    const block = readContentBlock(value);
    return spokenText(block) ?? `[${block.type}]`;
  });
  if (isRecord(structuredContent)) texts.push(jsonText(structuredContent, 2));
  return truncate(texts.join('\n\n'), maxContextLength);
}

function blocksOf(content: unknown): readonly unknown[] {
  // The first revision had a single block instead of a list.
  return Array.isArray(content) ? content : isRecord(content) ? [content] : [];
}

/** The revision of MCP Apps that is spoken, even to an app that asks for another. */
export const appsRevision = '2026-01-26';

/** At most this many tool calls per minute are accepted from one app; more are refused. */
export const maxAppCallsPerMinute = 30;

/**
 * At most this many requests per minute are accepted from one app, and at most this many may be waiting; more
 * are refused.
 */
export const maxRequestsPerMinute = 120;
export const maxAppRequests = 20;

/** How long an app may take to answer a teardown, in milliseconds. */
const teardownMs = 1000;
const maxToldNotifications = 100;

const code = {
  refused: -32000,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
};

/** How an app is shown (MCP Apps, display modes). */
export type DisplayMode = 'inline' | 'fullscreen';

/** The handlers of an app's requests; the app receives the message of each rejection as an error. */
export interface AppHandlers {
  runTool(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>;
  readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult>;
  openLink(url: string, signal: AbortSignal): Promise<void>;
  sendMessage(text: string, signal: AbortSignal): Promise<void>;
  updateContext(text: string): Promise<void>;
  setDisplayMode(mode: DisplayMode): void;
  log(level: string, text: string): void;
  /** The app wants to be closed. */
  requestTeardown(): void;
}

interface Options {
  readonly handlers: AppHandlers;
  readonly send: (message: JsonRecord) => void;
  /** Keeps both directions. */
  readonly traffic: AppNotes;
  readonly hostInfo: { readonly name: string; readonly version: string };
  readonly capabilities: McpUiHostCapabilities;
  /** Returns the context at the time when the app asks for it. */
  readonly context: () => McpUiHostContext;
  readonly now: () => number;
}

type Id = string | number;

/** The host's side of MCP Apps for one app: answers its requests, and tells it about its call. */
export class AppBridge {
  private readonly options: Options;
  private readonly calls: LastMinute;
  private readonly requests: LastMinute;
  private readonly open = new Map<Id, AbortController>();
  private state: 'new' | 'answered' | 'initialized' | 'ended' = 'new';
  /** What the app is to know about its call, also once it starts anew. */
  private told: JsonRecord[] = [];
  /** What has changed since the app was told its context, while it is not yet initialized. */
  private heldContext: McpUiHostContext | undefined;
  private inputSent = false;
  private appModes: readonly unknown[] | undefined;
  private mode: DisplayMode = 'inline';
  private pendingTeardown: { readonly id: string; readonly done: Deferred<void> } | undefined;

  constructor(options: Options) {
    this.options = options;
    this.calls = new LastMinute(options.now);
    this.requests = new LastMinute(options.now);
  }

  get displayMode(): DisplayMode {
    return this.mode;
  }

  /** Handles a message from the app; ignores anything that is not a JSON-RPC message. */
  receive(message: unknown): void {
    if (this.state === 'ended' || !isRecord(message) || message['jsonrpc'] !== '2.0') return;
    this.options.traffic.note('received', message);
    const { id, method, params } = message;
    const fields = isRecord(params) ? params : {};
    const hasId = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') {
      if (this.pendingTeardown && id === this.pendingTeardown.id)
        this.pendingTeardown.done.resolve();
    } else if (hasId) void this.answer(id, method, fields);
    else if (id === undefined) this.notified(method, fields);
  }

  /** Tells the app what its tool was called with; only the first time counts. */
  toolInput(args: JsonObject): void {
    if (this.inputSent) return;
    this.inputSent = true;
    this.tell('ui/notifications/tool-input', { arguments: args });
  }

  /** Tells the app the result of its tool; after {@link toolInput}. */
  toolResult(result: CallToolResult): void {
    this.tell('ui/notifications/tool-result', wireResult(result));
  }

  /** Tells the app that there will be no result, and why. */
  toolCancelled(reason: string): void {
    this.tell('ui/notifications/tool-cancelled', { reason });
  }

  /** Tells the app what has changed in its context; does nothing before the app has asked for it. */
  contextChanged(changed: McpUiHostContext): void {
    if (this.state === 'answered') this.heldContext = { ...this.heldContext, ...changed };
    if (this.state === 'initialized')
      this.send({ method: 'ui/notifications/host-context-changed', params: changed });
  }

  /** Forgets the app as its page starts anew, and tells the next one the same about its call; its limits stay. */
  restart(): void {
    if (this.state === 'ended') return;
    this.state = 'new';
    this.heldContext = undefined;
    this.appModes = undefined;
    this.mode = 'inline';
    this.forgetRequests();
  }

  /** Tells an initialized app that it ends and waits a moment for it; nothing is answered afterwards. */
  async teardown(reason: string): Promise<void> {
    if (this.state === 'initialized') await this.sendTeardown(reason);
    this.dispose();
  }

  /** Ends without telling the app; nothing is answered afterwards. */
  dispose(): void {
    this.state = 'ended';
    this.told = [];
    this.forgetRequests();
  }

  private forgetRequests(): void {
    this.pendingTeardown?.done.resolve();
    for (const controller of this.open.values()) controller.abort();
    this.open.clear();
    this.options.traffic.noteEnd();
  }

  private sendTeardown(reason: string): Promise<void> {
    if (this.pendingTeardown) return this.pendingTeardown.done.promise;
    const id = crypto.randomUUID();
    const done = deferred<void>();
    this.pendingTeardown = { id, done };
    this.send({ id, method: 'ui/resource-teardown', params: { reason } });
    const timer = setTimeout(() => done.resolve(), teardownMs);
    return done.promise.finally(() => clearTimeout(timer));
  }

  private async answer(id: Id, method: string, params: JsonRecord): Promise<void> {
    const refusal = this.refusalOf(id, method);
    if (refusal) return this.send({ id, error: refusal });
    const controller = new AbortController();
    this.open.set(id, controller);
    try {
      const result = await this.handle(method, params, controller.signal);
      if (!controller.signal.aborted) this.send({ id, result });
    } catch (error) {
      const own = error instanceof Refusal ? error.code : code.refused;
      const message = error instanceof Error ? error.message : String(error);
      if (!controller.signal.aborted) this.send({ id, error: { code: own, message } });
    } finally {
      // An app that started anew may have used the id again.
      if (this.open.get(id) === controller) this.open.delete(id);
    }
  }

  private refusalOf(id: Id, method: string): { code: number; message: string } | undefined {
    const isFirst = method === 'ui/initialize';
    if (isFirst !== (this.state === 'new') && method !== 'ping')
      return {
        code: code.invalidRequest,
        message: isFirst ? 'The app is initialized already.' : 'Send ui/initialize first.',
      };
    if (this.open.has(id))
      return { code: code.invalidRequest, message: `A request ${id} waits for its answer.` };
    if (this.open.size >= maxAppRequests)
      return { code: code.refused, message: 'Too many requests wait for an answer.' };
    if (!this.requests.take(maxRequestsPerMinute))
      return {
        code: code.refused,
        message: `More than ${maxRequestsPerMinute} requests a minute.`,
      };
    if (method === 'tools/call' && !this.calls.take(maxAppCallsPerMinute))
      return { code: code.refused, message: `More than ${maxAppCallsPerMinute} calls a minute.` };
    return undefined;
  }

  private async handle(
    method: string,
    params: JsonRecord,
    signal: AbortSignal,
  ): Promise<JsonRecord> {
    const { handlers } = this.options;
    switch (method) {
      case 'ui/initialize':
        return this.initialize(params);
      case 'ping':
        return {};
      case 'tools/call': {
        const { name, arguments: args = {} } = params;
        if (typeof name !== 'string' || !isRecord(args)) throw invalid(method);
        return wireResult(await handlers.runTool(name, args as JsonObject, signal));
      }
      case 'resources/read': {
        const { uri } = params;
        if (typeof uri !== 'string') throw invalid(method);
        return { ...(await handlers.readResource(uri, signal)) };
      }
      case 'ui/open-link': {
        const { url } = params;
        if (typeof url !== 'string') throw invalid(method);
        await handlers.openLink(url, signal);
        return {};
      }
      case 'ui/message': {
        const text = readMessage(params);
        if (text === undefined) throw invalid(method);
        await handlers.sendMessage(text, signal);
        return {};
      }
      case 'ui/update-model-context':
        await handlers.updateContext(readContext(params));
        return {};
      case 'ui/request-display-mode':
        return { mode: this.switchMode(params['mode']) };
      default:
        throw new Refusal(`This host does not answer ${method}.`, code.unknownMethod);
    }
  }

  private initialize({ appCapabilities }: JsonRecord): JsonRecord {
    if (!isRecord(appCapabilities)) throw invalid('ui/initialize');
    const { availableDisplayModes: modes } = appCapabilities;
    this.appModes = Array.isArray(modes) ? (modes as readonly unknown[]) : undefined;
    this.state = 'answered';
    const { hostInfo, capabilities, context } = this.options;
    return {
      protocolVersion: appsRevision,
      hostInfo,
      hostCapabilities: capabilities,
      hostContext: context(),
    };
  }

  private switchMode(wanted: unknown): DisplayMode {
    const isKnown = wanted === 'inline' || wanted === 'fullscreen';
    if (isKnown && wanted !== this.mode && (this.appModes?.includes(wanted) ?? true)) {
      this.mode = wanted;
      this.options.handlers.setDisplayMode(wanted);
    }
    return this.mode;
  }

  private notified(method: string, params: JsonRecord): void {
    const { handlers } = this.options;
    switch (method) {
      case 'ui/notifications/initialized':
        if (this.state !== 'answered') return;
        this.state = 'initialized';
        if (this.heldContext) this.contextChanged(this.heldContext);
        for (const message of this.told) this.send(message);
        break;
      case 'notifications/cancelled':
        this.open.get(params['requestId'] as Id)?.abort();
        break;
      case 'notifications/message': {
        const { level, logger, data } = params;
        const text = typeof data === 'string' ? data : jsonText(data);
        handlers.log(String(level), typeof logger === 'string' ? `${logger}: ${text}` : text);
        break;
      }
      case 'ui/notifications/request-teardown':
        if (!this.pendingTeardown) handlers.requestTeardown();
        break;
    }
  }

  /** Nothing is sent to an app before it says that it is ready (MCP Apps, sandbox proxy, 6). */
  private tell(method: string, params: JsonRecord): void {
    if (this.state === 'ended') return;
    if (this.told.length < maxToldNotifications) this.told.push({ method, params });
    if (this.state === 'initialized') this.send({ method, params });
  }

  private send(message: JsonRecord): void {
    if (this.state === 'ended') return;
    const whole = { jsonrpc: '2.0', ...message };
    this.options.traffic.note('sent', whole);
    this.options.send(whole);
  }
}

class Refusal extends Error {
  readonly code: number;

  constructor(message: string, refusalCode: number) {
    super(message);
    this.code = refusalCode;
  }
}

function invalid(method: string): Refusal {
  return new Refusal(`The parameters of ${method} are missing or wrong.`, code.invalidParams);
}

/** Returns a result as its server sent it, including content that this client does not know. */
function wireResult({ content, ...rest }: CallToolResult): JsonRecord {
  return {
    ...rest,
    content: content.flatMap((block) => {
      if (block.type !== 'unknown') return [block];
      return block.isWhole ? [] : [block.value];
    }),
  };
}
