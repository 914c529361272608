import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { Command } from '../../ui/ids';
import { diagnosticSource } from '../diagnostics';
import type { ReadingProblem } from '../reading';
import { findServers } from './mcpJson';

const files = { pattern: '**/{.mcp.json,.github/mcp.json,mcp-config.json}' };
const fix: ReadingProblem['fix'] = 'moveToSettings';

/** Offers *Move to Settings* for servers that other applications reading the same file cannot use. */
export function createMoveFix(): Disposable {
  const { QuickFix } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    files,
    {
      provideCodeActions(document, _range, { diagnostics }) {
        const marks = diagnostics.filter(
          ({ source, code }) => source === diagnosticSource && code === fix,
        );
        if (marks.length === 0) return [];
        const servers = findServers(document.getText(), [['mcpServers'], ['servers']]);
        return marks.flatMap((mark) => {
          const { line, character } = mark.range.start;
          const server = servers.find(
            ({ range }) => range.line === line && range.character === character,
          );
          if (!server) return [];
          const title = vscode.l10n.t('Move to Settings');
          const action = new vscode.CodeAction(title, QuickFix);
          action.diagnostics = [mark];
          action.isPreferred = true;
          action.command = {
            command: Command.moveToSettings,
            title,
            arguments: [document.uri.toString(), server.name],
          };
          return [action];
        });
      },
    },
    { providedCodeActionKinds: [QuickFix] },
  );
}
