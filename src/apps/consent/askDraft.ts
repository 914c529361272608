import * as vscode from 'vscode';
import { wrapLine } from '../../base/text/rows';
import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import { openChat, showInstead } from '../../ui/editorChat';
import type { UserAction } from '../../ui/questions/question';
import type { Questions } from '../../ui/questions/questions';
import { pickItem } from '../../ui/steps/pickItem';
import { type PickLook, separator } from '../../ui/rows/picks';

/** Returns a server's text as a draft in which the chat recognizes no commands, mentions, or variables. */
export function draftText(text: string): string {
  // The space goes after the whole run of signs: within the run it would leave the last sign active.
  return text.replaceAll(/(^|\s)([@#/]+)(?=[^\s@#/])/g, '$1$2 ');
}

type Item = PickLook & { readonly choice?: 'draft' | 'copy' | 'decline' };

interface Answer {
  readonly choice?: Item['choice'];
  readonly action?: UserAction | undefined;
}

const shownLines = 8;

/**
 * Shows a message that an app wants to send, and puts it into the chat as a draft to edit or send, or copies
 * it, as the user chooses; false if the user did not accept it.
 */
export async function askDraft(
  server: Server,
  text: string,
  questions: Questions,
  signal: AbortSignal,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const outcome = await questions.ask<Answer>(
    {
      info: { kind: 'elicitation', server, what: t('write a message') },
      declined: { choice: 'decline' },
      ask: async (context) => {
        const picked = await pickItem<Item>({
          frame: {
            title: t('An app of {0} wrote a message', plainLabel(server.name, 60)),
            actions: [],
            context,
          },
          placeholder: t('Enter declines.'),
          items: itemsOf(text),
          isString: ({ choice }) => choice === undefined,
        });
        return typeof picked === 'string' ? {} : { choice: picked.choice, action: context.wanted };
      },
    },
    signal,
  );
  const { choice, action }: Answer = outcome.kind === 'answered' ? outcome.answer : {};
  const why =
    choice === 'draft' && action
      ? await openChat({ query: draftText(text), submit: false, permit: action })
      : undefined;
  if (why !== undefined) await showInstead(why, text, action);
  if (choice === 'copy') await vscode.env.clipboard.writeText(text);
  return choice === 'draft' || choice === 'copy';
}

function itemsOf(text: string): readonly Item[] {
  const { t } = vscode.l10n;
  const lines = text.split('\n').flatMap((line) => wrapLine(plainLabel(line, 1000)));
  const shown = lines.slice(0, shownLines);
  const more = lines.length - shown.length;
  return [
    separator(t('Message')),
    ...shown.map((label) => ({ label, isLaidOut: true })),
    ...(more > 0 ? [{ label: t('and {0} more lines', more) }] : []),
    separator(t('Your decision')),
    {
      label: t('Decline'),
      iconPath: new vscode.ThemeIcon('close'),
      choice: 'decline',
      grantsNothing: true,
    },
    {
      label: t('Put in Chat'),
      description: t('nothing is sent until you send it'),
      iconPath: new vscode.ThemeIcon('comment'),
      choice: 'draft',
    },
    { label: t('Copy Message'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
  ];
}
