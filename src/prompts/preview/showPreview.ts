import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { DocumentChoice, DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { actionText } from './actionTexts';
import { previewText } from './previewText';
import { previewWords } from './previewWords';
import { promptActions, type PromptAction } from '../promptAction';
import type { PromptPart } from './promptParts';

/** The user's decision in the preview; `undefined` if they closed it. */
export type PreviewAnswer = PromptAction | 'edit' | undefined;

/** Shows every message of a draft in a document and waits until the user decides where they go. */
export async function showPreview(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  deps: {
    readonly input: DocumentInput;
    readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
    /** The action that comes first, which the keyboard shortcut chooses. */
    readonly first: PromptAction;
    /** False if the user has turned to something else in the meantime. */
    readonly takesFocus: boolean;
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
    takesFocus: deps.takesFocus,
    files: parts.flatMap(({ file }) => file ?? []),
    links: links.map(({ line, title, target }) => ({
      line,
      title,
      target: 'file' in target ? target.file : deps.resourceUri(draft.server.id, target.resource),
    })),
    choices: [
      ...actions.map((action) => ({
        ...actionChoice(action, action === deps.first, parts.length > 1),
        // Shown above the first link that it is about, which also keeps the first line short.
        ...(action === 'chatWithLinks' &&
          action !== deps.first &&
          linkLine !== undefined && { line: linkLine }),
      })),
      ...(argumentsLine === undefined
        ? []
        : [
            {
              id: 'edit',
              title: vscode.l10n.t('Edit Arguments…'),
              line: argumentsLine,
              command: Command.editPromptArguments,
            },
          ]),
    ],
  });
  if (answer.choice === 'edit') return 'edit';
  return promptActions.find((action) => action === answer.choice);
}

/** @param folds whether there are several messages. */
function actionChoice(action: PromptAction, isFirst: boolean, folds: boolean): DocumentChoice {
  const { label, icon, tooltip, command } = actionText(action, folds);
  return {
    id: action,
    title: isFirst || action === 'return' ? `$(${icon}) ${label}` : label,
    ...(tooltip !== undefined && { tooltip }),
    ...(command !== undefined && { command }),
  };
}
