// `node out/bench/fuzz/fuzz.js --frames 1000000 --seed 1 [--way stdio|json|stream]`: feeds mutated frames to the packaged core.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { longestStall, usedHeap } from '../../support/processes/ownLoad';
import { loadMinifiedCore } from '../../support/minifiedCore';
import { runAsPart } from '../../support/run/forkPart';
import type { Counts } from '../../support/run/counts';

const ways = ['stdio', 'json', 'stream'] as const;
type Way = (typeof ways)[number];

const atOnce = 8;
const framesPerCall = 100;
const maxHeapGrowth = 5_000_000;
const maxStallMs = 250;
/** After this many problems, a run stops: more would not teach anything new. */
const maxProblems = 10;
/** A body is a single frame, and one in this many is valid. */
const honestEvery = 4;

/** How a run went. */
interface Report {
  readonly frames: number;
  readonly seconds: number;
  readonly heapGrowth: number;
  readonly stallMs: number;
  readonly problems: readonly string[];
}

const script = join(__dirname, 'fuzzServer.js');

async function startHttp(way: Way, seed: number) {
  const child = spawn(process.execPath, [script, way, String(seed)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}/mcp`, stop: () => child.stdin.end() };
}

async function fuzz(way: Way, frames: number, seed: number): Promise<Report> {
  const core = loadMinifiedCore();
  const problems: string[] = [];
  const http = way === 'stdio' ? undefined : await startHttp(way, seed);
  const config = http
    ? { type: 'http' as const, url: http.url, headers: {} }
    : {
        type: 'stdio' as const,
        command: process.execPath,
        args: [script, way, `${seed}`],
        env: {},
      };
  const deadlines = { initialize: 20_000, request: 20_000, ceiling: 60_000 };
  const limits = { ...core.defaultLimits, deadlines };
  const definition = { id: 'fuzz', name: 'fuzz', source: { label: 'fuzz' }, limits, config };
  const uncaught = (error: unknown) =>
    problems.push(`uncaught: ${error instanceof Error ? error.stack : String(error)}`);
  process.on('uncaughtException', uncaught).on('unhandledRejection', uncaught);
  const servers = core.createServers(() => ({
    client: { name: 'fuzz', version: '1' },
    requests: {
      listRoots: async () => [],
      createMessage: async () => ({ role: 'assistant', content: [], model: 'm' }) as never,
      elicit: async () => ({ action: 'decline' as const }),
    },
    openTransport: core.createNodeTransports(),
    launches: { prepare: async (one) => ({ config: one.config }) },
    limiter: core.createLimiter(1),
    memory: core.noMemory,
    log: core.silentLogger,
    tracing: () => false,
  }));
  await servers.reconcile([definition]);
  const server = servers.get('fuzz');
  if (!server) throw new Error('There is no server.');
  const outcome = await server.start();
  if (outcome.kind !== 'running') throw new Error(JSON.stringify(outcome));

  let sent = 0;
  let batch = 0;
  const callOnce = async () => {
    batch += 1;
    const own = batch;
    const isHonest = way !== 'json' || own % honestEvery === 0;
    const count = way === 'json' ? (isHonest ? 0 : 1) : framesPerCall;
    sent += count;
    try {
      const { content } = await server.callTool('fuzz', { batch: own, frames: count });
      const [block] = content;
      const text = block?.type === 'text' ? block.text : undefined;
      if (isHonest && text !== `honest ${own}`) problems.push(`batch ${own}: wrong answer ${text}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isHonest) problems.push(`batch ${own}: lost answer: ${reason}`);
      else if (/invalid_type|Invalid input|Maximum call stack/.test(reason))
        problems.push(`batch ${own}: said of it: ${reason}`);
    }
  };
  const until = async (total: number) => {
    const isOver = () => sent >= total || problems.length >= maxProblems;
    const worker = async () => {
      while (!isOver()) await callOnce();
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  // What is compiled and cached only once does not count as growth.
  await until(Math.min(5000, frames / 4));
  const before = await usedHeap();
  const start = performance.now();
  const stallMs = await longestStall(() => until(frames));
  const seconds = (performance.now() - start) / 1000;
  const after = await usedHeap();
  const report = {
    frames: sent,
    seconds,
    heapGrowth: after - before,
    stallMs,
    problems,
  };
  await server.stop();
  servers.dispose();
  http?.stop();
  process.off('uncaughtException', uncaught).off('unhandledRejection', uncaught);
  return report;
}

/** Returns the problems found, including exceeded limits. */
function findings({ heapGrowth, stallMs, problems }: Report, stallBound: number): string[] {
  return [
    ...problems,
    ...(heapGrowth > maxHeapGrowth ? [`the heap grew by ${heapGrowth} bytes`] : []),
    ...(stallMs > stallBound ? [`a stall of ${Math.round(stallMs)} ms`] : []),
  ];
}

async function main(): Promise<Counts> {
  const { values } = parseArgs({
    options: {
      frames: { type: 'string', default: '50000' },
      /** The number of frames for the way `json`, in which each one is the body of a response. */
      bodies: { type: 'string' },
      seed: { type: 'string', default: '1' },
      way: { type: 'string' },
      // In milliseconds of processor time, which increases on a busy machine because caches are shared.
      stall: { type: 'string', default: String(maxStallMs) },
    },
  });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, seed ${values.seed}`,
  );
  for (const way of ways.filter((one) => values.way === undefined || values.way === one)) {
    const wanted = (way === 'json' && values.bodies) || values.frames;
    const report = await fuzz(way, Number(wanted), Number(values.seed));
    const found = findings(report, Number(values.stall));
    counts[found.length === 0 ? 'passed' : 'failed'] += 1;
    const { frames, seconds, heapGrowth, stallMs } = report;
    console.log(
      `${found.length === 0 ? '✔' : '✗'} ${way.padEnd(6)} ${frames} frames in ${seconds.toFixed(1)} s, heap ${(heapGrowth / 1e6).toFixed(1)} MB, longest stall ${Math.round(stallMs)} ms`,
    );
    for (const one of found) console.log(`    ${one}`);
  }
  return counts;
}

runAsPart(main);
