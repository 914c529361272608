/* `npm run bench:core`: the client core compared with raw JSON-RPC and the bare SDKs in one run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../../support/paths';
import { nameOfBuild } from '../../../tools/build/shipped';
import type { ToolCall } from '../../../src/contracts/toolCalls';
import { Approvals } from '../../../src/gate/decide/approvals';
import { findLookAlikes } from '../../../src/gate/decide/lookAlikes';
import { entryNamed } from '../../../src/mcp/protocol/types';
import { FakeServer } from '../../support/fakes/fakeServer';
import { compare, longestStall, median, report, timed, type Row } from '../measure';
import type { BenchServerOptions } from './benchServer';
import { schemaChecks } from './schemas';
import type { Peer } from './floor';
import { floor, recordable, sdk1, sdk2, startHttpServer, workbench, type Connect } from './peers';

const clients = { floor, workbench, sdk1, sdk2 };
type Client = keyof typeof clients;

/** Connects each client once, measures `task` on all of them in turns, and disconnects. */
async function onAll(
  options: BenchServerOptions,
  task: (peer: Peer) => Promise<unknown>,
  {
    url,
    names = ['floor', 'workbench', 'sdk1', 'sdk2'] as readonly Client[],
    base = 'floor',
    rounds = 11,
  } = {} as {
    url?: string;
    names?: readonly Client[];
    base?: Client;
    rounds?: number;
  },
) {
  const peers = new Map<Client, Peer>();
  for (const name of names) peers.set(name, await clients[name](options, url));
  const contenders = Object.fromEntries(
    [...peers].map(([name, peer]) => [name, () => timed(() => task(peer))]),
  ) as Record<Client, () => Promise<number>>;
  const result = await compare(contenders, base, rounds);
  await Promise.all([...peers.values()].map((peer) => peer.close()));
  return result;
}

function row(
  name: string,
  goal: number,
  result: {
    readonly ms: Pick<Record<Client, number>, 'workbench'>;
    readonly ratio: Pick<Record<Client, number>, 'workbench'>;
  },
): Row {
  const { workbench: ratio, ...others } = result.ratio;
  return { name, ratio, goal, others: { ...others, 'our ms': result.ms.workbench } };
}

async function thirtyServers(): Promise<Row> {
  const options = { tools: 20, resources: 10, prompts: 5 };
  const all = (connect: Connect) => async () => {
    let peers: Peer[] = [];
    const ms = await timed(async () => {
      peers = await Promise.all(
        Array.from({ length: 30 }, async () => {
          const peer = await connect(options);
          // Our core has already loaded its lists when it is running.
          if (connect !== workbench) {
            await Promise.all([
              peer.list('tools/list', 'tools'),
              peer.list('resources/list', 'resources'),
              peer.list('prompts/list', 'prompts'),
            ]);
          }
          return peer;
        }),
      );
    });
    await Promise.all(peers.map((peer) => peer.close()));
    return ms;
  };
  const result = await compare(
    { floor: all(floor), workbench: all(workbench), sdk1: all(sdk1), sdk2: all(sdk2) },
    'floor',
    5,
  );
  return row('30 servers: configured to all lists in', 1.15, result);
}

async function lists(only?: string): Promise<Row[]> {
  const cases = [
    ['10,000 tools in pages of 500', { tools: 10_000, page: 500 }, 'tools', 2],
    ['10,000 tools in pages of 50', { tools: 10_000, page: 50 }, 'tools', 2],
    ['10,000 resources', { resources: 10_000 }, 'resources', 5],
    ['1,000 prompts', { prompts: 1000 }, 'prompts', 20],
  ] as const;
  const rows: Row[] = [];
  for (const [name, options, field, times] of cases) {
    if (only !== undefined && !name.includes(only)) continue;
    // A short list is loaded several times; otherwise, only the first, cold run would be measured.
    const load = async (peer: Peer) => {
      for (let i = 0; i < times; i += 1) await peer.list(`${field}/list`, field);
    };
    rows.push(row(name, 1.3, await onAll(options, load)));
  }
  return rows;
}

async function hundred(peer: Peer): Promise<void> {
  for (let i = 0; i < 100; i += 1) await peer.list('tools/list', 'tools');
}

async function refreshes(): Promise<Row[]> {
  const options = { tools: 1000, outputSchemas: true };
  const names = ['floor', 'workbench'] as const;
  const time = await onAll(options, hundred, { names, rounds: 5 });
  const peer = await workbench(options);
  const before = heap();
  await hundred(peer);
  const grown = heap() - before;
  await peer.close();
  return [
    row('1,000 tools with output schemas, 100 refreshes', 1.5, time),
    { name: 'heap growth of the 100 refreshes', ratio: grown, goal: 5, unit: 'MB', others: {} },
  ];
}

async function sequential(peer: Peer): Promise<void> {
  for (let i = 0; i < 1000; i += 1) await peer.call();
}

async function parallel(peer: Peer): Promise<void> {
  await Promise.all(Array.from({ length: 1000 }, () => peer.call()));
}

async function calls(): Promise<Row[]> {
  const options = { tools: 1 };
  const http = await startHttpServer();
  const overHttp = await onAll(options, sequential, {
    url: http.url,
    names: ['workbench', 'sdk1', 'sdk2'],
    base: 'sdk2',
  });
  http.stop();
  return [
    row('1,000 calls one after another', 1.3, await onAll(options, sequential)),
    row('1,000 calls at once', 3, await onAll(options, parallel)),
    row('1,000 calls over streamable HTTP, to bare SDK 2', 1.2, overHttp),
  ];
}

