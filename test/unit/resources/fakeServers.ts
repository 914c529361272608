import { Emitter, type Event } from '../../../src/base/event';
import type { ListStatus, LiveList } from '../../../src/mcp/lists/liveList';
import type {
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../src/mcp/protocol/types';
import type { RequestOptions, Server } from '../../../src/mcp/server';
import type { Servers } from '../../../src/mcp/servers';
import type { ServerState } from '../../../src/mcp/serverState';

const running: ServerState = {
  kind: 'running',
  info: { protocolVersion: '2025-11-25', capabilities: {} },
};

/** A list that a test lets grow. */
class FakeList<T> implements LiveList<T> {
  items: readonly T[];
  status: ListStatus = 'loaded';
  readonly error = undefined;
  readonly problems = [];
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(items: readonly T[]) {
    this.items = items;
  }

  set(items: readonly T[], status: ListStatus): void {
    this.items = items;
    this.status = status;
    this.changed.fire();
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }
}

/** A server that answers reads with what a test hands it, one call at a time. */
export class FakeServer {
  readonly name: string;
  readonly calls: { uri: string; signal: AbortSignal | undefined }[] = [];
  readonly subscribed: string[] = [];
  canSubscribe = true;
  definition: { readonly folder?: string } = {};
  /** How often it was told that its roots changed. */
  rootsChanges = 0;
  state: ServerState = running;
  answer: (uri: string) => Promise<ReadResourceResult> = (uri) =>
    Promise.resolve(text(uri, 'text'));
  readonly id: string;
  readonly resources: FakeList<Resource>;
  readonly resourceTemplates = new FakeList<ResourceTemplate>([]);
  readonly prompts = new FakeList<Prompt>([]);
  readonly tools = new FakeList<Tool>([]);
  private readonly states = new Emitter<ServerState>();
  private readonly updates = new Emitter<string>();
  readonly onDidChangeState = this.states.event;
  readonly onDidUpdateResource = this.updates.event;

  constructor(id: string, items: readonly Resource[] = []) {
    this.id = id;
    this.name = id;
    this.resources = new FakeList(items);
  }

  readResource(uri: string, { signal }: RequestOptions = {}): Promise<ReadResourceResult> {
    this.calls.push({ uri, signal });
    return this.answer(uri);
  }

  subscribe(uri: string): { dispose(): void } {
    this.subscribed.push(uri);
    return { dispose: () => this.subscribed.splice(this.subscribed.indexOf(uri), 1) };
  }

  notifyRootsChanged(): void {
    this.rootsChanges += 1;
  }

  /** Says that a resource changed. */
  update(uri: string): void {
    this.updates.fire(uri);
  }

  /** Goes from one state to another. */
  become(kind: 'stopped' | 'running'): void {
    this.state = kind === 'running' ? running : { kind };
    this.states.fire(this.state);
  }
}

/** Servers that a test adds and takes away. */
export class FakeServers {
  private readonly changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.changed.event;
  members: FakeServer[];

  constructor(...members: FakeServer[]) {
    this.members = members;
  }

  /** As what the code under test takes. */
  get asServers(): Servers {
    return this as unknown as Servers;
  }

  get all(): readonly Server[] {
    return this.members as unknown as readonly Server[];
  }

  get(id: string): Server | undefined {
    return this.all.find((one) => one.id === id);
  }

  replace(...members: FakeServer[]): void {
    this.members = members;
    this.changed.fire();
  }
}

/** A result of one text. */
export function text(uri: string, value: string, ttlMs?: number): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'text/plain', text: value }],
    ...(ttlMs !== undefined && { ttlMs }),
  };
}
