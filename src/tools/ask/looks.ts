import * as vscode from 'vscode';
import { jsonText } from '../../base/text/jsonText';
import { documentText } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Change } from '../gate/identityChanges';

/** Something of a question that is looked at in an editor: a text, or how one has changed. */
export interface Look {
  readonly name: string;
  readonly text: string;
  readonly before?: string;
}

/** The arguments of a call, whole. */
export function argumentsLook({ arguments: args }: ToolCall): Look {
  return { name: 'arguments.json', text: jsonText(args, 2) };
}

/** What a server says of a tool, whole. */
export function descriptionLook({ tool }: ToolCall): Look {
  return { name: 'description.txt', text: tool.description ?? '' };
}

/** How what was allowed has changed. */
export function changesLook(changes: readonly Change[]): Look {
  const side = (when: 'before' | 'after') =>
    changes.map((change) => `${change.part}:\n${change[when]}\n`).join('\n');
  return { name: 'now.txt', text: side('after'), before: side('before') };
}

/** Shows it, its hidden characters visible, until the person goes back or `signal` aborts. */
export async function showLook(
  { name, text, before }: Look,
  input: DocumentInput,
  signal: AbortSignal,
): Promise<void> {
  const back = vscode.l10n.t('Back to the Question');
  // A comparison has no choices above it.
  const hint = vscode.l10n.t('Close this tab to get back to the question.');
  const compared = (side: string) => `${hint}\n\n${documentText(side)}`;
  await input.ask({
    name,
    ...(before === undefined
      ? { text: documentText(text) }
      : {
          text: compared(text),
          files: [{ name: 'allowed.txt', content: compared(before) }],
          comparedWith: 'allowed.txt',
        }),
    readOnly: true,
    choices: [{ id: 'back', title: `$(arrow-left) ${back}` }],
    signal,
  });
}
