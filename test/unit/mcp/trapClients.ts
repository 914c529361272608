import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { once } from '../../../src/base/event';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { createNodeWires } from '../../../src/mcp/node/nodeWires';
import type { CallToolResult } from '../../../src/mcp/protocol';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import { define, limits, names, testDeps } from './testServers';

/** What accompanies a call. */
export interface TrapOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
  readonly requestMs?: number;
  readonly ceilingMs?: number;
}

/** A client as far as the traps need one, whoever made it. */
export interface TrapClient {
  /** The names of all tools. */
  tools(): Promise<readonly string[]>;
  /** Resolves with the names of the tools after they were listed again by themselves. */
  refreshed(): Promise<readonly string[]>;
  /** The types of what a tool answers with. */
  call(tool: string): Promise<readonly string[]>;
  /** The texts that a tool answers with. */
  texts(
    tool: string,
    args?: Readonly<Record<string, number>>,
    options?: TrapOptions,
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

const textsOf = (content: CallToolResult['content']) =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

/** Connects with the client of this product. */
export async function openOurs(config: ServerConfig): Promise<TrapClient> {
  const reconnection = {
    initialReconnectionDelay: 100,
    reconnectionDelayGrowFactor: 1.5,
    maxReconnectionDelay: 500,
    maxRetries: Number.MAX_SAFE_INTEGER,
  };
  const openWire = createNodeWires(undefined, { reconnection });
  const make = (options: TrapOptions = {}) => {
    const { requestMs: request = 20_000, ceilingMs: ceiling = 20_000 } = options;
    const bounds = limits({ request, ceiling });
    return new ConfiguredServer(define(config, { limits: bounds }), testDeps({ openWire }));
  };
  let server = make();
  const start = async () => {
    const outcome = await server.start();
    if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome));
  };
  await start();
  const close = async () => {
    await server.stop();
    server.dispose();
  };
  return {
    tools: () => Promise.resolve(names(server.tools)),
    async refreshed() {
      await once(server.tools.onDidChange, () => server.tools.status === 'loading');
      await once(server.tools.onDidChange, () => server.tools.status === 'loaded');
      return names(server.tools);
    },
    async call(tool) {
      const { content } = await server.callTool(tool, {});
      return content.map(({ type }) => type);
    },
    async texts(tool, args = {}, options = {}) {
      if (options.requestMs !== undefined) {
        // Bounds belong to the configuration, so that other ones are another server.
        await close();
        server = make(options);
        await start();
      }
      const { onProgress, signal } = options;
      const { content } = await server.callTool(tool, args, {
        ...(signal && { signal }),
        ...(onProgress && { onProgress: ({ progress }) => onProgress(progress) }),
      });
      return textsOf(content);
    },
    close,
  };
}

/** Connects with the client of the SDK as it comes. */
export async function openBare(config: ServerConfig): Promise<TrapClient> {
  const refreshed: ((names: readonly string[]) => void)[] = [];
  const client = new Client(
    { name: 'bare', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      listChanged: {
        tools: {
          onChanged: (_error, tools) => {
            for (const resolve of refreshed.splice(0))
              resolve((tools ?? []).map(({ name }) => name));
          },
        },
      },
    },
  );
  const transport =
    config.type === 'stdio'
      ? new StdioClientTransport({
          command: config.command,
          args: [...config.args],
          env: { PATH: process.env['PATH'] ?? '', ...(config.env as Record<string, string>) },
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(config.url), {
          reconnectionOptions: {
            initialReconnectionDelay: 100,
            reconnectionDelayGrowFactor: 1.5,
            maxReconnectionDelay: 500,
            maxRetries: 2,
          },
        });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    refreshed: () => new Promise((resolve) => refreshed.push(resolve)),
    call: async (name) => {
      const { content } = await client.callTool({ name, arguments: {} });
      return content.map(({ type }) => type);
    },
    texts: async (name, args = {}, { signal, onProgress, requestMs, ceilingMs } = {}) => {
      const { content } = await client.callTool(
        { name, arguments: args },
        {
          resetTimeoutOnProgress: true,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          ...(requestMs !== undefined && { timeout: requestMs }),
          ...(ceilingMs !== undefined && { maxTotalTimeout: ceilingMs }),
        },
      );
      return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    },
    close: () => client.close(),
  };
}
