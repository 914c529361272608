import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isLegacyRequest,
  parseJSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type McpHttpHandler,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Timer } from '../../base/async';
import { utf8 } from '../../base/bytes';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import type { Event } from '../../base/event';
import { asRecord } from '../../base/json';
import type { Logger } from '../../base/log';
import { ErrorCode } from '../protocol/rpcError';
import {
  httpIdleMs,
  maxAgentMessageBytes,
  maxHttpConversations,
  maxKeptListBytes,
  type AgentChannel,
  type AgentOffer,
  type AgentRequest,
} from './agentPort';
import type { TrafficNotes } from '../traffic/trafficRecorder';
import { announceChanges, createAgentServer, noteClaim, type AgentServerDeps } from './agentServer';

/**
 * Serves one agent, in the revision that it speaks, until the channel closes or the result is disposed of; `early` are the
 * lines that it sent before.
 */
export function serveAgent(
  channel: AgentChannel,
  offer: AgentOffer,
  {
    early,
    traffic,
    ...deps
  }: AgentServerDeps & {
    readonly early: readonly string[];
    readonly traffic: Pick<TrafficNotes, 'note'>;
  },
): Disposable {
  const store = new DisposableStore();
  const onerror = reportTo(deps.log);
  const create = async () => {
    const server = await createAgentServer(offer, deps, channel);
    store.add(announceChanges(server, offer, onerror));
    return server;
  };
  const served = serveStdio(create, {
    transport: transportOf(channel, offer, { early, traffic }),
    onerror,
  });
  store.add(toDisposable(() => void served.close().catch(onerror)));
  store.add(channel.onDidClose(() => store.dispose()));
  return store;
}

function reportTo(log: Logger): (error: unknown) => void {
  return (error) => log.debug(`An agent: ${errorMessage(error)}`);
}

/** One conversation over HTTP: what it is offered, until it ends. */
export interface HttpConversation {
  readonly offer: AgentOffer;
  readonly traffic: TrafficNotes;
  readonly onDidClose: Event<void>;
  /** Says that the agent has begun anew, without a word of the end before. */
  begunAgain(): void;
  close(): void;
}

/** A conversation over HTTP that is open, and ends when it was not used for long. */
class OpenConversation {
  readonly conversation: HttpConversation;
  private readonly idle: Timer;
  private requests = 0;
  private over = false;

  constructor(conversation: HttpConversation) {
    this.conversation = conversation;
    this.idle = new Timer(() => conversation.close());
    conversation.onDidClose(() => {
      this.over = true;
      this.idle.dispose();
    });
  }

  /** True while no request waits for its answer, and no stream is open. */
  get isIdle(): boolean {
    return this.requests === 0;
  }

  get isOver(): boolean {
    return this.over;
  }

  use(ended: AbortSignal): void {
    this.requests += 1;
    this.idle.dispose();
    const leave = () => {
      this.requests -= 1;
      if (this.isIdle && !this.over) this.idle.start(httpIdleMs);
    };
    if (ended.aborted) leave();
    else ended.addEventListener('abort', leave, { once: true });
  }
}

/** Serves one agent over HTTP: a conversation for each handshake of older revisions, and one for all that need none. */
export class AgentEndpoint {
  private readonly deps: AgentServerDeps;
  private readonly onerror: (error: unknown) => void;
  /** The conversations that began with a handshake, the one that was opened first before the others. */
  private readonly handshaken = new Set<OpenConversation>();
  /** These by their session ids, once they have one. */
  private readonly older = new Map<string, OpenOlder>();
  private newer: { readonly used: OpenConversation; readonly handler: McpHttpHandler } | undefined;

  constructor(deps: AgentServerDeps) {
    this.deps = deps;
    this.onerror = reportTo(deps.log);
  }

  /** Answers one request, in the revision in which it is asked; `open` begins a conversation. */
  async respond(asked: AgentRequest, open: () => HttpConversation): Promise<Response> {
    const { request, body, ended } = asked;
    if (request.method === 'POST' && body === undefined) return failure(400, 'Parse error', -32700);
    if (!(await isLegacyRequest(request, body))) return this.respondNewer(asked, open);
    const id = request.headers.get('mcp-session-id');
    if (id === null && isOpening(body)) return this.openOlder(asked, open);
    const found = this.older.get(id ?? '');
    if (!found)
      return id === null ? failure(400, 'The header Mcp-Session-Id is missing.') : sessionOver();
    found.used.use(ended);
    const { traffic } = found.used.conversation;
    return recorded(body, traffic, found.transport.handleRequest(request, { parsedBody: body }));
  }

