import * as vscode from 'vscode';
import { wrapLine } from '../../base/text/rows';
import { plainLabel, revealHidden } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { createReader } from '../../ui/documents/wholeText';
import { openChat, showInstead } from '../../ui/editorChat';
import type { QuestionContext, UserAction } from '../../ui/questions/question';
import type { Questions } from '../../ui/questions/questions';
import { pickItem } from '../../ui/steps/pickItem';
import { type PickLook, separator } from '../../ui/rows/picks';
import { copyText } from '../../ui/clipboard';

/** Returns a server's text as a draft in which the chat recognizes no commands, mentions, or variables. */
export function draftText(text: string): string {
  // The space goes after the whole run of signs: within the run it would leave the last sign active.
  return text.replaceAll(/(^|\s)([@#/]+)(?=[^\s@#/])/g, '$1$2 ');
}

type Item = PickLook & { readonly choice?: 'draft' | 'copy' | 'decline' | 'all' };

interface Answer {
  readonly choice?: Item['choice'];
  readonly action?: UserAction | undefined;
}

const shownLines = 8;

/**
 * Shows a message that an app wants to send, and puts it into the chat as a draft to edit or send, or copies
 * it, as the user chooses; false if the user did not accept it. What is hidden in it is visible wherever it goes.
 */
export async function askDraft(
  server: Server,
  message: string,
  { questions, input }: { readonly questions: Questions; readonly input: DocumentInput },
  signal: AbortSignal,
): Promise<boolean> {
  const text = revealHidden(message);
  const outcome = await questions.ask<Answer>(
    {
      info: { kind: 'elicitation', server, what: vscode.l10n.t('write a message') },
      declined: { choice: 'decline' },
      ask: (context) => ask(server, text, context, input),
    },
    signal,
  );
  const { choice, action }: Answer = outcome.kind === 'answered' ? outcome.answer : {};
  const why =
    choice === 'draft' && action
      ? await openChat({ query: draftText(text), submit: false, permit: action })
      : undefined;
  if (why !== undefined) await showInstead(why, text, action);
  if (choice === 'copy') await copyText(text);
  return choice === 'draft' || choice === 'copy';
}

async function ask(
  server: Server,
  text: string,
  context: QuestionContext,
  input: DocumentInput,
): Promise<Answer> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const showAll = createReader(`${name}.txt`, () => text, context.signal, input);
  for (;;) {
    const picked = await pickItem<Item>({
      frame: { title: t('An app of {0} wrote a message', name), actions: [], context },
      placeholder: t('Enter declines.'),
      items: itemsOf(text),
      isString: ({ choice }) => choice === undefined,
    });
    if (typeof picked === 'string') return {};
    if (picked.choice !== 'all') return { choice: picked.choice, action: context.wanted };
    await context.setAside(() => showAll(context.wanted));
    if (context.signal.aborted) return {};
  }
}

function itemsOf(text: string): readonly Item[] {
  const { t } = vscode.l10n;
  // A line that is cut fills more rows than are shown.
  const lines = text.split('\n').flatMap((line) => wrapLine(line));
  const shown = lines.slice(0, shownLines);
  const more = lines.length - shown.length;
  return [
    separator(t('Message')),
    ...shown.map((label) => ({ label, isLaidOut: true })),
    ...(more > 0
      ? [
          {
            label: t('Show All ({0} more lines)', more),
            iconPath: new vscode.ThemeIcon('go-to-file'),
            choice: 'all' as const,
          },
        ]
      : []),
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
