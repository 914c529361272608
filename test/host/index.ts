// Called by the extension host: runs the suite next to this file and writes the counts to a file, because a host only
// outputs a log.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format as formatText } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { format } from '../support/run/counts';
import { outputMark, variables } from '../support/editor/hostProtocol';
import { foldersLost } from '../support/editor/lostFolders';
import { isThrownBelow, keepForeignErrors } from '../support/editor/foreignErrors';
import { runMocha, testFiles } from '../support/run/runMocha';

/** Runs the host tests; rejects if one failed or none ran, and with {@link foldersLost} before that. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...text: unknown[]) =>
    console.log(outputMark + formatText(...text));
  if (!vscode.workspace.workspaceFolders?.length) throw new Error(foldersLost);
  const builtIn = join(vscode.env.appRoot, 'extensions');
  const files = process.env[variables.files];
  const counts = await keepForeignErrors(
    (error) => isThrownBelow(builtIn, error),
    () =>
      runMocha({
        files: files ? (JSON.parse(files) as string[]) : testFiles(__dirname),
        grep: process.env[variables.grep],
        timeout: 30_000,
        isDrawn: true,
      }),
  );
  const file = process.env[variables.result];
  if (file) await writeFile(file, JSON.stringify(counts));
  if (counts.failed > 0) throw new Error(format(counts));
}
