import * as vscode from 'vscode';
import type { ToolAnnotations } from '../../mcp/protocol/types';

/** What a server claims of its tool, in words; empty when it claims nothing. */
export function hintsOf(annotations: ToolAnnotations = {}): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    word(readOnlyHint, vscode.l10n.t('read-only'), vscode.l10n.t('not read-only')),
    word(destructiveHint, vscode.l10n.t('destructive'), vscode.l10n.t('not destructive')),
    word(idempotentHint, vscode.l10n.t('idempotent'), vscode.l10n.t('not idempotent')),
    word(openWorldHint, vscode.l10n.t('open-world'), vscode.l10n.t('closed-world')),
  ];
  return words.filter((each) => each !== undefined).join(', ');
}

function word(hint: boolean | undefined, yes: string, no: string): string | undefined {
  return hint === undefined ? undefined : hint ? yes : no;
}
