import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';
import { skippedInWine } from '../windows/inWine';
import type { Counts } from './counts';

/** The longest reason in a remark, in characters: short enough for the place in the test to stand behind it. */
const maxReason = 150;

/** What to run: the tests of these files, or only those whose full title matches `grep`. */
export interface MochaOptions {
  files: readonly string[];
  grep?: string | undefined;
  /** Milliseconds that one test may take. */
  timeout: number;
  /** True if an editor draws what is tested: in CI, such a test gets a second try, and is reported if it needs it. */
  isDrawn: boolean;
  /** Closes what a failed test left open, which the next one would wait behind. */
  afterFailure?: () => Promise<unknown>;
}

/** Also true for a test that is tried again, which the runner calls neither failed nor passed. */
export function hasFailed(test: Mocha.Test | undefined): test is Mocha.Test {
  return test !== undefined && test.state !== 'passed' && !test.isPending();
}

/** Returns the compiled test files below a folder, sorted by name. */
export function testFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .toSorted()
    .map((name) => join(directory, name));
}

/** Says what went wrong and where in the test, for the end of a long run, which may be all that others see. */
function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const what = stripVTControlCharacters(error.message).replaceAll(/\s+/g, ' ').slice(0, maxReason);
  const where = /[\w-]+\.test\.js:\d+/.exec(error.stack ?? '')?.[0];
  return where === undefined ? what : `${what} (${where})`;
}

/** Runs compiled tests in this process; rejects if a test file throws while loading. */
export function runMocha({
  files,
  grep,
  timeout,
  isDrawn,
  afterFailure,
}: MochaOptions): Promise<Counts> {
  const isCi = !!process.env['CI'];
  const print = Mocha.reporters.Base.consoleLog;
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    timeout,
    forbidOnly: isCi,
    retries: isCi && isDrawn ? 1 : 0,
    rootHooks: {
      beforeEach(this: Mocha.Context) {
        if (skippedInWine(this.currentTest?.fullTitle() ?? '') !== undefined) this.skip();
      },
      async afterEach(this: Mocha.Context) {
        if (hasFailed(this.currentTest)) await afterFailure?.().catch(print);
      },
    },
  });
  if (grep) mocha.grep(new RegExp(grep));
  for (const file of files) mocha.addFile(file);
  const remarks: string[] = [];
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      // What it listens to on the process would outlast it, and one rejection that nobody handles go round in circles.
      runner.dispose();
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures, skipped: pending, remarks });
    });
    const remark = (what: string) => (test: Mocha.Runnable, error: unknown) => {
      // The reporter gives reasons only at the end, which a run that is stopped does not reach.
      print('%s', error instanceof Error ? error.message : String(error));
      remarks.push(`${what}: ${test.fullTitle()}: ${inOneLine(error)}`);
    };
    runner.on('fail', remark('failed'));
    runner.on('retry', remark('tried twice, a defect to find'));
  });
}
