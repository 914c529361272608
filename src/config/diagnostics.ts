import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from './configuration';
import type { ConfigProblem } from './mergeReadings';

/** Marks in files what of the configuration cannot be used. */
export function createDiagnostics(configuration: Configuration): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('mcpWorkbench'));
  store.add(
    configuration.onDidChange(({ problems }) => {
      const byFile = Map.groupBy(
        problems.filter(({ reading }) => reading.uri !== undefined),
        ({ reading }) => reading.uri ?? '',
      );
      collection.clear();
      for (const [uri, found] of byFile)
        collection.set(vscode.Uri.parse(uri), found.map(toDiagnostic));
    }),
  );
  return store;
}

function toDiagnostic({ message, range }: ConfigProblem): vscode.Diagnostic {
  const place = range
    ? new vscode.Range(range.line, range.character, range.endLine, range.endCharacter)
    : new vscode.Range(0, 0, 0, 0);
  const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'MCP Workbench';
  return diagnostic;
}
