import { jsonText } from '../../base/text/jsonText';
import { documentText } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import { backToQuestion } from '../../ui/documents/backToQuestion';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { QuestionContext } from '../../ui/questions/question';
import type { Change } from '../decide/identityChanges';

/** A detail of a question to look at in an editor: a text, or how it has changed. */
export interface DetailView {
  readonly name: string;
  readonly text: string;
  readonly before?: string;
}

/** Returns the full arguments of a call. */
export function argumentsView({ arguments: args }: ToolCall): DetailView {
  return { name: 'arguments.json', text: jsonText(args, 2) };
}

/** Returns a server's full description of a tool. */
export function descriptionView({ tool }: ToolCall): DetailView {
  return { name: 'description.txt', text: tool.description ?? '' };
}

/** Returns how something that was allowed has changed. */
export function changesView(changes: readonly Change[]): DetailView {
  const side = (when: 'before' | 'after') =>
    changes.map((change) => `${change.part}:\n${change[when]}\n`).join('\n');
  return { name: 'now.txt', text: side('after'), before: side('before') };
}

/** Shows a detail, with its hidden characters made visible, until it is closed or `signal` aborts. */
export async function showDetailView(
  { name, text, before }: DetailView,
  input: DocumentInput,
  { wanted: leave, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<void> {
  await input.ask({
    name,
    text: documentText(text),
    ...(before !== undefined && {
      files: [{ name: 'allowed.txt', content: documentText(before) }],
      comparedWith: 'allowed.txt',
    }),
    readOnly: true,
    choices: [backToQuestion()],
    leave,
    signal,
  });
}
