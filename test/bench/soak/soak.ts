// `node out/bench/soak/soak.js --hours 24 --seed 1`: thirty servers and everything that can happen to them, at sixty times real
// speed.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hurryTime, speed } from './fastClock';
import { createRandom } from '../fuzz/fuzzFrames';
import { SoakRun } from './soakRun';
import { SoakServers } from './soakServers';
import { grown, takeStock } from './soakStock';
import type { Counts } from '../../support/run/counts';
import { runAsPart } from '../../support/run/forkPart';
import { createCensus } from '../../support/processes/processCensus';
import { usedHeap } from '../../support/processes/ownLoad';

const hourMs = 3_600_000 / speed;
const maxHeapGrowth = 5_000_000;
/** After this many problems, a run stops: more would not teach anything new. */
const maxProblems = 20;

async function main(): Promise<Counts> {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '24' },
      seed: { type: 'string', default: '1' },
    },
  });
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, seed ${values.seed}`,
  );
  const problems: string[] = [];
  const uncaught = (error: unknown) =>
    problems.push(`uncaught: ${error instanceof Error ? error.stack : String(error)}`);
  process.on('uncaughtException', uncaught).on('unhandledRejection', uncaught);
  const passed = hurryTime();
  const random = createRandom(Number(values.seed));
  const census = createCensus();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-soak-'));
  const servers = await SoakServers.start(census.env);
  const hour = async (number: number, ms: number) => {
    const run = new SoakRun(servers, random, join(folder, 'lists'), join(folder, 'calls.jsonl'));
    problems.push(...(await run.live(ms)), ...(await run.end()));
    servers.forget();
    const { counts, calls } = run;
    console.log(JSON.stringify({ hour: number, ...counts, calls, problems: problems.length }));
  };
  const total = Number(values.hours) * hourMs;
  // What is compiled, cached and connected only once does not count as growth.
  await hour(0, Math.min(hourMs, total));
  const before = await takeStock(census);
  const heapBefore = await usedHeap();
  const begin = passed();
  for (let number = 1; passed() - begin < total && problems.length < maxProblems; number += 1)
    await hour(number, Math.min(hourMs, total - (passed() - begin)));
  const growth = (await usedHeap()) - heapBefore;
  if (growth > maxHeapGrowth) problems.push(`The heap grew by ${growth} bytes.`);
  problems.push(...(await grown(before, () => takeStock(census))));
  const files = await readdir(join(folder, 'lists'));
  if (files.length > servers.all.length * 2 || !files.every((name) => name.endsWith('.json')))
    problems.push(`There are ${files.length} files of remembered lists: ${files.join(', ')}`);
  await servers[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  const hours = ((passed() - begin) / hourMs).toFixed(1);
  console.log(
    `${problems.length === 0 ? '✔' : '✗'} ${hours} hours, heap ${(growth / 1e6).toFixed(1)} MB`,
  );
  for (const problem of problems) console.log(`    ${problem}`);
  const remarks = problems.map((problem) => `failed: soak: ${problem}`);
  return { passed: problems.length === 0 ? 1 : 0, failed: problems.length, skipped: 0, remarks };
}

runAsPart(main);
