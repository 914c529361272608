/* The clients that are compared: the floor (raw JSON-RPC), both bare SDKs, and this project's core. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { allPages, connectRaw, type Peer } from './floor';
import { loadMinifiedCore } from '../../support/minifiedCore';
import type * as Headless from './coreEntry';
import type { BenchServerOptions } from './benchServer';

const serverPath = join(__dirname, 'benchServer.js');
const serverArgs = (options: BenchServerOptions) => [serverPath, JSON.stringify(options)];

/** The SDKs pass only a few variables on, and some variables slow down the start of a process, so all get the same. */
const launch = (options: BenchServerOptions) => ({
  command: process.execPath,
  args: serverArgs(options),
  env: process.env as Record<string, string>,
});

/** Connects to a newly started server, or to the one at `url`. */
export type Connect = (options: BenchServerOptions, url?: string) => Promise<Peer>;

/** Starts the HTTP bench server and returns its URL. */
export async function startHttpServer(): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(process.execPath, serverArgs({ tools: 1, http: true }));
  const port = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

const info = { name: 'bench', version: '1' };

/** The floor: see {@link connectRaw}. */
export const floor: Connect = (options) => connectRaw(process.execPath, serverArgs(options));

/** The bare client of SDK 2.x. */
export const sdk2: Connect = async (options, url) => {
  const client = new Client2(info, { listMaxPages: 100_000 });
  await client.connect(url ? new Http2(new URL(url)) : new Stdio2(launch(options)));
  return {
    list: async (method, field) => {
      const lists: Readonly<Record<string, () => Promise<object>>> = {
        'tools/list': () => client.listTools(undefined, { cacheMode: 'refresh' }),
        'resources/list': () => client.listResources(undefined, { cacheMode: 'refresh' }),
        'prompts/list': () => client.listPrompts(undefined, { cacheMode: 'refresh' }),
      };
      const result = (await lists[method]?.()) as Readonly<Record<string, unknown[]>> | undefined;
      return result?.[field] ?? [];
    },
    call: () => client.callTool({ name: 'tool_0', arguments: { text: 'x' } }),
    read: () => client.readResource({ uri: 'bench://blob' }),
    close: () => client.close(),
  };
};

/** The bare client of SDK 1.x. */
export const sdk1: Connect = async (options, url) => {
  const client = new Client1(info);
  const transport = url ? new Http1(new URL(url)) : new Stdio1(launch(options));
  await client.connect(transport);
  return {
    list: (method, field) =>
      allPages((cursor) => {
        const params = cursor === undefined ? {} : { cursor };
        if (method === 'tools/list') return client.listTools(params);
        if (method === 'resources/list') return client.listResources(params);
        return client.listPrompts(params);
      }, field),
    call: () => client.callTool({ name: 'tool_0', arguments: { text: 'x' } }),
    read: () => client.readResource({ uri: 'bench://blob' }),
    close: () => client.close(),
  };
};

/** This project's core, as it is bundled for the extension. */
export const workbench: Connect = (options, url) => connectCore(options, url);

/**
 * Connects like {@link workbench}, but can switch recording on and off on one connection so that nothing else
 * differs.
 */
export async function recordable(options: BenchServerOptions): Promise<{
  readonly peer: Peer;
  readonly keepTraffic: (isKept: boolean) => void;
}> {
  const traffic = new (loadMinifiedCore().TrafficRecorder)((text) => text);
  const note = traffic.note.bind(traffic);
  return {
    peer: await connectCore(options, undefined, traffic),
    keepTraffic: (isKept) => (traffic.note = isKept ? note : () => {}),
  };
}

async function connectCore(
  options: BenchServerOptions,
  url: string | undefined,
  traffic?: Headless.TrafficRecorder,
): Promise<Peer> {
  const core = loadMinifiedCore();
  const deps: Headless.ConnectionDeps = {
    client: info,
    requests: {},
    openTransport: core.createNodeTransports(),
    launches: { prepare: ({ config }) => Promise.resolve({ config }) },
    limiter: (task) => task(),
    memory: core.noMemory,
    log: core.silentLogger,
    tracing: () => false,
    ...(traffic && { traffic }),
  };
  const definition: Headless.ServerDefinition = {
    id: 'bench',
    name: 'bench',
    config: url
      ? { type: 'http', url, headers: {} }
      : { type: 'stdio', command: process.execPath, args: serverArgs(options), env: {} },
    limits: core.defaultLimits,
    source: { label: 'bench' },
  };
  const servers = core.createServers(() => deps);
  await servers.reconcile([definition]);
  const server = servers.get('bench');
  if (!server) throw new Error('The server is not there.');
  await server.start();
  const lists = {
    'tools/list': server.tools,
    'resources/list': server.resources,
    'prompts/list': server.prompts,
  };
  return {
    list: async (method) => {
      const list = lists[method as keyof typeof lists];
      await list.refresh();
      return list.items;
    },
    call: () => server.callTool('tool_0', { text: 'x' }),
    read: () => server.readResource('bench://blob'),
    async close() {
      await server.stop();
      servers.dispose();
    },
  };
}