/** Measures what it costs to record the traffic while it is not shown. */
async function traffic(): Promise<Row> {
  const { peer, keepTraffic } = await recordable({ tools: 1 });
  const thousand = (isKept: boolean) => () => {
    keepTraffic(isKept);
    return timed(() => sequential(peer));
  };
  const contenders = { without: thousand(false), kept: thousand(true) };
  const { ratio, ms } = await compare(contenders, 'without', 81);
  await peer.close();
  const name = '1,000 calls with their traffic kept, to without';
  return { name, ratio: ratio.kept, goal: 1.03, others: { 'our ms': ms.kept } };
}

async function blob(): Promise<Row[]> {
  const options = { blobBytes: 50_000_000 };
  const names = ['floor', 'workbench'] as const;
  const result = await onAll(options, (peer) => peer.read(), { names, rounds: 5 });
  const stalls: number[] = [];
  const peer = await workbench(options);
  for (let i = 0; i < 5; i += 1) stalls.push(await longestStall(() => peer.read()));
  await peer.close();
  return [
    row('50 MB blob over stdio', 1.2, result),
    { name: 'longest stall meanwhile', ratio: median(stalls), goal: 250, unit: 'ms', others: {} },
  ];
}

async function idleMemory(): Promise<Row> {
  const first = await workbench({ tools: 20, resources: 10, prompts: 5 });
  const before = heap();
  const peers = await Promise.all(
    Array.from({ length: 30 }, () => workbench({ tools: 20, resources: 10, prompts: 5 })),
  );
  const each = (heap() - before) / 30;
  await Promise.all([first, ...peers].map((peer) => peer.close()));
  return { name: 'heap of an idle server', ratio: each, goal: 1, unit: 'MB', others: {} };
}

/** Measures what a call costs before it is sent if all tools of the server are allowed. */
async function approvals(): Promise<Row> {
  const items = Array.from({ length: 10_000 }, (_, i) => ({
    name: `tool-${i}`,
    description: 'x'.repeat(200),
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  const server = new FakeServer({ id: 'a', tools: items });
  const tool = entryNamed(server.tools, 'tool-0');
  if (!tool) throw new Error('The server has no tool.');
  const call: ToolCall = {
    server,
    tool,
    arguments: {},
    origin: { kind: 'user', action: undefined },
  };
  const store = { get: () => undefined, update: () => Promise.resolve() };
  const given = new Approvals({ workspace: store, always: store });
  await given.remember(call, { duration: 'session', coverage: 'server' });
  const times: number[] = [];
  for (let i = 0; i < 50; i += 1)
    times.push(
      await timed(async () => {
        await given.find(call);
        findLookAlikes('a', 'tool-0', [server]);
      }),
    );
  const name = 'approval of all 10,000 tools and look-alikes, a call';
  return { name, ratio: median(times), goal: 5, unit: 'ms', others: {} };
}

/** Modules of Node that an extension host has loaded before any extension. */
const loadedByHost = ['node:fs/promises', 'node:child_process', 'node:crypto', 'node:os'];

/**
 * Measures how much longer the core takes to load than an empty module in every window but the first, which compiles
 * it; each load runs in its own process.
 */
function loadTime(): Row {
  const root = mkdtempSync(join(tmpdir(), 'bench-'));
  writeFileSync(join(root, 'empty.js'), '');
  const load = (folder: string, name: string) => {
    const script = `
      const { CompiledFiles } = require(${JSON.stringify(built('headless', 'compiledFiles.js'))});
      const files = new CompiledFiles(${JSON.stringify(root)});
      const begin = performance.now();
      files.load(${JSON.stringify(folder)}, '${name}');
      console.log(performance.now() - begin);
      files.save().then(() => files.dispose());`;
    const args = [...loadedByHost.flatMap((module) => ['-r', module]), '-e', script];
    return Number(execFileSync(process.execPath, args).toString());
  };
  const first = load(built('headless'), 'core.js');
  load(root, 'empty.js');
  const pairs = Array.from({ length: 15 }, () => ({
    core: load(built('headless'), 'core.js'),
    least: load(root, 'empty.js'),
  }));
  rmSync(root, { recursive: true });
  return {
    name: 'loading the core without the SDK',
    ratio: median(pairs.map(({ core, least }) => core - least)),
    goal: 5,
    unit: 'ms',
    others: {
      'ms of the first window': first,
      'ms of an empty module': median(pairs.map(({ least }) => least)),
    },
  };
}

/** Returns the heap in use after a garbage collection, in MB. */
function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Counts warnings instead of printing them: the bare SDKs warn by the thousand, and unit tests show that the core does not. */
function countWarnings(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  process.removeAllListeners('warning');
  process.on('warning', ({ message }) => {
    const kind = message.replaceAll(/\d+/g, '…');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  return counts;
}

async function main(): Promise<void> {
  console.log(await nameOfBuild());
  const [only, oneList] = process.argv.slice(2);
  const warnings = countWarnings();
  const parts: Readonly<Record<string, () => Promise<Row | Row[]> | Row>> = {
    servers: thirtyServers,
    lists: () => lists(oneList),
    refreshes,
    calls,
    traffic,
    blob,
    idle: idleMemory,
    approvals,
    load: loadTime,
    schemas: schemaChecks,
  };
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || only === name) rows.push(...[await part()].flat());
  report(rows);
  for (const [text, count] of warnings) console.log(`${count} × ${text}`);
  process.exitCode = rows.some(({ ratio, goal }) => !(ratio <= goal)) ? 1 : 0;
}

void main();