  private async openOlder(
    { request, body, ended }: AgentRequest,
    open: () => HttpConversation,
  ): Promise<Response> {
    if (!this.makeRoom()) return failure(503, `At most ${maxHttpConversations} sessions at once.`);
    const used = new OpenConversation(open());
    const { conversation } = used;
    this.handshaken.add(used);
    conversation.onDidClose(() => this.handshaken.delete(used));
    used.use(ended);
    // What is added once the conversation is over ends at once.
    const store = new DisposableStore();
    conversation.onDidClose(() => store.dispose());
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      maxRequestBodySize: maxAgentMessageBytes,
      onsessioninitialized: (id) => {
        this.older.set(id, { used, transport });
        store.add(toDisposable(() => this.older.delete(id)));
      },
      onsessionclosed: () => conversation.close(),
    });
    const server = await createAgentServer(conversation.offer, this.deps);
    store.add(announceChanges(server, conversation.offer, this.onerror));
    await server.connect(transport);
    store.add(toDisposable(() => void server.close().catch(this.onerror)));
    if (used.isOver) return sessionOver();
    const answering = transport.handleRequest(request, { parsedBody: body });
    const answer = await recorded(body, conversation.traffic, answering);
    // Whoever was refused has no session to end.
    if (transport.sessionId === undefined) conversation.close();
    return answer;
  }

  /** Ends the conversation that was opened first of those that nobody uses, if there are too many. */
  private makeRoom(): boolean {
    if (this.handshaken.size < maxHttpConversations) return true;
    const idle = [...this.handshaken].find((one) => one.isIdle);
    idle?.conversation.close();
    return idle !== undefined;
  }

  private respondNewer(
    { request, body, ended }: AgentRequest,
    open: () => HttpConversation,
  ): Promise<Response> {
    this.newer ??= this.openNewer(open);
    const { used, handler } = this.newer;
    used.use(ended);
    if (asRecord(body)['method'] === 'server/discover') used.conversation.begunAgain();
    const listening = listen(body, used.conversation.offer);
    if (ended.aborted) listening?.dispose();
    else ended.addEventListener('abort', () => listening?.dispose(), { once: true });
    // The ids of requests are those of whoever sends them, of whom there may be several.
    const traffic = used.conversation.traffic.beside();
    return recorded(body, traffic, handler.fetch(request, { parsedBody: body }));
  }

  private openNewer(open: () => HttpConversation) {
    const used = new OpenConversation(open());
    const { offer, onDidClose } = used.conversation;
    const handler = createMcpHandler(() => createAgentServer(offer, this.deps), {
      legacy: 'reject',
      // A person may have to be found first: a stream is kept alive meanwhile.
      responseMode: 'sse',
      maxSubscriptions: maxHttpConversations,
      maxRequestBodySize: maxAgentMessageBytes,
      onerror: this.onerror,
    });
    const { notify } = handler;
    const store = new DisposableStore();
    store.add(
      offer.onDidChange((kind) => {
        if (kind === 'tools') notify.toolsChanged();
        else if (kind === 'prompts') notify.promptsChanged();
        else notify.resourcesChanged();
      }),
    );
    store.add(offer.onDidUpdateResource((uri) => notify.resourceUpdated(uri)));
    onDidClose(() => {
      this.newer = undefined;
      store.dispose();
      handler.close().catch(this.onerror);
    });
    return { used, handler };
  }
}

/** Has the traffic of an agent keep what it asked and every message of the answer, which goes on as it is. */
async function recorded(
  body: unknown,
  traffic: TrafficNotes,
  answering: Promise<Response>,
): Promise<Response> {
  for (const message of [body].flat()) if (message !== undefined) traffic.note('received', message);
  const answer = await answering;
  const { body: sent, headers, status } = answer;
  if (!sent) return answer;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const decoder = new TextDecoder();
  let text = '';
  const note = (json: string) => {
    try {
      traffic.note('sent', JSON.parse(json));
    } catch {
      // A comment that keeps the stream alive, or no JSON.
    }
  };
  const tap = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      text += decoder.decode(chunk, { stream: true });
      if (!isStream) return;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) note(/^data: (.*)$/m.exec(event)?.[1] ?? '');
    },
    flush() {
      if (!isStream) note(text);
    },
  });
  return new Response(sent.pipeThrough(tap), { status, headers });
}

