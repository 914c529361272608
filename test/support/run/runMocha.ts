import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import type { Counts } from './counts';

/** What to run: all `*.test.js` below a folder, or those whose full title matches `grep`. */
export interface MochaOptions {
  directory: string;
  grep?: string | undefined;
  /** Milliseconds that one test may take. */
  timeout: number;
}

/** Runs compiled tests in this process; a test file that throws while loading rejects. */
export function runMocha({ directory, grep, timeout }: MochaOptions): Promise<Counts> {
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    timeout,
    forbidOnly: !!process.env['CI'],
  });
  if (grep) mocha.grep(new RegExp(grep));
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (name.endsWith('.test.js')) mocha.addFile(join(directory, name));
  }
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures, skipped: pending });
    });
    // The reporter says why at the end alone, which a run that is stopped does not reach.
    runner.on('fail', (_, error: unknown) =>
      Mocha.reporters.Base.consoleLog('%s', error instanceof Error ? error.message : error),
    );
  });
}
