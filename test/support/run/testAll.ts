// A standalone program: `testAll.js [unit|fuzz|soak|conformance|third-party|host|journeys] [--grep pattern]
// [--oldest]`. Its last line is the total.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createLimiter, deferred, type Limiter } from '../../../src/base/async';
import { format, sum, type Counts } from './counts';
import { forkPart } from './forkPart';
import { installBrowser } from '../editor/browser';
import {
  chosenVersion,
  editorVersions,
  installEditor,
  threeUses,
  versionVariable,
} from '../editor/editor';
import { runHostTests } from '../editor/hostRunner';
import { built } from '../paths';
import { testFiles } from './runMocha';

/** Runs a part; one that runs beside others shows nothing until it is its turn. */
type Run = (grep: string | undefined, shownAfter?: Promise<void>) => Promise<Counts>;

/** How many processes run at once if they mostly wait: for clocks, or for the windows of editors. */
const atOnce = Math.min(availableParallelism(), 4);

const computing = createLimiter(atOnce);
const withServers = createLimiter(1);
const withEditors = createLimiter(atOnce);

const [oldest] = editorVersions;
const oldestPart = 'journeys in the oldest editor';

/** Runs a script when it is its turn; the turn ends with the script, even if its output still has to wait. */
async function runForked(
  script: string,
  args: readonly string[],
  turns: Limiter,
  shownAfter?: Promise<void>,
  env?: NodeJS.ProcessEnv,
): Promise<Counts> {
  const options = { isHeld: shownAfter !== undefined, env };
  const { counts, output } = await turns(() => forkPart(script, args, options));
  await shownAfter;
  process.stdout.write(output);
  return counts;
}

/** How test files are run. */
interface TestsOptions {
  readonly timeoutMs: number;
  readonly kind: 'drawn' | 'plain';
  readonly turns: Limiter;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs each group of files in a separate process, several at once, and shows their output one after another. */
async function runTests(
  groups: readonly (readonly string[])[],
  { timeoutMs, kind, turns, env }: TestsOptions,
  grep: string | undefined,
  shownAfter: Promise<void> | undefined,
): Promise<Counts> {
  const options = [`--timeout=${timeoutMs}`, `--kind=${kind}`, ...(grep ? [`--grep=${grep}`] : [])];
  const counts: Promise<Counts>[] = [];
  let before = shownAfter;
  for (const files of groups) {
    const run = runForked('support/run/mochaPart', [...options, ...files], turns, before, env);
    before = run.then(() => undefined);
    counts.push(run);
  }
  return sum(await Promise.all(counts));
}

const unit = { timeoutMs: 30_000, kind: 'plain', turns: computing } as const;
const journeys = { timeoutMs: 180_000, kind: 'drawn', turns: withEditors } as const;

const runUnit: Run = (grep, shownAfter) => {
  const files = testFiles(built('unit'));
  const count = grep ? 1 : atOnce;
  const groups = Array.from({ length: count }, (_, group) =>
    files.filter((_file, index) => index % count === group),
  );
  return runTests(groups, unit, grep, shownAfter);
};

const runJourneys: Run = (grep, shownAfter) => {
  const files = testFiles(built('journeys'));
  return runTests(grep ? [files] : files.map((file) => [file]), journeys, grep, shownAfter);
};

/** Runs the journeys that use a prompt, a resource and a tool, in the oldest editor that is supported. */
const runOldest: Run = (_, shownAfter) => {
  const options = { ...journeys, env: { [versionVariable]: oldest } };
  return runTests([testFiles(built('journeys'))], options, threeUses, shownAfter);
};

// Each body is a separate request, which takes as long as many frames of a stream; other programs may be running.
const fuzzing = ['--frames', '50000', '--bodies', '4000', '--stall', '2000'];
// Half an hour to learn what is kept once, and another half in which nothing may be left behind.
const soaking = ['--hours', '0.5'];

const parts = new Map<string, Run>([
  ['unit', runUnit],
  ['fuzz', () => runForked('bench/fuzz/fuzz', fuzzing, computing)],
  ['soak', (_, shownAfter) => runForked('bench/soak/soak', soaking, withServers, shownAfter)],
  [
    'conformance',
    (_, shownAfter) => runForked('support/run/conformance', [], withServers, shownAfter),
  ],
  ['third-party', (_, shownAfter) => runForked('headless/thirdParty', [], withServers, shownAfter)],
  ['host', (grep) => withEditors(() => runHostTests(grep))],
  ['journeys', runJourneys],
  [oldestPart, runOldest],
]);

/** The parts that start together with another one, and are shown when it is their turn. */
const besides = new Map([
  ['unit', ['soak', 'conformance', 'third-party']],
  ['host', ['journeys', oldestPart]],
]);

function partOf(name: string): Run {
  const run = parts.get(name);
  if (run) return run;
  throw new Error(`No part is called ${name}: there are ${[...parts.keys()].join(', ')}.`);
}

async function runPart(run: () => Promise<Counts>, grep: string | undefined): Promise<Counts> {
  const counts = await run().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${message}`] };
  });
  // With a pattern, a part may well have no match; without one, it means that the tests were not found.
  const none = counts.passed + counts.failed + counts.skipped === 0 && !grep;
  return none ? { ...counts, failed: 1, remarks: ['failed: no test was run'] } : counts;
}

/** Runs parts in order, some of them beside others if there are enough cores. */
async function runParts(names: readonly string[], grep: string | undefined): Promise<Counts[]> {
  const begun = new Map<string, { show(): void; counts: Promise<Counts> }>();
  const begin = (name: string, isBeside: boolean) => {
    const run = partOf(name);
    const turn = deferred<void>();
    const counts = runPart(() => run(grep, isBeside ? turn.promise : undefined), grep);
    const part = { show: () => turn.resolve(), counts };
    begun.set(name, part);
    return part;
  };
  const results: Counts[] = [];
  for (const name of names) {
    console.log(`\n${name}`);
    const part = begun.get(name) ?? begin(name, false);
    for (const beside of besides.get(name) ?? [])
      if (atOnce > 1 && names.includes(beside) && !begun.has(beside)) begin(beside, true);
    part.show();
    const counts = await part.counts;
    console.log(`${name}: ${format(counts)}`);
    results.push(counts);
  }
  return results;
}

/** Downloads editors and a browser while tests run that do not need them. */
function fetchEarly(names: readonly string[]): void {
  const needed = names.flatMap((name) => {
    if (name === oldestPart) return oldest;
    return name === 'host' || name === 'journeys' ? chosenVersion() : [];
  });
  if (needed.length === 0) return;
  const fetched = [...new Set(needed)].map((version) => installEditor(version));
  // The part that needs one tries again, and says why there is none.
  Promise.all([installBrowser(), ...fetched]).catch(() => undefined);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' }, oldest: { type: 'boolean', default: false } },
  });
  const all = [...parts.keys()].filter((name) => name !== oldestPart || values.oldest);
  const names = positionals.length > 0 ? positionals : all;
  names.forEach(partOf);
  fetchEarly(names);
  const total = sum(await runParts(names, values.grep));
  // Readers who see only the end of the report must see what failed.
  console.log(['', ...total.remarks, format(total)].join('\n'));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
