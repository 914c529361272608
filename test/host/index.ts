// What the extension host calls: it runs the suite beside it and leaves the counts in a file, because only a log comes out of a host.
import { writeFile } from 'node:fs/promises';
import { format as formatText } from 'node:util';
import Mocha from 'mocha';
import { format } from '../support/run/counts';
import { outputMark, variables } from '../support/editor/hostProtocol';
import { runMocha, testFiles } from '../support/run/runMocha';

/** Runs the host tests; rejects when one failed, and when none ran. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...text: unknown[]) =>
    console.log(outputMark + formatText(...text));
  const counts = await runMocha({
    files: testFiles(__dirname),
    grep: process.env[variables.grep],
    timeout: 30_000,
    isDrawn: true,
  });
  const file = process.env[variables.result];
  if (file) await writeFile(file, JSON.stringify(counts));
  if (counts.failed > 0) throw new Error(format(counts));
}
