import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { backToQuestion } from '../../ui/documents/backToQuestion';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { launchText } from '../launch/launch';
import type { TrustQuestion } from './trustQuestion';

const beforeName = 'before.mcp-review';
/** Below the heading of a launch among several. */
const rule = '─'.repeat(60);

/** Shows a launch, or how it has changed, until it is closed. */
export async function showLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  signal: AbortSignal,
): Promise<void> {
  const { text, before } = comparable(question);
  await input.ask({
    name: nameOf(question),
    text,
    ...(before !== undefined && {
      files: [{ name: beforeName, content: before }],
      comparedWith: beforeName,
    }),
    readOnly: true,
    choices: [backToQuestion()],
    signal,
  });
}

/** Has the user confirm launches in one document that shows all of each; resolves to whether they did. */
export async function confirmLaunches(
  questions: readonly TrustQuestion[],
  input: DocumentInput,
  signal: AbortSignal,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const [first, ...others] = questions;
  if (!first) return true;
  const count = questions.length;
  const all = questions.map(comparable);
  const isChanged = all.some(({ before }) => before !== undefined);
  const { choice } = await input.ask({
    name: others.length === 0 ? nameOf(first) : `${t('{0} servers', count)}.mcp-review`,
    text: numbered(all.map(({ text }) => text)),
    ...(isChanged && {
      files: [
        { name: beforeName, content: numbered(all.map(({ text, before = text }) => before)) },
      ],
      links: [{ line: 0, title: t('Show Changes'), target: beforeName, compare: true }],
    }),
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

/** Several texts below headings that nothing in a text passes for: its own words are indented. */
function numbered(texts: readonly string[]): string {
  const count = texts.length;
  if (count === 1) return texts.join('');
  const heading = (index: number) => vscode.l10n.t('Server {0} of {1}', index + 1, count);
  return texts.map((text, index) => `${heading(index)}\n${rule}\n${text}`).join('\n');
}

function nameOf({ launch }: TrustQuestion): string {
  return `${plainLabel(launch.serverName, 60)}.mcp-review`;
}

/** What was kept is without secrets: only the same of now shows what is different, if that does. */
function comparable({ launch, text, before }: TrustQuestion) {
  const isComparable = before !== undefined && before !== text;
  return { text: isComparable ? text : launchText(launch, vscode.l10n.t), before };
}
