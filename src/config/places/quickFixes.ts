import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { Command } from '../../ui/ids';
import { diagnosticSource } from '../diagnostics';
import type { ReadingProblem } from '../reading';
import { findServers } from './mcpJson';
import { respell } from './respell';

const files = { pattern: '**/{.mcp.json,mcp.json,mcp-config.json,devcontainer.json}' };
const parents = [
  ['mcpServers'],
  ['servers'],
  ['customizations', 'vscode', 'mcp', 'servers'],
  ['customizations', 'vscode', 'mcp', 'mcpServers'],
];

type Fix = NonNullable<ReadingProblem['fix']>;

/**
 * Offers *Move to Settings* for servers that other applications reading the same file cannot use, and the spelling of
 * `mcp.json` for what is written in another one.
 */
export function createQuickFixes(): Disposable {
  const { QuickFix } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    files,
    {
      provideCodeActions(document, _range, { diagnostics }) {
        const marks = diagnostics.filter(({ source }) => source === diagnosticSource);
        return marks.flatMap((mark) => {
          const make = Object.entries(fixes).find(([fix]) => fix === mark.code)?.[1];
          const fix = make?.(document, mark.range.start);
          if (!fix) return [];
          const action = new vscode.CodeAction(fix.title, QuickFix);
          action.diagnostics = [mark];
          action.isPreferred = true;
          return [Object.assign(action, fix)];
        });
      },
    },
    { providedCodeActionKinds: [QuickFix] },
  );
}

type Fixed = Pick<vscode.CodeAction, 'title' | 'command' | 'edit'>;

const fixes: Readonly<
  Record<Fix, (document: vscode.TextDocument, at: vscode.Position) => Fixed | undefined>
> = {
  moveToSettings(document, { line, character }) {
    const servers = findServers(document.getText(), parents);
    const server = servers.find(
      ({ range }) => range.line === line && range.character === character,
    );
    const title = vscode.l10n.t('Move to Settings');
    const command = Command.moveToSettings;
    return (
      server && {
        title,
        command: { command, title, arguments: [document.uri.toString(), server.name] },
      }
    );
  },
  respell(document, at) {
    const edits = respell(document.getText(), parents, document.offsetAt(at));
    if (edits.length === 0) return undefined;
    const edit = new vscode.WorkspaceEdit();
    for (const { offset, length, content } of edits) {
      const range = new vscode.Range(
        document.positionAt(offset),
        document.positionAt(offset + length),
      );
      edit.replace(document.uri, range, content);
    }
    return { title: vscode.l10n.t('Write It as in mcp.json'), edit };
  },
};
