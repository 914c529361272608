import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { backToQuestion } from '../../ui/documents/backToQuestion';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { launchText } from '../launch/launch';
import type { TrustQuestion } from './trustQuestion';

const beforeName = 'before.mcp-review';
const nowName = 'now.mcp-review';
const allName = 'all.mcp-review';
/** The line below the heading of each launch if there are several. */
const rule = '─'.repeat(60);

/** Shows all of a launch in a document until that is closed. */
export async function showLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  signal: AbortSignal,
): Promise<void> {
  await input.ask({
    name: nameOf(question),
    text: wholeText(question),
    ...comparison([question]),
    readOnly: true,
    choices: [backToQuestion()],
    signal,
  });
}

/** Shows how a launch has changed, with a link to all of it, until the document is closed. */
export async function showChangedLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  signal: AbortSignal,
): Promise<void> {
  const { now, before } = comparable(question);
  await input.ask({
    name: nowName,
    text: now,
    files: [
      { name: beforeName, content: before },
      { name: allName, content: wholeText(question) },
    ],
    comparedWith: beforeName,
    links: [{ line: 0, title: vscode.l10n.t('Show All'), target: allName }],
    readOnly: true,
    choices: [backToQuestion()],
    signal,
  });
}

/** Asks the user to confirm launches in one document that shows all of each; resolves to true if they did. */
export async function confirmLaunches(
  questions: readonly TrustQuestion[],
  input: DocumentInput,
  signal: AbortSignal,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const [first, ...others] = questions;
  if (!first) return true;
  const count = questions.length;
  const { choice } = await input.ask({
    name: others.length === 0 ? nameOf(first) : `${t('{0} servers', count)}.mcp-review`,
    text: numbered(questions.map(wholeText)),
    ...comparison(questions),
    readOnly: true,
    choices: [
      {
        id: 'trust',
        title: `$(shield) ${others.length === 0 ? t('Trust and Start') : t('Trust and Start {0} Servers', count)}`,
        command: Command.trustAndStart,
      },
      backToQuestion(),
    ],
    signal,
  });
  return choice === 'trust';
}

/** Joins texts below headings that nothing in a text can pass for, as its own words are indented. */
function numbered(texts: readonly string[]): string {
  const count = texts.length;
  if (count === 1) return texts.join('');
  const heading = (index: number) => vscode.l10n.t('Server {0} of {1}', index + 1, count);
  return texts.map((text, index) => `${heading(index)}\n${rule}\n${text}`).join('\n');
}

function nameOf({ launch }: TrustQuestion): string {
  return `${plainLabel(launch.serverName, 60)}.mcp-review`;
}

/** Returns everything that runs: a document to look at or confirm hides nothing. */
function wholeText({ launch }: TrustQuestion): string {
  return launchText(launch, vscode.l10n.t);
}

/** Returns what a document needs to show how launches have changed, if any has. */
function comparison(questions: readonly TrustQuestion[]) {
  if (questions.every(({ before }) => before === undefined)) return {};
  const all = questions.map(comparable);
  return {
    files: [
      { name: beforeName, content: numbered(all.map(({ before }) => before)) },
      { name: nowName, content: numbered(all.map(({ now }) => now)) },
    ],
    links: [
      { line: 0, title: vscode.l10n.t('Show Changes'), target: beforeName, compare: nowName },
    ],
  };
}

/** What was kept has no secrets: it is compared with the current launch without them, if that shows a difference. */
function comparable(question: TrustQuestion) {
  const { text, before } = question;
  const isComparable = before !== undefined && before !== text;
  const now = isComparable ? text : wholeText(question);
  return { now, before: before ?? now };
}
