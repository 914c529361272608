// A program of its own: `testAll.js [unit|fuzz|soak|conformance|third-party|host|journeys] [--grep pattern] [--oldest]`. Its last line is the total.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createLimiter, deferred } from '../../../src/base/async';
import { format, sum, type Counts } from './counts';
import { forkPart, type PartOptions } from './forkPart';
import { editorVersions, threeUses, versionVariable } from '../editor/editor';
import { runHostTests } from '../editor/hostRunner';
import { built } from '../paths';
import { testFiles } from './runMocha';

type Run = (
  grep: string | undefined,
  beside?: Pick<PartOptions, 'shownAfter' | 'onEnded'>,
) => Promise<Counts>;

/** How long one test of a journey may take. */
const journeyMs = 180_000;

/** How many journeys go on at once where there are the cores for it. */
const mostWindows = 4;

function mochaPart(folder: string, timeoutMs: number, kind: 'drawn' | 'plain'): Run {
  return (grep) =>
    forkPart('support/run/mochaPart', [folder, String(timeoutMs), kind, ...(grep ? [grep] : [])]);
}

/** Has each file of journeys in a process of its own, several at once: they wait for the windows that they open. */
const runJourneys: Run = async (grep) => {
  if (grep) return mochaPart('journeys', journeyMs, 'drawn')(grep);
  const turns = createLimiter(Math.min(availableParallelism(), mostWindows));
  const counts = testFiles(built('journeys')).map((file) =>
    turns(() =>
      forkPart('support/run/mochaPart', [file, String(journeyMs), 'drawn'], {
        shownAfter: Promise.resolve(),
      }),
    ),
  );
  return sum(await Promise.all(counts));
};

const parts = new Map<string, Run>([
  ['unit', mochaPart('unit', 10_000, 'plain')],
  // A body is a request of its own, and takes as long as many frames of a stream; other programs may run beside.
  [
    'fuzz',
    () => forkPart('bench/fuzz/fuzz', ['--frames', '50000', '--bodies', '4000', '--stall', '2000']),
  ],
  // Half an hour to learn what is kept once, and another in which nothing may be left behind.
  ['soak', (_, beside) => forkPart('bench/soak/soak', ['--hours', '0.5'], beside)],
  ['conformance', (_, beside) => forkPart('support/run/conformance', [], beside)],
  ['third-party', (_, beside) => forkPart('headless/thirdParty', [], beside)],
  ['host', runHostTests],
  ['journeys', runJourneys],
]);

/** They mostly wait for their servers, and go on beside what comes before them. */
const besideOthers = ['soak', 'conformance', 'third-party'];

/** Where all else took longer, the oldest editor is left to `npm run test:editors`. */
const oldestWithinMs = 28 * 60_000;

/** A prompt, a resource and a tool as a user has them, in the oldest editor that is promised. */
const runOldest: Run = () => {
  const [oldest] = editorVersions;
  const args = ['journeys', String(journeyMs), 'drawn', threeUses];
  return forkPart('support/run/mochaPart', args, { env: { [versionVariable]: oldest } });
};

async function runPart(
  name: string,
  run: () => Promise<Counts>,
  grep: string | undefined,
): Promise<Counts> {
  console.log(`\n${name}`);
  const counts = await run().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${message}`] };
  });
  console.log(`${name}: ${format(counts)}`);
  // With a pattern it is natural that a part has no match; without one it means that the tests were not found.
  const none = counts.passed + counts.failed + counts.skipped === 0 && !grep;
  if (none) console.log(`${name}: no test was run`);
  return none ? { ...counts, failed: 1 } : counts;
}

/** Starts those of some parts that go on beside others, one after another; each is shown, and waited for, when it is called. */
function startEarly(
  names: readonly string[],
  grep: string | undefined,
): ReadonlyMap<string, () => Promise<Counts>> {
  const early = new Map<string, () => Promise<Counts>>();
  if (availableParallelism() === 1) return early;
  let last = Promise.resolve();
  for (const name of besideOthers) {
    const run = names.includes(name) && parts.get(name);
    if (!run) continue;
    const turn = deferred<void>();
    const ended = deferred<void>();
    const beside = { shownAfter: turn.promise, onEnded: () => ended.resolve() };
    const counts = last.then(() => run(grep, beside));
    last = ended.promise;
    early.set(name, () => {
      turn.resolve();
      return counts;
    });
  }
  return early;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' }, oldest: { type: 'boolean', default: false } },
  });
  const begin = performance.now();
  const chosen = positionals.length > 0 ? positionals : [...parts.keys()];
  const runs = chosen.map((name) => {
    const run = parts.get(name);
    if (!run)
      throw new Error(`No part is called ${name}: there are ${[...parts.keys()].join(', ')}.`);
    return [name, run] as const;
  });
  const early = startEarly(chosen.slice(1), values.grep);
  const results: Counts[] = [];
  for (const [name, run] of runs) {
    const started = early.get(name);
    results.push(await runPart(name, started ?? (() => run(values.grep)), values.grep));
  }
  const isInTime = performance.now() - begin <= oldestWithinMs;
  if (values.oldest && isInTime)
    results.push(
      await runPart('journeys in the oldest editor', () => runOldest(undefined), undefined),
    );
  else if (values.oldest) console.log('\nThere is no time left for journeys in the oldest editor.');
  const total = sum(results);
  // Who sees the end of the report alone has to see what failed.
  console.log(['', ...total.remarks, format(total)].join('\n'));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
