import * as vscode from 'vscode';
import { listText } from '../../base/translate';
import type { ToolAnnotations } from '../../mcp/protocol/types';

/** Describes what a server claims about its tool; empty if it claims nothing. */
export function hintsOf(annotations: ToolAnnotations = {}): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    word(readOnlyHint, vscode.l10n.t('only reads'), vscode.l10n.t('may change things')),
    word(destructiveHint, vscode.l10n.t('may delete or overwrite'), vscode.l10n.t('only adds')),
    word(idempotentHint, vscode.l10n.t('safe to repeat'), vscode.l10n.t('not safe to repeat')),
    word(openWorldHint, vscode.l10n.t('reaches outside systems'), vscode.l10n.t('stays local')),
  ];
  const claimed = words.filter((each) => each !== undefined);
  return listText(claimed, vscode.l10n.t);
}

function word(hint: boolean | undefined, yes: string, no: string): string | undefined {
  return hint === undefined ? undefined : hint ? yes : no;
}
