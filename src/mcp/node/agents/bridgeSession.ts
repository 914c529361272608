import { asRecord, type JsonRecord } from '../../../base/json';
import { parseObject } from '../../protocol/parseObject';
import { initializedRevisions, latestInitialized } from '../../protocol/revisions';
import { ErrorCode } from '../../protocol/rpcError';
import { agentCapabilities, bridgeLine, bridgeVersion } from '../../serving/agentPort';

/** Why no window serves the agent now. */
export type Absence = 'noWindow' | 'refused';

type Id = string | number;

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

const changes = ['tools', 'prompts', 'resources'].map((kind) => ({
  jsonrpc: '2.0',
  method: `notifications/${kind}/list_changed`,
}));

/** At most this many requests of an agent wait for a window; each further one is answered as if there were none. */
export const maxWaitingRequests = 1000;

/**
 * One agent's conversation, which outlasts the windows that serve it. What a window has to know of it is told to the next
 * one, with the calls that still waited for the user; those that were under way are not repeated, because nobody knows how
 * far they got. Without a window, the agent gets empty lists, and is told when there is one.
 */
export class BridgeSession {
  private readonly toAgent: (line: string | Uint8Array) => void;
  private readonly folder: string;
  private toWindow: ((line: string) => void) | undefined;
  private absence: Absence | undefined;
  private initialize: JsonRecord | undefined;
  /** True once the agent has an answer to it. */
  private isInitialized = false;
  /** The request that tells a new window of it, while it is not answered. */
  private replayId: string | undefined;
  private replays = 0;
  private level: JsonRecord | undefined;
  private readonly subscribed = new Map<string, JsonRecord>();
  private readonly waiting = new Map<Id, JsonRecord>();
  /** Those of these for which no window has done anything yet. */
  private readonly held = new Set<unknown>();

  constructor(toAgent: (line: string | Uint8Array) => void, folder: string) {
    this.toAgent = toAgent;
    this.folder = folder;
  }

  /** Takes a line that the agent wrote. */
  fromAgent(line: string): void {
    // For the window, it would be the bridge's own word.
    if (line.startsWith(bridgeLine)) return;
    const message = parseObject(line);
    if (!message) {
      if (line.trim() !== '') this.tellAgent({ id: null, error: failure(-32700, 'Parse error') });
      return;
    }
    const { method, id } = message;
    if (method === 'notifications/cancelled')
      this.settle(asRecord(message['params'])['requestId'] as Id);
    this.note(message);
    if (typeof method !== 'string' || !isId(id)) return this.pass(line);
    if (this.absence !== undefined || this.waiting.size >= maxWaitingRequests)
      return this.answerAlone(message, this.absence ?? 'noWindow');
    this.waiting.set(id, message);
    this.held.add(id);
    this.pass(line, id);
  }

  /** Takes a line that the window wrote, as text and as bytes; the agent gets these as they are. */
  fromWindow(line: string, bytes: Uint8Array): void {
    if (line.startsWith(bridgeLine)) return this.noteHeld(line);
    const answered = answeredBy(line);
    if (answered === 'nothing') return;
    const { id } = answered;
    if (id !== undefined) {
      if (typeof id === 'string' && id.startsWith(replayPrefix)) return this.replayed(id);
      if (id === this.initialize?.['id']) this.isInitialized = true;
      this.settle(id);
    }
    this.toAgent(bytes);
  }

  /** The window carries nothing out that it has held before it knows that this is known here. */
  private noteHeld(line: string): void {
    const { holds, begins } = asRecord(parseObject(line));
    if (isId(holds) && this.waiting.has(holds)) this.held.add(holds);
    if (!isId(begins)) return;
    this.held.delete(begins);
    this.toWindow?.(JSON.stringify({ mcpWorkbench: bridgeVersion, begins }));
  }

  private settle(id: Id): void {
    this.waiting.delete(id);
    this.held.delete(id);
  }

  /** A window has let the agent in: it is told all that the one before knew. */
  opened(toWindow: (line: string) => void): void {
    const wasAlone = this.absence !== undefined;
    this.absence = undefined;
    this.toWindow = toWindow;
    if (!this.initialize || !this.isInitialized) {
      this.passWaiting();
      if (wasAlone) this.tellChanges();
      return;
    }
    this.replayId = this.replay(this.initialize);
  }

  /** The window is gone: another may come, or the same again. */
  lost(): void {
    this.toWindow = undefined;
    this.replayId = undefined;
    for (const [id, { method }] of this.waiting) {
      if (method !== 'tools/call' || this.held.has(id)) continue;
      this.waiting.delete(id);
      const text =
        'The VS Code window was closed or reloaded before this call had ended. It may have run: check before you call again.';
      this.tellAgent({ id, error: failure(ErrorCode.internal, text) });
    }
  }

  /** Nobody serves the agent, and nobody will soon. */
  alone(why: Absence): void {
    this.absence = why;
    for (const message of this.waiting.values()) this.answerAlone(message, why);
    this.waiting.clear();
    this.held.clear();
  }

  private note(message: JsonRecord): void {
    const { method, params } = message;
    const uri = String(asRecord(params)['uri']);
    if (method === 'initialize') {
      this.initialize = message;
      this.isInitialized = false;
    }
    if (method === 'logging/setLevel') this.level = message;
    if (method === 'resources/subscribe' && this.subscribed.size < maxWaitingRequests)
      this.subscribed.set(uri, message);
    if (method === 'resources/unsubscribe') this.subscribed.delete(uri);
  }

