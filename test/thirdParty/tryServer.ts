import { join } from 'node:path';
import { createLimiter } from '../../src/base/async';
import { silentLogger } from '../../src/base/log';
import { ConfiguredServer } from '../../src/mcp/configuredServer';
import { createNodeTransports } from '../../src/mcp/node/nodeTransports';
import { type ServerConfig, defaultLimits } from '../../src/mcp/serverConfig';
import type { Era } from '../../src/mcp/protocol/revisions';
import { createCensus } from '../support/processes/processCensus';
import type { ThirdPartyServer } from './servers';

/** The result of trying one server. */
export interface Trial {
  readonly revision: string;
  /** The numbers of tools, prompts, resources and resource templates. */
  readonly lists: readonly number[];
  readonly asked: string;
  /** Milliseconds until all lists were loaded, and until the process was gone. */
  readonly startMs: number;
  readonly stopMs: number;
  /** What went wrong, a sentence each. */
  readonly problems: readonly string[];
}

/** Where the servers are installed, and the folder to use as their home. */
export interface Places {
  readonly modules: string;
  readonly home: string;
}

const nothing = { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [] };

/** Starts a server in the given era, loads its lists, makes one request and stops it. */
export async function tryServer(
  { package: name, script, args = [], env = {}, least, ask }: ThirdPartyServer,
  era: Era,
  { modules, home }: Places,
): Promise<Trial> {
  const census = createCensus();
  const config: ServerConfig = {
    type: 'stdio',
    command: process.execPath,
    args: [join(modules, name, script), ...args],
    env: { ...census.env, ...env, HOME: home, USERPROFILE: home },
    cwd: home,
  };
  const source = { label: 'third party' };
  const definition = { id: name, name, config, source, limits: defaultLimits };
  const server = new ConfiguredServer(definition, {
    client: { name: 'third-party-test', version: '1.0.0' },
    requests: { listRoots: () => Promise.resolve([]) },
    openTransport: createNodeTransports(),
    launches: { prepare: () => Promise.resolve({ config }) },
    limiter: createLimiter(1),
    memory: {
      load: () => Promise.resolve({ snapshot: nothing, era, savedAt: Date.now() }),
      save: () => Promise.resolve(),
      forget: () => Promise.resolve(),
    },
    log: silentLogger,
    tracing: () => false,
  });
  const problems: string[] = [];
  const began = Date.now();
  const outcome = await server.start();
  const startMs = Date.now() - began;
  if (outcome.kind !== 'running')
    problems.push('message' in outcome ? outcome.message : `It is ${outcome.kind}.`);
  const { state, tools, prompts, resources, resourceTemplates } = server;
  const lists = [tools, prompts, resources, resourceTemplates];
  for (const list of lists) problems.push(...list.problems, ...(list.error ? [list.error] : []));
  const counts = lists.map((list) => list.items.length);
  const expected = [least.tools, least.prompts ?? 0, least.resources ?? 0, 0];
  if (counts.some((count, index) => count < (expected[index] ?? 0)))
    problems.push(`It lists ${counts.join(' / ')}, and ${expected.join(' / ')} were expected.`);
  let asked = '';
  try {
    if (outcome.kind === 'running') asked = await ask(server);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const ended = Date.now();
  await server.stop();
  const stopMs = Date.now() - ended;
  server.dispose();
  const left = await census.commands();
  if (left.length > 0) problems.push(`It left running: ${left.join('; ')}`);
  const revision = state.kind === 'running' ? state.info.protocolVersion : '';
  if ((era === 'modern') !== revision >= '2026') problems.push(`It spoke ${revision}.`);
  return { revision, lists: counts, asked, startMs, stopMs, problems };
}
