// A program of its own: `testAll.js [unit|conformance|third-party|host|journeys] [--grep pattern]`. Its last line is the total.
import { parseArgs } from 'node:util';
import { format, sum, type Counts } from './counts';
import { forkPart } from './forkPart';
import { runHostTests } from '../editor/hostRunner';

type Run = (grep: string | undefined) => Promise<Counts>;

function mochaPart(folder: string, timeoutMs: number): Run {
  return (grep) =>
    forkPart('support/run/mochaPart', [folder, String(timeoutMs), ...(grep ? [grep] : [])]);
}

const parts = new Map<string, Run>([
  ['unit', mochaPart('unit', 10_000)],
  ['conformance', () => forkPart('support/run/conformance', [])],
  ['third-party', () => forkPart('headless/thirdParty', [])],
  ['host', runHostTests],
  ['journeys', mochaPart('journeys', 180_000)],
]);

async function runPart(name: string, run: Run, grep: string | undefined): Promise<Counts> {
  console.log(`\n${name}`);
  const counts = await run(grep).catch((error: unknown) => {
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
  const results: Counts[] = [];
  for (const name of chosen) {
    const run = parts.get(name);
    if (!run)
      throw new Error(`No part is called ${name}: there are ${[...parts.keys()].join(', ')}.`);
    results.push(await runPart(name, run, values.grep));
  }
  const total = sum(results);
  console.log(`\n${format(total)}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
