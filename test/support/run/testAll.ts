// A standalone program: `testAll.js [quick|rest|part]… [--grep pattern]` runs parts of the tests, all of them by default.
// Its last line is the total. With `unit --watch`, it goes on with the unit tests of each file that is saved.
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deferred } from '../../../src/base/async';
import { installBrowser } from '../editor/browser';
import { chosenVersion, editorVersions, installEditor, type EditorChoice } from '../editor/editor';
import { repositoryRoot } from '../paths';
import { onWindows } from '../windows/inWine';
import { changedFiles, readGraph, testsOfChange, watchSources } from './changed';
import { format, formatEnd, sum, type Counts } from './counts';
import { execute } from './execute';
import { atOnce, namedParts, parts, runUnit, type Part } from './parts';

function partOf(name: string): Part {
  const part = parts[name];
  if (part) return part;
  throw new Error(`No part is called ${name}.`);
}

/** Several times what the longest part takes; a program that never ends is named then, and ended with this one. */
const longestPartMs = 30 * 60_000;

async function runPart(
  name: string,
  run: () => Promise<Counts>,
  mayBeEmpty: boolean,
): Promise<Counts> {
  const tooLong = new AbortController();
  const failed = (message: string) => ({
    passed: 0,
    failed: 1,
    skipped: 0,
    remarks: [`failed: ${message}`],
  });
  const counts = await Promise.race([
    run().catch((error: unknown) => failed(error instanceof Error ? error.message : String(error))),
    setTimeout(longestPartMs, undefined, { signal: tooLong.signal }).then(() =>
      failed(`${name} did not end within ${longestPartMs / 60_000} minutes`),
    ),
  ]);
  tooLong.abort();
  // With a pattern, a part may well have no match; else it means that the tests were not found.
  const none = counts.passed + counts.failed + counts.skipped === 0 && !mayBeEmpty;
  return none ? { ...counts, failed: 1, remarks: ['failed: no test was run'] } : counts;
}

/** Runs parts in order, some of them beside others if there are enough cores. */
async function runParts(names: readonly string[], grep: string | undefined): Promise<Counts[]> {
  const begun = new Map<string, { show(): void; counts: Promise<Counts> }>();
  const begin = (name: string, isBeside: boolean) => {
    const turn = deferred<void>();
    const shownAfter = isBeside ? turn.promise : undefined;
    const counts = runPart(
      name,
      () => partOf(name).run({ grep, shownAfter }),
      grep !== undefined || name === 'changed',
    );
    const part = { show: () => turn.resolve(), counts };
    begun.set(name, part);
    return part;
  };
  const results: Counts[] = [];
  for (const name of names) {
    console.log(`\n${name}`);
    const startedAt = performance.now();
    const part = begun.get(name) ?? begin(name, false);
    for (const beside of partOf(name).besides ?? [])
      if (atOnce > 1 && names.includes(beside) && !begun.has(beside)) begin(beside, true);
    part.show();
    const counts = await part.counts;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${name}: ${format(counts)} (${seconds} s)`);
    results.push(counts);
  }
  return results;
}

/** Downloads editors and a browser while tests run that do not need them. */
function fetchEarly(names: readonly string[]): void {
  const needed = names.flatMap((name) => partOf(name).editor ?? []);
  if (needed.length === 0) return;
  const choices: Record<(typeof needed)[number], EditorChoice | undefined> = {
    chosen: chosenVersion(),
    oldest: editorVersions[0],
    windows: onWindows,
  };
  const fetched = [...new Set(needed)].map((which) => installEditor(choices[which]));
  // The part that needs one tries again, and says why there is none.
  Promise.all([installBrowser(), ...fetched]).catch(() => undefined);
}

/** Runs the unit tests of what differs from `main`, and then those of each file that is saved. */
async function watchUnit(grep: string | undefined): Promise<void> {
  const run = async (files: readonly string[]) => {
    const { unit } = testsOfChange(files, await readGraph());
    const counts = sum(unit.length > 0 ? [await runUnit(unit, { grep })] : []);
    console.log(['', ...formatEnd(counts), 'Waiting for changes…'].join('\n'));
  };
  await run(await changedFiles());
  watchSources(async (files) => {
    const { code, output } = await execute(process.execPath, ['esbuild.mjs'], {
      cwd: repositoryRoot,
    });
    if (code === 0) await run(files);
    else console.log(output);
  });
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' }, watch: { type: 'boolean' } },
  });
  if (values.watch) {
    if (positionals.join() !== 'unit') throw new Error('Only unit tests can be run with --watch.');
    await watchUnit(values.grep);
    return;
  }
  const names = namedParts(positionals);
  fetchEarly(names);
  const total = sum(await runParts(names, values.grep));
  // Readers who see only the end of the report must see what failed.
  console.log(['', ...formatEnd(total)].join('\n'));
  const isNone = total.passed + total.skipped === 0 && !names.includes('changed');
  // A part that did not end would keep this process.
  process.exit(total.failed > 0 || isNone ? 1 : 0);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
