import { Emitter } from '../../../src/base/event';
import { fingerprint } from '../../../src/mcp/fingerprint';
import type { LiveList } from '../../../src/mcp/lists/liveList';
import type { CallToolResult, JsonObject, Resource, Tool } from '../../../src/mcp/protocol/types';
import type { RequestOptions, Server } from '../../../src/mcp/server';
import { defaultLimits } from '../../../src/mcp/serverLimits';
import type { Servers } from '../../../src/mcp/servers';

/** What a test says of a server. */
export interface FakeServerOptions {
  id?: string;
  name?: string;
  tools?: Tool[];
  /** Given, the server has the capability, even where it lists none. */
  resources?: Resource[];
  instructions?: string;
  args?: string[];
  /** Where it is configured. */
  place?: string;
  call?: (name: string, args: JsonObject, options?: RequestOptions) => Promise<CallToolResult>;
}

/** A running server with tools; `tools`, `instructions` and `args` can be changed. */
export type FakeServer = Server & { readonly options: FilledOptions };

type FilledOptions = FakeServerOptions & Required<Omit<FakeServerOptions, 'resources'>>;

export const tool = (part: Partial<Tool> = {}): Tool => ({
  name: 'tool',
  inputSchema: { type: 'object' },
  ...part,
});

const list = <T>(items: () => readonly T[]): LiveList<T> => ({
  get items() {
    return items();
  },
  status: 'loaded',
  error: undefined,
  problems: [],
  onDidChange: new Emitter<void>().event,
  refresh: () => Promise.resolve(),
});
const unused = () => Promise.reject(new Error('not part of this test'));

export function fakeServer(given: FakeServerOptions = {}): FakeServer {
  const options: FilledOptions = {
    id: 'demo',
    name: 'demo',
    tools: [tool()],
    instructions: '',
    args: [],
    place: 'here',
    call: () => Promise.resolve({ content: [{ type: 'text', text: 'done' }], isError: false }),
    ...given,
  };
  return {
    options,
    id: options.id,
    name: options.name,
    get definition() {
      return {
        id: options.id,
        name: options.name,
        config: { type: 'stdio', command: 'node', args: options.args, env: {} } as const,
        source: { label: 'test' },
        limits: defaultLimits,
      };
    },
    get state() {
      const { instructions } = options;
      return {
        kind: 'running',
        info: {
          protocolVersion: '2025-11-25',
          capabilities: options.resources ? { resources: {} } : {},
          ...(instructions && { instructions }),
        },
      } as const;
    },
    onDidChangeState: new Emitter<Server['state']>().event,
    tools: list(() => options.tools),
    prompts: list(() => []),
    resources: list(() => options.resources ?? []),
    resourceTemplates: list(() => []),
    start: () => Promise.resolve({ kind: 'running' }),
    launchPrint() {
      return fingerprint([options.place, this.definition.config]);
    },
    stop: () => Promise.resolve(),
    isSignedIn: false,
    lastAttempt: {},
    signIn: () => Promise.resolve({ kind: 'running' }),
    signOut: () => Promise.resolve(),
    callTool: (name, args, requestOptions) => options.call(name, args, requestOptions),
    getPrompt: unused,
    readResource: unused,
    complete: unused,
    subscribe: () => ({ dispose() {} }),
    canSubscribe: false,
    onDidUpdateResource: new Emitter<string>().event,
    setLoggingLevel: () => Promise.resolve(),
    notifyRootsChanged() {},
  };
}

export function fakeServers(...all: Server[]): Servers {
  return {
    all,
    get: (id) => all.find((server) => server.id === id),
    onDidChange: new Emitter<void>().event,
    reconcile: () => Promise.resolve(),
    start: () => Promise.resolve([]),
  };
}
