import { join } from 'node:path';
import { createLimiter } from '../../../src/base/async';
import { once } from '../../../src/base/event';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { createServers } from '../../../src/mcp/createServers';
import { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import type { ScriptedTransport } from '../../support/fakes/scriptedTransport';
import { define, limits, names, scriptedTransports, testDeps } from './testServers';

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

/** A way to make clients: this product's or a bare SDK's. */
export interface TrapClients {
  /** Connects to a server. */
  open(config: ServerConfig): Promise<TrapClient>;
  /** Connects to scripted servers, and gives the tools of each as they are kept. */
  listAll(transports: readonly ScriptedTransport[]): Promise<readonly (readonly unknown[])[]>;
  /** What is loaded before there is a connection. */
  readonly module: string;
}

/** The texts among the content of a result. */
export const textsOf = (content: readonly { readonly type: string; readonly text?: string }[]) =>
  content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []));

/** The client of this product. */
export const ourClients: TrapClients = {
  open: openOurs,
  async listAll(transports) {
    const { openTransport } = scriptedTransports(...transports);
    const deps = testDeps({ openTransport, limiter: createLimiter(8) });
    const servers = createServers(() => deps);
    const ids = transports.map((_transport, index) => `s${index}`);
    await servers.reconcile(ids.map((id) => define(undefined, { id })));
    await servers.start('*');
    const lists = ids.map((id) => servers.get(id)?.tools.items ?? []);
    await servers.reconcile([]);
    servers.dispose();
    return lists;
  },
  module: join(__dirname, '..', '..', 'fixtures', 'coreOnly.js'),
};

async function openOurs(config: ServerConfig): Promise<TrapClient> {
  const reconnection = { firstMs: 100, longestMs: 500 };
  const openTransport = createNodeTransports(undefined, { reconnection });
  const make = (options: TrapOptions = {}) => {
    const { requestMs: request = 20_000, ceilingMs: ceiling = 20_000 } = options;
    const bounds = limits({ request, ceiling });
    return new ConfiguredServer(define(config, { limits: bounds }), testDeps({ openTransport }));
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
