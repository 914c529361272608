import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { parseCalls } from '../calls/format/parseCalls';
import { Command } from '../ui/ids';
import { callsGlob } from './callsDocuments';

/** Shows commands above each step in files of saved calls. */
export function createCallsLenses(): Disposable {
  return vscode.languages.registerCodeLensProvider(
    { pattern: callsGlob },
    {
      provideCodeLenses(document) {
        const { t } = vscode.l10n;
        return parseCalls(document.getText()).steps.flatMap(({ name, range }) => {
          const line = new vscode.Range(range.line, 0, range.line, 0);
          const lens = (title: string, command: string) =>
            new vscode.CodeLens(line, { title, command, arguments: [document.uri, name] });
          return [
            lens(t('$(play) Run'), Command.runSavedCall),
            lens(t('Update Expectation'), Command.updateExpectation),
          ];
        });
      },
    },
  );
}
