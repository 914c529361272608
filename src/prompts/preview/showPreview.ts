import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { DocumentChoice, DocumentInput } from '../../ui/documents/documentInput';
import { previewText } from './previewText';
import { previewWords } from './previewWords';
import { promptActions, type PromptAction } from '../promptAction';
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
  const { text, links, argumentsLine } = previewText(draft, parts, previewWords());
  const hasLinks = parts.some(({ part }) => part.kind === 'link');
  const offered = promptActions.filter(
    (action) => action !== 'return' && (action !== 'chatWithLinks' || hasLinks),
  );
  const actions = [...new Set([deps.first, ...offered])];
  const linkLine = links.find(({ target }) => 'resource' in target)?.line;
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
      ...actions.map((action) => ({
        ...actionChoice(action),
        // Beside what it is about, which also keeps the first line short.
        ...(action === 'chatWithLinks' &&
          action !== deps.first &&
          linkLine !== undefined && { line: linkLine }),
      })),
      ...(argumentsLine === undefined
        ? []
        : [{ id: 'edit', title: vscode.l10n.t('Edit Arguments…'), line: argumentsLine }]),
    ],
  });
  if (answer.choice === 'edit') return 'edit';
  return promptActions.find((action) => action === answer.choice);
}

function actionChoice(action: PromptAction): DocumentChoice {
  switch (action) {
    case 'chat':
      return { id: action, title: `$(send) ${vscode.l10n.t('Send to Chat')}` };
    case 'chatWithLinks':
      return {
        id: action,
        title: vscode.l10n.t('Send with Linked Resources'),
        tooltip: vscode.l10n.t('Read the linked resources and send them along'),
      };
    case 'draft':
      return { id: action, title: vscode.l10n.t('Open in Chat as Draft') };
    case 'insert':
      return { id: action, title: vscode.l10n.t('Insert at Cursor') };
    case 'copy':
      return {
        id: action,
        title: vscode.l10n.t('Copy'),
        tooltip: vscode.l10n.t('Copy the messages as text'),
      };
    case 'return':
      return { id: action, title: `$(check) ${vscode.l10n.t('Use This Text')}` };
    case 'save':
      return { id: action, title: vscode.l10n.t('Save as Markdown') };
  }
}
