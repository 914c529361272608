import { join } from 'node:path';
import { createLimiter } from '../../../src/base/async';
import { once } from '../../../src/base/event';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { createServers } from '../../../src/mcp/createServers';
import { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import type { ScriptedTransport } from '../../support/fakes/scriptedTransport';
import { define, limits, names, scriptedTransports, testDeps } from './testServers';

/** The options of a call. */
export interface TrapOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
  readonly requestMs?: number;
  readonly ceilingMs?: number;
}

/** A client, of this product or an SDK, with only what the traps need. */
export interface TrapClient {
  /** Returns the names of all tools. */
  tools(): Promise<readonly string[]>;
  /** Resolves to the names of the tools after the client has listed them again on its own. */
  refreshed(): Promise<readonly string[]>;
  /** Calls a tool and returns the types of its result's content. */
  call(tool: string): Promise<readonly string[]>;
  /** Calls a tool and returns the texts in its result. */
  texts(
    tool: string,
    args?: Readonly<Record<string, number>>,
    options?: TrapOptions,
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Creates clients: this product's or a bare SDK's. */
export interface TrapClients {
  /** Connects to a server. */
  open(config: ServerConfig): Promise<TrapClient>;
  /** Connects to scripted servers and returns the tools that the client keeps for each. */
  listAll(transports: readonly ScriptedTransport[]): Promise<readonly (readonly unknown[])[]>;
  /** The module that is loaded before there is a connection. */
  readonly module: string;
}

/** Returns the texts in the content of a result. */
export const textsOf = (content: readonly { readonly type: string; readonly text?: string }[]) =>
  content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []));

/** Creates clients of this product. */
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
        // Limits are part of the configuration, so a change needs another server.
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
