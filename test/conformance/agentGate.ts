/*
 * A standalone program: the gate for agents as it is shipped, with a server behind. Without an argument, that has what the
 * official suite asks for, and the address is printed of a proxy that adds what the suite does not know: the bearer of the
 * entry, and the name of the server before those of its tools and prompts. With the program of a server and its arguments,
 * the entry of an agent that starts the bridge is printed as JSON.
 */
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLimiter } from '../../src/base/async';
import { silentLogger } from '../../src/base/log';
import { createServers } from '../../src/mcp/createServers';
import { noMemory } from '../../src/mcp/lists/catalog';
import { createNodeTransports } from '../../src/mcp/node/nodeTransports';
import { createSignInNetwork } from '../../src/mcp/node/signInNetwork';
import { Authorization } from '../../src/mcp/auth/authorization';
import { defaultLimits, type ServerDefinition } from '../../src/mcp/serverConfig';
import { built } from '../support/paths';
import { createMemoryStore, createUser } from '../support/workbench/signIn';
import { AgentWindow, agentFolder, bearerOf } from '../unit/agents/agentWindow';

const prefix = 'everything__';

/** How an agent starts the bridge. */
export interface GateStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function startServer(args: readonly string[]) {
  const definition: ServerDefinition = {
    id: 'everything',
    name: 'everything',
    source: { label: 'conformance' },
    limits: defaultLimits,
    config: {
      type: 'stdio',
      command: process.execPath,
      args,
      env: {},
    },
  };
  const servers = createServers((one) => ({
    client: { name: 'mcp-workbench', version: '1.0.0' },
    requests: {},
    openTransport: createNodeTransports(),
    launches: { prepare: async ({ config }) => ({ config }) },
    limiter: createLimiter(1),
    memory: noMemory,
    log: silentLogger,
    tracing: () => false,
    authorization: new Authorization(one, {
      store: createMemoryStore(),
      ui: createUser(),
      network: createSignInNetwork(),
      identity: { name: 'MCP Workbench', metadataUrl: 'https://example.com/client.json' },
      findIdentity: async () => undefined,
      log: silentLogger,
    }),
  }));
  await servers.reconcile([definition]);
  const outcome = await servers.get(definition.id)?.start();
  if (outcome?.kind !== 'running') throw new Error(JSON.stringify(outcome));
  return servers;
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Lets an agent in by the bridge, and prints how it does. */
async function serveBridge(args: readonly string[]): Promise<void> {
  const folder = await agentFolder();
  const window = new AgentWindow(folder, await startServer(args));
  await window.open();
  const { entry, secret, command } = await window.addEntry('bench');
  const env = { ...command.env, MCP_WORKBENCH_SECRET: secret };
  const start: GateStart = { command: command.command, args: [...command.args, entry.id], env };
  console.log(JSON.stringify(start));
}

async function serveSuite(): Promise<void> {
  const folder = await agentFolder();
  const server = [built('fixtures', 'everythingServer', 'main.js')];
  const window = new AgentWindow(folder, await startServer(server));
  const gate = new URL(await window.openHttp());
  const authorization = bearerOf(await window.addEntry('the conformance suite', gate.href));
  const proxy = createServer((message, response) => {
    const { port } = proxy.address() as AddressInfo;
    const pass = async () => {
      const text = await readText(message);
      const { host = '', origin, 'content-length': _, ...headers } = message.headers;
      const toGate = (place: string) => place.replace(`:${port}`, `:${gate.port}`);
      const named = message.headers['mcp-name'];
      const passed = request(gate, {
        method: message.method,
        headers: {
          ...headers,
          authorization,
          host: toGate(host),
          ...(origin !== undefined && { origin: toGate(origin) }),
          ...(typeof named === 'string' && {
            'mcp-name': named.replace(/^test_/, `${prefix}test_`),
          }),
        },
      });
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.on('data', (chunk: Buffer) =>
          response.write(chunk.toString().replaceAll(prefix, '')),
        );
        answer.once('end', () => response.end());
      });
      passed.once('error', () => response.destroy());
      response.once('close', () => passed.destroy());
      passed.end(text.replaceAll('"name":"test_', `"name":"${prefix}test_`));
    };
    pass().catch(() => response.destroy());
  });
  proxy.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`);
  });
}

const given = process.argv.slice(2);
(given.length > 0 ? serveBridge(given) : serveSuite()).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