interface OpenOlder {
  readonly used: OpenConversation;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** True for the handshake with which agents of older revisions open a session. */
function isOpening(body: unknown): boolean {
  return asRecord(body)['method'] === 'initialize';
}

function failure(
  status: number,
  message: string,
  code: number = ErrorCode.invalidParams,
): Response {
  const error = { code, message };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status });
}

function sessionOver(): Response {
  return failure(404, 'This session is over: open another.');
}

/** Has resources watched that an agent of the newer revision wants to hear of, until its request for them ends. */
function listen(message: unknown, offer: AgentOffer): Disposable | undefined {
  const { method, params } = asRecord(message);
  if (method !== 'subscriptions/listen') return undefined;
  const { notifications, _meta } = asRecord(params);
  const { resourceSubscriptions } = asRecord(notifications);
  if (!Array.isArray(resourceSubscriptions)) return undefined;
  // The user may be asked about it now.
  noteClaim(offer, asRecord(_meta)[CLIENT_INFO_META_KEY]);
  try {
    return offer.listen(resourceSubscriptions.filter((uri) => typeof uri === 'string'));
  } catch {
    // It makes too many requests, and hears nothing.
    return undefined;
  }
}

/** What is listened to through a connection of lines, by the ids of the requests. */
class OpenListening {
  private readonly open = new Map<unknown, Disposable>();

  /** Begins with a request, and ends with the word that it is cancelled. */
  noteReceived(message: JSONRPCMessage, offer: AgentOffer): void {
    const { id, method, params } = asRecord(message);
    if (method === 'notifications/cancelled') this.end(asRecord(params)['requestId']);
    if (method !== 'subscriptions/listen') return;
    this.end(id);
    const listening = listen(message, offer);
    if (listening) this.open.set(id, listening);
  }

  /** Ends what is answered, which it is as it ends or is refused. */
  noteSent(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message)) this.end(message.id);
  }

  endAll(): void {
    for (const id of this.open.keys()) this.end(id);
  }

  private end(id: unknown): void {
    const listening = this.open.get(id);
    this.open.delete(id);
    listening?.dispose();
  }
}

/** The JSON of lists of tools in UTF-8: an offer has the same list until that changes, and agents ask for it often. */
const keptLists = new WeakMap<readonly unknown[], Uint8Array>();

/** Writes a message as parts of a line. An answer begins with its id, so that the bridge need not read the rest. */
function encode(message: JSONRPCMessage): readonly (string | Uint8Array)[] {
  if (!('result' in message)) return [JSON.stringify(message)];
  const { id, result } = message;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const { tools, ...others } = result;
  if (!Array.isArray(tools)) return [`${head}${JSON.stringify(result)}}`];
  const list = keptLists.get(tools) ?? utf8(JSON.stringify(tools));
  if (list.length <= maxKeptListBytes) keptLists.set(tools, list);
  const rest = JSON.stringify(others).slice(1);
  return [`${head}{"tools":`, list, `${rest === '}' ? '' : ','}${rest}}`];
}

function transportOf(
  channel: AgentChannel,
  offer: AgentOffer,
  {
    early,
    traffic,
  }: { readonly early: readonly string[]; readonly traffic: Pick<TrafficNotes, 'note'> },
): Transport {
  const listening = new OpenListening();
  const transport: Transport = {
    start: async () => {
      const take = (line: string) => {
        try {
          const message = parseJSONRPCMessage(JSON.parse(line));
          traffic.note('received', message);
          listening.noteReceived(message, offer);
          transport.onmessage?.(message);
        } catch (error) {
          transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
      };
      early.forEach(take);
      channel.onLine(take);
      channel.onDidClose(() => {
        listening.endAll();
        transport.onclose?.();
      });
    },
    send: async (message: JSONRPCMessage) => {
      traffic.note('sent', message);
      listening.noteSent(message);
      channel.send(...encode(message));
    },
    close: async () => channel.dispose(),
  };
  return transport;
}
