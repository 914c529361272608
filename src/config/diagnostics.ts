import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from './configuration';
import type { ConfigHint } from './mergeLayers';

/** The source that our diagnostics in files name. */
export const diagnosticSource = 'MCP Workbench';

/** Marks in files the parts of the configuration that cannot be used, and those that are probably mistakes. */
export function createDiagnostics(configuration: Configuration): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('mcpWorkbench'));
  store.add(
    configuration.onDidChange(({ problems, hints }) => {
      const { Error, Information } = vscode.DiagnosticSeverity;
      const marks = [
        ...problems.map((problem) => toMark(problem, Error)),
        ...hints.map((hint) => toMark(hint, Information)),
      ];
      collection.clear();
      const byFile = Map.groupBy(marks, ({ uri }) => uri);
      for (const [uri, found] of byFile)
        if (uri !== undefined)
          collection.set(
            vscode.Uri.parse(uri),
            found.map(({ diagnostic }) => diagnostic),
          );
    }),
  );
  return store;
}

function toMark({ message, range, reading, fix }: ConfigHint, severity: vscode.DiagnosticSeverity) {
  const place = range
    ? new vscode.Range(range.line, range.character, range.endLine, range.endCharacter)
    : new vscode.Range(0, 0, 0, 0);
  const diagnostic = new vscode.Diagnostic(place, message, severity);
  diagnostic.source = diagnosticSource;
  if (fix !== undefined) diagnostic.code = fix;
  return { uri: reading.uri, diagnostic };
}