  /** While a window is being told what it has to know, all else waits, and notifications are not missed by anybody. */
  private pass(line: string, request?: Id): void {
    if (this.replayId !== undefined || !this.toWindow) return;
    if (request !== undefined) this.held.delete(request);
    this.toWindow(line);
  }

  private passWaiting(): void {
    for (const [id, message] of this.waiting) this.pass(JSON.stringify(message), id);
  }

  private replay(message: JsonRecord): string {
    const id = `${replayPrefix}${(this.replays += 1)}`;
    this.toWindow?.(JSON.stringify({ ...message, id }));
    return id;
  }

  private replayed(id: string): void {
    if (id !== this.replayId) return;
    this.replayId = undefined;
    const again = [...this.subscribed.values(), ...(this.level ? [this.level] : [])];
    const isWaiting = (one: JsonRecord) => this.waiting.has(one['id'] as Id);
    this.pass(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    for (const message of again) if (!isWaiting(message)) this.replay(message);
    this.passWaiting();
    this.tellChanges();
  }

  private tellChanges(): void {
    if (this.isInitialized) for (const change of changes) this.toAgent(JSON.stringify(change));
  }

  private answerAlone({ id, method, params }: JsonRecord, why: Absence): void {
    const text = absenceText(why, this.folder);
    const list = lists[String(method)];
    if (list !== undefined) return this.tellAgent({ id, result: { [list]: [] } });
    switch (method) {
      case 'initialize': {
        this.isInitialized = true;
        const asked = asRecord(params)['protocolVersion'];
        return this.tellAgent({
          id,
          result: {
            protocolVersion: initializedRevisions.find((one) => one === asked) ?? latestInitialized,
            capabilities: agentCapabilities,
            serverInfo: {
              name: 'mcp-workbench',
              title: 'MCP Workbench',
              version: String(bridgeVersion),
            },
            instructions: text,
          },
        });
      }
      case 'ping':
      case 'logging/setLevel':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.tellAgent({ id, result: {} });
      case 'completion/complete':
        return this.tellAgent({ id, result: { completion: { values: [] } } });
      case 'tools/call':
        return this.tellAgent({
          id,
          result: {
            content: [{ type: 'text', text: `${text} The call has not run.` }],
            isError: true,
          },
        });
      case 'prompts/get':
      case 'resources/read':
        return this.tellAgent({ id, error: failure(ErrorCode.internal, text) });
      default:
        // An agent of a newer revision then opens as an older one does, which outlasts the wait for a window.
        return this.tellAgent({ id, error: failure(ErrorCode.methodNotFound, 'Method not found') });
    }
  }

  private tellAgent(answer: JsonRecord): void {
    this.toAgent(JSON.stringify({ jsonrpc: '2.0', ...answer }));
  }
}

/** The window's side of this: what a bridge is told of requests that another window may answer, if it keeps these. */
export class HeldRequests {
  private readonly tell: (line: string) => void;
  private readonly releasing = new Map<unknown, () => void>();
  private isKept = false;

  constructor(tell: HeldRequests['tell']) {
    this.tell = tell;
  }

  begin(): void {
    this.isKept = true;
  }

  hold(request: string | number): void {
    if (this.isKept) this.tell(JSON.stringify({ mcpWorkbench: bridgeVersion, holds: request }));
  }

  release(request: string | number): Promise<void> {
    if (!this.isKept) return Promise.resolve();
    return new Promise((resolve) => {
      this.releasing.set(request, resolve);
      this.tell(JSON.stringify({ mcpWorkbench: bridgeVersion, begins: request }));
    });
  }

  noteReleased(line: string): void {
    const { begins } = asRecord(parseObject(line));
    this.releasing.get(begins)?.();
    this.releasing.delete(begins);
  }

  end(): void {
    this.isKept = false;
    for (const resolve of this.releasing.values()) resolve();
  }
}

const replayPrefix = 'mcp-workbench-bridge/';

/** Says to an agent, and to whoever reads over its shoulder, why there is nothing, and what to do. */
function absenceText(why: Absence, folder: string): string {
  switch (why) {
    case 'noWindow':
      return `No window of VS Code with MCP Workbench is open. Open the folder ${folder} in VS Code: the tools of its MCP servers appear here as soon as it is open.`;
    case 'refused':
      return 'MCP Workbench does not know this entry any longer. Run "MCP Workbench: Connect an Agent…" in VS Code, and start the agent again.';
  }
}

function failure(code: number, message: string) {
  return { code, message };
}

/** The id of an answer where windows write it: before the result, which may be long and is not read here. */
const idFirst =
  /^\{"jsonrpc":"2\.0","id":(0|-?[1-9]\d{0,15}|"[^"\\\p{Cc}]{0,200}"),"(?:result|error)":/u;

/** Says which request a line answers, if it is an answer; `nothing` if it is no message at all. */
function answeredBy(line: string): { readonly id?: Id } | 'nothing' {
  const [, first] = idFirst.exec(line) ?? [];
  if (first !== undefined) return { id: JSON.parse(first) as Id };
  const message = parseObject(line);
  if (!message) return 'nothing';
  const { id, method } = message;
  return method === undefined && isId(id) ? { id } : {};
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number';
}
