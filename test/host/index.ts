// Called by the extension host: runs the suite next to this file and writes the counts to a file, because a host only
// outputs a log.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { format as formatText } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { format, sum, type Counts } from '../support/run/counts';
import { outputMark, variables, type HostCounts } from '../support/editor/hostProtocol';
import { foldersLost } from '../support/editor/lostFolders';
import { isThrownBelow, keepForeignErrors } from '../support/editor/foreignErrors';
import { runMocha, testFiles } from '../support/run/runMocha';

/** Takes a file if no other window has, so that all windows end together, however long some files take. */
async function claim(claims: string, file: string): Promise<boolean> {
  try {
    await mkdir(join(claims, relative(__dirname, file).replaceAll(/[\\/]/g, '-')));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Dismisses the questions that a failed test left open, hidden ones too. */
async function dismissQuestions(): Promise<void> {
  for (let count = 0; count < 5; count += 1)
    for (const command of ['showQuestions', 'leaveQuestion'])
      await vscode.commands.executeCommand(`mcpWorkbench.${command}`);
}

/** Runs all files, or one after another where other windows may have them, and tells `onCounts` how far it is. */
async function runFiles(
  files: readonly string[],
  onCounts: (counts: Counts, running?: string) => Promise<void>,
): Promise<Counts> {
  const claims = process.env[variables.claims];
  const builtIn = join(vscode.env.appRoot, 'extensions');
  const runSome = (some: readonly string[]) =>
    keepForeignErrors(
      (error) => isThrownBelow(builtIn, error),
      () =>
        runMocha({
          files: some,
          grep: process.env[variables.grep],
          timeout: 30_000,
          isDrawn: true,
          afterFailure: dismissQuestions,
        }),
    );
  if (!claims) return runSome(files);
  const counts: Counts[] = [];
  for (const file of files) {
    if (!(await claim(claims, file))) continue;
    await onCounts(sum(counts), relative(__dirname, file));
    counts.push(await runSome([file]));
  }
  return sum(counts);
}

/** Runs the host tests; rejects if one failed or none ran, and with {@link foldersLost} before that. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...text: unknown[]) =>
    console.log(outputMark + formatText(...text));
  if (!vscode.workspace.workspaceFolders?.length) throw new Error(foldersLost);
  const result = process.env[variables.result];
  const write = async (counts: HostCounts) => {
    if (result) await writeFile(result, JSON.stringify(counts));
  };
  const files = process.env[variables.files];
  const counts = await runFiles(
    files
      ? (JSON.parse(files) as string[]).map((file) => join(__dirname, file))
      : testFiles(__dirname),
    (some, running) => write({ ...some, running }),
  );
  await write(counts);
  if (counts.failed > 0) throw new Error(format(counts));
}
