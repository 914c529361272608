import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { FileUri } from '../../base/uri/fileAddress';
import type {
  CallToolResult,
  Completion,
  CompletionReference,
  GetPromptResult,
  Implementation,
  JsonObject,
  Progress,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../protocol/types';

/** A request of an agent, while it is answered. */
export interface OfferedRequest {
  /** Aborts when the agent no longer wants the answer. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Tells the agent what its request waits for; until `onBegin`, another window may ask about it instead. */
  readonly onWait: (why: string) => void;
  /** Called before the request is carried out; resolves once no other window will, or nobody wants it any longer. */
  readonly onBegin: () => Promise<void>;
}

/**
 * What one agent is offered, under names and addresses that are unique among all servers. What rejects with an `RpcError`
 * reaches the agent as it is; everything else, as an internal error with its message.
 */
export interface AgentOffer {
  /** What the agent is told once, as it connects. */
  instructions(): Promise<string>;
  /** Says who the agent claims to be. */
  noteClient(client: Implementation): void;
  listTools(how: OfferedRequest): Promise<readonly Tool[]>;
  callTool(name: string, args: JsonObject, how: OfferedRequest): Promise<CallToolResult>;
  listPrompts(how: OfferedRequest): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<GetPromptResult>;
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    how: OfferedRequest,
  ): Promise<Completion>;
  listResources(how: OfferedRequest): Promise<readonly Resource[]>;
  listTemplates(how: OfferedRequest): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, how: OfferedRequest): Promise<ReadResourceResult>;
  subscribe(uri: string, how: OfferedRequest): Promise<void>;
  unsubscribe(uri: string): void;
  /** Has resources watched for one request to listen until that ends, once the agent may; throws if it makes too many. */
  listen(uris: readonly string[]): Disposable;
  readonly onDidChange: Event<'tools' | 'prompts' | 'resources'>;
  /** Fires with the address of a resource that the agent has subscribed to, as the agent knows it. */
  readonly onDidUpdateResource: Event<string>;
}

/** The version of what the bridge and the window say to each other before the protocol's own messages. */
export const bridgeVersion = 1;

/** How such a line begins; no message of the protocol does. */
export const bridgeLine = '{"mcpWorkbench":';

/** What the server side declares to every agent, whether a window is there or not: what is offered changes, this does not. */
export const agentCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
} as const;

/** The longest message that an agent may send, and that is kept for one that does not read, in bytes. */
export const maxAgentMessageBytes = 16_000_000;
export const maxUnreadBytes = 64_000_000;

/** A list of tools whose JSON is longer than this, in bytes, is written again each time that an agent asks for it. */
export const maxKeptListBytes = 1_000_000;

/** At most this many agents are connected to a window at a time. */
export const maxAgentSessions = 50;

/** At most this many connections over HTTP are open to a window at a time, which an agent may have several of. */
export const maxHttpConnections = 200;

/** At most this many conversations over HTTP are kept for an agent that opens each with a handshake. */
export const maxHttpConversations = 20;

/** A conversation over HTTP without an open request for this long is over, as nobody says that they have gone, in ms. */
export const httpIdleMs = 1_800_000;

/**
 * At most this many connections are refused in a minute before the window listens to none for the rest of it; over
 * HTTP, which any account of the machine reaches, to none without the secret of an entry.
 */
export const maxRefusedPerMinute = 30;

/** How a program that wants in introduces itself; all but the secret are claims, to be shown and not relied on. */
export interface AgentHello {
  /** The id of its entry in the configuration of an application. */
  readonly entry: string;
  readonly secret: string;
  /** The folder that it runs in. */
  readonly folder: string;
  /** The program that started the bridge, and its process id. */
  readonly program: string;
  readonly pid: number;
  /** True if the bridge keeps requests that are held, and has the next window answer them. */
  readonly keepsHeld?: true;
  /** True for one that comes over HTTP, of whose folder and program nothing is known. */
  readonly isHttp?: true;
}

/** A request of an agent over HTTP. */
export interface AgentRequest {
  readonly request: Request;
  /** The body as JSON; `undefined` if there is none, or if it is none. */
  readonly body: unknown;
  /** Aborts when the answer has been sent, or nobody waits for it any longer. */
  readonly ended: AbortSignal;
}

/** One connection of an agent: lines of JSON in both directions. */
export interface AgentChannel extends Disposable {
  readonly onLine: Event<string>;
  readonly onDidClose: Event<void>;
  /** Sends one line, which may come in several parts: texts, and JSON that is already in UTF-8. */
  send(...parts: readonly (string | Uint8Array)[]): void;
  /** Says that nothing is done for a request yet, so that another window may answer it if this one goes. */
  hold(request: string | number): void;
  /** Takes that back; resolves once the bridge knows, or the connection is closed. */
  release(request: string | number): Promise<void>;
}

/** What agents need to know of a window to find the one that is meant. */
export interface WindowFacts {
  /** Its workspace folders, as paths of this machine. */
  readonly folders: readonly string[];
  /** When it last had the focus, in epoch milliseconds. */
  readonly usedAt: number;
}

/** How a window decides on who wants in, and who serves those that may. */
export interface AgentDoor {
  /** True if the secret is that of the entry. */
  admits(hello: AgentHello): Promise<boolean>;
  serve(hello: AgentHello, channel: AgentChannel): void;
  /** Answers a request of one that was let in and comes over HTTP. */
  respond(hello: AgentHello, asked: AgentRequest): Promise<Response>;
}

/** Answers agents over HTTP until it is disposed of. */
export interface HttpAgentListener extends Disposable {
  /** Where agents reach it. */
  readonly url: string;
  readonly port: number;
}

/** Listens for agents until it is disposed of. */
export interface AgentListener extends Disposable {
  /** Says to agents that look for a window what this one is now. */
  update(facts: WindowFacts): Promise<void>;
}

/** The command by which an application starts the bridge. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What lets agents of this machine in. */
export interface AgentPort {
  /** Begins to listen; `folder` is ours alone, and the bridge looks for windows there. */
  listen(folder: FileUri, facts: WindowFacts, door: AgentDoor): Promise<AgentListener>;
  /** Begins to answer over HTTP, at this machine alone: at `port`, or at any that is free; rejects if that one is taken. */
  listenHttp(port: number | undefined, door: AgentDoor): Promise<HttpAgentListener>;
  /**
   * Puts the bridge, whose text is `program`, into `folder`, where its path stays the same whatever the version, and
   * returns how it is started.
   */
  installBridge(folder: FileUri, program: string): Promise<BridgeCommand>;
}
