import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import type { PromptDraft } from '../mcp/promptDraft';
import { displayName } from '../mcp/protocol';
import type { DocumentChoice, DocumentInput } from '../ui/documentInput';
import { previewText } from './previewText';
import { promptActions, type PromptAction } from './promptAction';
import type { PromptPart } from './promptParts';

/** What the person decided in the preview; `undefined` when it was closed. */
export type PreviewAnswer = PromptAction | 'edit' | undefined;

/** Shows every message of a draft in a document and waits for what shall become of them. */
export async function showPreview(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  deps: {
    readonly input: DocumentInput;
    readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
    /** What stands first and is chosen by the keyboard. */
    readonly first: PromptAction;
  },
): Promise<PreviewAnswer> {
  const { text, links } = previewText(draft, parts, vscode.l10n.t);
  const actions = [deps.first, ...promptActions.filter((action) => action !== deps.first)];
  const hasArguments = Object.keys(draft.arguments).length > 0;
  const answer = await deps.input.ask({
    name: `${plainLabel(displayName(draft.prompt), 60)}.mcp-prompt`,
    text,
    readOnly: true,
    files: parts.flatMap(({ file }) => file ?? []),
    links: links.map(({ line, title, target }) => ({
      line,
      title,
      target: 'file' in target ? target.file : deps.resourceUri(draft.server.id, target.resource),
    })),
    choices: [
      ...actions.map(actionChoice),
      ...(hasArguments ? [{ id: 'edit', title: vscode.l10n.t('Edit Arguments…') }] : []),
    ],
  });
  if (answer.choice === 'edit') return 'edit';
  return promptActions.find((action) => action === answer.choice);
}

function actionChoice(action: PromptAction): DocumentChoice {
  return { id: action, title: actionTitle(action) };
}

function actionTitle(action: PromptAction): string {
  switch (action) {
    case 'chat':
      return `$(send) ${vscode.l10n.t('Send to Chat')}`;
    case 'draft':
      return vscode.l10n.t('Open in Chat as Draft');
    case 'insert':
      return vscode.l10n.t('Insert at Cursor');
    case 'copy':
      return vscode.l10n.t('Copy');
    case 'save':
      return vscode.l10n.t('Save as Markdown…');
  }
}
