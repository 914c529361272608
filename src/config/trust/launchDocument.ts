import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { backToQuestion } from '../../ui/documents/backToQuestion';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { Command } from '../../ui/ids';
import { launchText } from '../launch/launch';
import type { TrustQuestion } from './trustQuestion';

const beforeName = 'before.mcp-review';

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

/** Has the user confirm a launch in a document that shows all of it. */
export async function confirmLaunch(
  question: TrustQuestion,
  input: DocumentInput,
  signal: AbortSignal,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const { text, before } = comparable(question);
  const { choice } = await input.ask({
    name: nameOf(question),
    text,
    ...(before !== undefined && {
      files: [{ name: beforeName, content: before }],
      links: [{ line: 0, title: t('Show Changes'), target: beforeName, compare: true }],
    }),
    readOnly: true,
    choices: [
      {
        id: 'trust',
        title: `$(shield) ${t('Trust and Start')}`,
        command: Command.trustAndStart,
      },
      { id: 'notNow', title: t('Back to the Question') },
    ],
    signal,
  });
  return choice === 'trust';
}

function nameOf({ launch }: TrustQuestion): string {
  return `${plainLabel(launch.serverName, 60)}.mcp-review`;
}

/** What was kept is without secrets: only the same of now shows what is different, if that does. */
function comparable({ launch, text, before }: TrustQuestion) {
  const isComparable = before !== undefined && before !== text;
  return { text: isComparable ? text : launchText(launch, vscode.l10n.t), before };
}
