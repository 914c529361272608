import * as sdk2 from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import type { ScriptedTransport } from '../../support/fakes/scriptedTransport';
import { textsOf, type TrapClient, type TrapClients } from './trapClients';

const info = { name: 'bare', version: '1.0.0' };

const reconnectionOptions = {
  initialReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 500,
  maxRetries: 2,
};

/** What clients of both SDK generations have in common. */
interface BareClient {
  connect(to: ServerConfig | ScriptedTransport): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(
    params: { readonly name: string; readonly arguments: Readonly<Record<string, number>> },
    options: object,
  ): Promise<object>;
  close(): Promise<void>;
}

/** Creates a client that reports when it has listed the tools again. */
type MakeBare = (onTools: (names: readonly string[]) => void) => BareClient;

function clientsOf(make: MakeBare, module: string): TrapClients {
  return {
    async open(config) {
      const waiting: ((names: readonly string[]) => void)[] = [];
      const client = make((names) => {
        for (const resolve of waiting.splice(0)) resolve(names);
      });
      await client.connect(config);
      return trapClient(client, () => new Promise((resolve) => waiting.push(resolve)));
    },
    listAll: (transports) =>
      Promise.all(
        transports.map(async (transport) => {
          const client = make(() => {});
          await client.connect(transport);
          const { tools } = await client.listTools();
          await client.close();
          return tools;
        }),
      ),
    module,
  };
}

function trapClient(client: BareClient, refreshed: TrapClient['refreshed']): TrapClient {
  const call = async (name: string, args: Readonly<Record<string, number>>, options: object) => {
    const result = await client.callTool({ name, arguments: args }, options);
    return (result as { readonly content: readonly { readonly type: string }[] }).content;
  };
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    refreshed,
    call: async (name) => (await call(name, {}, {})).map(({ type }) => type),
    texts: async (name, args = {}, { signal, onProgress, requestMs, ceilingMs } = {}) =>
      textsOf(
        await call(name, args, {
          resetTimeoutOnProgress: true,
          ...(signal && { signal }),
          ...(onProgress && {
            onprogress: ({ progress }: { progress: number }) => onProgress(progress),
          }),
          ...(requestMs !== undefined && { timeout: requestMs }),
          ...(ceilingMs !== undefined && { maxTotalTimeout: ceilingMs }),
        }),
      ),
    close: () => client.close(),
  };
}

function launchOf({ command, args, env }: Extract<ServerConfig, { type: 'stdio' }>) {
  const given = Object.entries(env).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    command,
    args: [...args],
    env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(given) },
    stderr: 'ignore' as const,
  };
}

const makeFirst: MakeBare = (onTools) => {
  const onChanged = (_error: unknown, tools: readonly { name: string }[] | null) =>
    onTools((tools ?? []).map(({ name }) => name));
  const client = new Client1(info, { listChanged: { tools: { onChanged } } });
  return {
    connect(to) {
      if (!('type' in to)) return client.connect(to);
      if (to.type === 'stdio') return client.connect(new Stdio1(launchOf(to)));
      const http = new Http1(new URL(to.url), { reconnectionOptions });
      return client.connect(http);
    },
    listTools: () => client.listTools(),
    callTool: (params, options) => client.callTool(params, undefined, options),
    close: () => client.close(),
  };
};

const makeSecond: MakeBare = (onTools) => {
  const onChanged = (_error: unknown, tools: readonly { name: string }[] | null) =>
    onTools((tools ?? []).map(({ name }) => name));
  const client = new sdk2.Client(info, {
    versionNegotiation: { mode: 'auto' },
    listChanged: { tools: { onChanged } },
  });
  return {
    connect(to) {
      if (!('type' in to)) return client.connect(to);
      if (to.type === 'stdio') return client.connect(new Stdio2(launchOf(to)));
      const http = new sdk2.StreamableHTTPClientTransport(new URL(to.url), { reconnectionOptions });
      return client.connect(http);
    },
    listTools: () => client.listTools(),
    callTool: (params, options) => client.callTool(params, options),
    close: () => client.close(),
  };
};

/** The SDK's own clients, by generation. */
export const bareClients: Readonly<Record<string, TrapClients>> = {
  1: clientsOf(makeFirst, '@modelcontextprotocol/sdk/client/index.js'),
  2: clientsOf(makeSecond, '@modelcontextprotocol/client'),
};
