// A program of its own: `testAll.js [unit|fuzz|conformance|third-party|host|journeys] [--grep pattern]`. Its last line is the total.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { format, sum, type Counts } from './counts';
import { forkPart } from './forkPart';
import { runHostTests } from '../editor/hostRunner';

type Run = (grep: string | undefined) => Promise<Counts>;

function mochaPart(folder: string, timeoutMs: number): Run {
  return (grep) =>
    forkPart('support/run/mochaPart', [folder, String(timeoutMs), ...(grep ? [grep] : [])]);
}

const runConformance = (turn?: Promise<void>) => forkPart('support/run/conformance', [], turn);

const parts = new Map<string, Run>([
  ['unit', mochaPart('unit', 10_000)],
  // A body is a request of its own, and takes as long as many frames of a stream; other programs may run beside.
  [
    'fuzz',
    () => forkPart('bench/fuzz', ['--frames', '50000', '--bodies', '4000', '--stall', '2000']),
  ],
  ['conformance', () => runConformance()],
  ['third-party', () => forkPart('headless/thirdParty', [])],
  ['host', runHostTests],
  ['journeys', mochaPart('journeys', 180_000)],
]);

async function runPart(
  name: string,
  run: () => Promise<Counts>,
  grep: string | undefined,
): Promise<Counts> {
  console.log(`\n${name}`);
  const counts = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  console.log(`${name}: ${format(counts)}`);
  // With a pattern it is natural that a part has no match; without one it means that the tests were not found.
  const none = counts.passed + counts.failed + counts.skipped === 0 && !grep;
  if (none) console.log(`${name}: no test was run`);
  return none ? { ...counts, failed: 1 } : counts;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' } },
  });
  const chosen = positionals.length > 0 ? positionals : [...parts.keys()];
  const runs = chosen.map((name) => {
    const run = parts.get(name);
    if (!run)
      throw new Error(`No part is called ${name}: there are ${[...parts.keys()].join(', ')}.`);
    return [name, run] as const;
  });
  // Where there are cores for both, it goes on beside what comes before it, and is shown in turn.
  let isTurn = (): void => {};
  const turn = new Promise<void>((resolve) => (isTurn = resolve));
  const isEarly = chosen.indexOf('conformance') > 0 && availableParallelism() > 2;
  const early = isEarly ? runConformance(turn) : undefined;
  const results: Counts[] = [];
  for (const [name, run] of runs) {
    const isStarted = early !== undefined && name === 'conformance';
    if (isStarted) isTurn();
    results.push(await runPart(name, () => (isStarted ? early : run(values.grep)), values.grep));
  }
  const total = sum(results);
  console.log(`\n${format(total)}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
