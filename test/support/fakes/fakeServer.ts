import { Emitter } from '../../../src/base/event';
import { CancelledError } from '../../../src/base/errors';
import { fingerprint } from '../../../src/base/bytes';
import type { ListStatus, LiveList } from '../../../src/mcp/lists/listSpecs';
import type { Skill } from '../../../src/mcp/protocol/skills';
import type {
  CallToolResult,
  Implementation,
  JsonObject,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../src/mcp/protocol/types';
import type { Server, Servers } from '../../../src/mcp/server';
import type { RequestOptions } from '../../../src/mcp/session/session';
import { type ToolFilter, defaultLimits } from '../../../src/mcp/serverConfig';
import { reduceState } from '../../../src/mcp/lifecycle';
import type { Readiness, ServerInfo, ServerState } from '../../../src/mcp/serverState';
import type { ServerNotes } from '../../../src/tree/serverNode';

/** What a test specifies about a server; all of it can be changed later. */
export interface FakeServerOptions {
  id?: string;
  name?: string;
  tools?: readonly Tool[];
  prompts?: readonly Prompt[];
  /** If given, even as an empty list, the server has the capability. */
  resources?: readonly Resource[];
  instructions?: string;
  /** How the server identifies itself. */
  implementation?: Implementation;
  args?: string[];
  /** Where the server is configured, as a part of its launch fingerprint. */
  place?: string;
  folder?: string;
  toolFilter?: ToolFilter;
  call?: (name: string, args: JsonObject, options?: RequestOptions) => Promise<CallToolResult>;
}

/** A list with the items that a test gives it, until `set` replaces them. */
export class FakeList<T> implements LiveList<T> {
  status: ListStatus = 'loaded';
  readonly error = undefined;
  readonly problems = [];
  private given: () => readonly T[];
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(given: () => readonly T[]) {
    this.given = given;
  }

  get items(): readonly T[] {
    return this.given();
  }

  set(items: readonly T[], status: ListStatus): void {
    this.given = () => items;
    this.status = status;
    this.changed.fire();
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }
}

const none: readonly never[] = [];
const started = { kind: 'running' } as const;

/** A server that does what a test specifies; at first, it is running. */
export class FakeServer implements Server {
  readonly options: FakeServerOptions & Required<Pick<FakeServerOptions, 'call' | 'tools'>>;
  readonly id: string;
  readonly name: string;
  readonly tools: FakeList<Tool>;
  readonly prompts: FakeList<Prompt>;
  readonly resources: FakeList<Resource>;
  readonly resourceTemplates = new FakeList<ResourceTemplate>(() => none);
  readonly skills = new FakeList<Skill>(() => none);
  readonly isSignedIn = false;
  validFor: Server['validFor'];
  readonly lastAttempt = {};
  readonly lastFailure = undefined;
  canSubscribe = true;
  /** The reads so far; `subscribed` contains the URIs that are subscribed now. */
  readonly calls: { uri: string; signal: AbortSignal | undefined }[] = [];
  readonly subscribed: string[] = [];
  /** How many times the server was told that its roots changed. */
  rootsChanges = 0;
  answer: (uri: string) => Promise<ReadResourceResult> = (uri) =>
    Promise.resolve(text(uri, 'text'));
  private other: ServerState | undefined;
  private readonly states = new Emitter<ServerState>();
  private readonly updates = new Emitter<string>();
  readonly onDidChangeState = this.states.event;
  readonly onDidUpdateResource = this.updates.event;

  constructor(given: FakeServerOptions) {
    const call = () =>
      Promise.resolve({ content: [{ type: 'text', text: 'done' } as const], isError: false });
    const options = { call, tools: none, ...given };
    this.options = options;
    this.id = given.id ?? 'demo';
    this.name = given.name ?? this.id;
    this.tools = new FakeList(() => options.tools);
    this.prompts = new FakeList(() => options.prompts ?? none);
    this.resources = new FakeList(() => options.resources ?? none);
  }

  get definition(): Server['definition'] {
    const { args = [], folder, toolFilter } = this.options;
    return {
      id: this.id,
      name: this.name,
      config: { type: 'stdio', command: 'node', args, env: {} },
      source: { label: 'test' },
      limits: defaultLimits,
      ...(folder !== undefined && { folder }),
      ...(toolFilter && { toolFilter }),
    };
  }

  /** What it says about itself in one session. */
  private info: ServerInfo | undefined;

  get state(): ServerState {
    const { instructions, implementation, resources } = this.options;
    const capabilities = resources ? { resources: {} } : {};
    const info = {
      protocolVersion: '2025-11-25',
      capabilities,
      ...(instructions && { instructions }),
      ...(implementation && { implementation }),
    };
    if (JSON.stringify(info) !== JSON.stringify(this.info)) this.info = info;
    return this.other ?? { kind: 'running', info: this.info ?? info };
  }

  /** Changes to another state, or back to running. */
  become(state: ServerState | 'running' | 'stopped'): void {
    this.info = undefined;
    if (state === 'running') this.other = undefined;
    else this.other = state === 'stopped' ? { kind: 'stopped' } : state;
    this.states.fire(this.state);
  }

  lookedAt(found: Readiness): void {
    const state = reduceState(this.state, { kind: 'lookedAt', found });
    if (state !== this.other) this.become(state);
  }

  start() {
    return Promise.resolve(started);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  launchFingerprint(): Promise<string> {
    return fingerprint([this.options.place ?? 'here', this.definition.config]);
  }

  signIn() {
    return Promise.resolve(started);
  }

  signOut(): Promise<void> {
    return Promise.resolve();
  }

  async callTool(
    name: string,
    args: JsonObject,
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    if (options?.onBegin) {
      await options.onBegin();
      if (options.signal?.aborted) throw new CancelledError();
    }
    return this.options.call(name, args, options);
  }

  followTask(name: string, _task: object, options?: RequestOptions): Promise<CallToolResult> {
    return this.options.call(name, {}, options);
  }

  readResource(uri: string, { signal }: RequestOptions = {}): Promise<ReadResourceResult> {
    this.calls.push({ uri, signal });
    return this.answer(uri);
  }

  readonly getPrompt = unused;
  readonly getSkill = unused;
  readonly listTasks = unused;
  readonly cancelTask = unused;
  readonly complete = unused;
  readonly sendRequest = unused;
  readonly sendNotification = unused;

  subscribe(uri: string): { dispose(): void } {
    this.subscribed.push(uri);
    return { dispose: () => this.subscribed.splice(this.subscribed.indexOf(uri), 1) };
  }

  /** Reports that a resource changed. */
  update(uri: string): void {
    this.updates.fire(uri);
  }

  setLoggingLevel(): Promise<void> {
    return Promise.resolve();
  }

  chosenLoggingLevel: LoggingLevel | undefined;

  chooseLoggingLevel(level: LoggingLevel | undefined): Promise<void> {
    this.chosenLoggingLevel = level;
    return Promise.resolve();
  }

  notifyRootsChanged(): void {
    this.rootsChanges += 1;
  }
}

/** Servers that a test can replace. */
export class FakeServers implements Servers {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  all: readonly Server[];
  unused = 0;
  ready = Promise.resolve();

  constructor(...all: Server[]) {
    this.all = all;
  }

  get(id: string): Server | undefined {
    return this.all.find((one) => one.id === id);
  }

  unlisted(): Pick<Server, 'signOut'> {
    return { signOut: () => Promise.resolve() };
  }

  replace(...all: Server[]): void {
    this.all = all;
    this.changed.fire();
  }

  reconcile(): Promise<void> {
    return Promise.resolve();
  }

  start() {
    return Promise.resolve([]);
  }
}

/** Creates a server with one tool, unless the test specifies others. */
export const fakeServer = (options: FakeServerOptions = {}): FakeServer =>
  new FakeServer({ tools: [tool()], ...options });

/** Creates a collection of servers as the code under test expects it. */
export const fakeServers = (...all: Server[]): FakeServers => new FakeServers(...all);

/** Creates a minimal tool with the parts that a test specifies. */
export const tool = (part: Partial<Tool> = {}): Tool => ({
  name: 'tool',
  inputSchema: { type: 'object' },
  ...part,
});

/** Returns the result of reading a resource that consists of one text. */
export function text(uri: string, value: string, ttlMs?: number): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'text/plain', text: value }],
    ...(ttlMs !== undefined && { ttlMs }),
  };
}

function unused(): Promise<never> {
  return Promise.reject(new Error('not part of this test'));
}

/** No notes about any server. */
export const noNotes: ServerNotes = {
  nodes: () => [],
  marks: () => [],
  onDidChange: new Emitter<Server>().event,
};
