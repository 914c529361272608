import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { DocumentChoice } from '../../ui/documents/choiceCommands';
import { Command } from '../../ui/ids';
import { actionText } from './actionTexts';
import { type PreviewWords, previewText } from './previewText';
import { type PromptAction, promptActions } from '../promptEntry';
import type { PromptPart } from './promptParts';
import type { UserAction } from '../../ui/questions/question';
import type { Leave } from '../../ui/keyboard';

/** Returns the texts of a preview in the editor's language. */
function previewWords(): PreviewWords {
  return {
    t: l10n.t,
    user: l10n.t('User'),
    assistant: l10n.t('Assistant'),
    arguments: l10n.t('Arguments'),
    image: l10n.t('image'),
    audio: l10n.t('audio'),
    binary: l10n.t('binary'),
    embeddedResource: l10n.t('embedded resource'),
    resourceLink: l10n.t('resource link'),
    unreadable: l10n.t('unreadable'),
    openResource: l10n.t('Open Resource'),
    open: (file) => l10n.t('Open {0}', file),
    hidden: (messages) =>
      l10n.t('Messages with hidden characters, shown below as ⟨U+…⟩: {0}.', messages),
    otherType: (type) =>
      type
        ? l10n.t('The content does not match the type that the server gave: it is {0}.', type)
        : l10n.t('The content does not match the type that the server gave.'),
    audience: (roles) => l10n.t('for: {0}', roles),
    priority: (priority) => l10n.t('priority {0}', priority),
    changed: (time) => l10n.t('changed {0}', time),
    rest: (characters) => l10n.t('… and {0} more characters in the file.', characters),
  };
}

/** The user's decision in the preview, and their action; `undefined` if they closed it. */
export type PreviewAnswer =
  { readonly choice: PromptAction | 'edit'; readonly by: UserAction | undefined } | undefined;

/** Shows every message of a draft in a document and waits until the user decides where they go. */
export async function showPreview(
  draft: PromptDraft,
  parts: readonly PromptPart[],
  deps: {
    readonly input: DocumentInput;
    readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
    /** The action that comes first, which the keyboard shortcut chooses. */
    readonly first: PromptAction;
    /** Absent if the user has turned to something else in the meantime. */
    readonly leave: Leave;
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
    leave: deps.leave,
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
  const made = [...promptActions, 'edit' as const].find((action) => action === answer.choice);
  return made && { choice: made, by: answer.action };
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
