/*
 * `node conformance.js <url>`: the client that the official conformance suite observes. It is the product's own core
 * without an editor; the suite says what it wants through environment variables.
 */
import { createLimiter } from '../../src/base/async';
import type { Logger } from '../../src/base/log';
import { Authorization } from '../../src/mcp/auth/authorization';
import type { ElicitRequest, ElicitResult } from '../../src/mcp/protocol/serverRequests';
import { noMemory } from '../../src/mcp/lists/catalog';
import { createServers } from '../../src/mcp/createServers';
import { createSignInNetwork } from '../../src/mcp/node/signInNetwork';
import { createNodeTransports } from '../../src/mcp/node/nodeTransports';
import type { Server } from '../../src/mcp/server';
import { type ServerDefinition, defaultLimits } from '../../src/mcp/serverConfig';
import { createMemoryStore, createUser } from '../support/workbench/signIn';
import {
  configuredIdentity,
  configuredOAuth,
  plays,
  refusals,
  useEverything,
  type ScenarioContext,
} from './scenarios';

/** The client metadata document that the suite expects a client to identify itself with. */
const metadataUrl = 'https://conformance-test.local/client-metadata.json';

const write = (message: string) => console.error(message);
const log: Logger = { trace() {}, debug: write, info: write, warn: write, error: write };

/** Returns what a user who accepts a form without changes submits: its defaults (SEP-1034). */
function defaults(request: ElicitRequest): NonNullable<ElicitResult['content']> {
  const { properties = {} } = request.mode === 'form' ? request.requestedSchema : {};
  const given = Object.entries(properties as Record<string, { readonly default?: unknown }>);
  return Object.fromEntries(
    given.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  ) as NonNullable<ElicitResult['content']>;
}

async function main(url: string, scenario: string, context: ScenarioContext): Promise<void> {
  const oauth = await configuredOAuth(url, scenario, context);
  const definition: ServerDefinition = {
    id: 'conformance',
    name: 'conformance',
    source: { label: 'conformance' },
    limits: defaultLimits,
    config: {
      type: 'http',
      url,
      headers: {},
      ...(oauth && { oauth }),
    },
  };
  const requests = {
    listRoots: async () => [],
    elicit: async (_server: unknown, request: ElicitRequest) => {
      // A tool called in the meantime must not learn about the question.
      await unrelated(servers.get(definition.id));
      return { action: 'accept' as const, content: defaults(request) };
    },
  };
  const servers = createServers((one) => ({
    client: { name: 'mcp-workbench', version: '1.0.0' },
    requests,
    openTransport: createNodeTransports(),
    launches: { prepare: async ({ config }) => ({ config }) },
    limiter: createLimiter(1),
    memory: noMemory,
    log,
    tracing: () => false,
    authorization: new Authorization(one, {
      store: createMemoryStore(),
      ui: createUser(),
      network: createSignInNetwork(),
      identity: { name: 'MCP Workbench', metadataUrl },
      findIdentity: async () => configuredIdentity(context),
      log,
    }),
  }));
  await servers.reconcile([definition]);
  const server = servers.get(definition.id);
  if (!server) throw new Error('The server was not created.');
  try {
    let outcome = await server.signIn();
    // A user would retry if the server immediately asks for another sign-in.
    if (server.state.kind === 'needsSignIn') outcome = await server.signIn();
    if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome));
    await (plays[scenario] ?? useEverything)(server, context);
    // A server that lists nothing because of its refusals was not used either.
    if (server.tools.error !== undefined) throw new Error(server.tools.error);
  } finally {
    await server.stop();
    servers.dispose();
  }
}

async function unrelated(server: Server | undefined): Promise<void> {
  const name = 'test_mrtr_unrelated';
  if (server?.tools.items.some((tool) => tool.name === name)) await server.callTool(name, {});
}

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } =
  process.env;
void main(process.argv[2] ?? '', scenario, JSON.parse(context) as ScenarioContext)
  .then(
    () => !refusals.has(scenario),
    (error: unknown) => {
      console.error(error);
      return refusals.has(scenario);
    },
  )
  .then((asExpected) => {
    console.log(asExpected ? 'ended as expected' : 'ended otherwise than expected');
    process.exitCode = asExpected ? 0 : 1;
  });
