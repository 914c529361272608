import * as vscode from 'vscode';
import type { EditedArguments } from '../../contracts/toolCalls';
import { readWrittenObject } from '../../mcp/protocol/writtenObject';
import type { JsonObject } from '../../mcp/protocol/types';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { addSchemaLine } from '../../ui/documents/schemaLine';
import { Command } from '../../ui/ids';
import type { Coverage } from '../decide/approval';
import { editorSchema } from '../../ui/documents/editorSchema';
import type { Answer, Proposal } from './question';

/** Arguments as the user left them, to ask about again; `unfinished` is text that is not a JSON object yet. */
interface LeftArguments {
  readonly kind: 'left';
  readonly arguments: JsonObject;
  readonly unfinished: string | undefined;
}

/** Lets the user edit the arguments in a JSON document with the tool's schema; closing it returns to the question. */
export async function editArguments(
  { call, proposed, onEdit }: Proposal,
  {
    coverage,
    unfinished,
  }: { readonly coverage: Coverage; readonly unfinished: string | undefined },
  input: DocumentInput,
  signal: AbortSignal,
): Promise<Answer | LeftArguments> {
  const isOwn = call.origin.kind === 'user';
  const editedBy = (text: string): EditedArguments => {
    const read = readEdited(text);
    return 'object' in read
      ? { values: read.object }
      : { values: call.arguments, unfinished: text };
  };
  const { choice, text } = await input.ask({
    name: `${call.tool.name}.json`,
    text: unfinished ?? toJson(call.arguments),
    schema: editorSchema(call.tool.inputSchema),
    files: [{ name: 'proposed.json', content: addSchemaLine(toJson(proposed)) }],
    links: [
      {
        line: 0,
        title: vscode.l10n.t('Show Changes'),
        target: 'proposed.json',
        compare: true,
      },
    ],
    choices: [
      {
        id: 'once',
        title: `$(play) ${vscode.l10n.t('Run Once')}`,
        command: Command.runEdited,
      },
      { id: 'session', title: vscode.l10n.t('Allow for This Session') },
      ...(isOwn ? [] : [{ id: 'deny', title: `$(close) ${vscode.l10n.t('Deny')}` }]),
    ],
    check: (edited, chosen) => {
      const read = readEdited(edited);
      return chosen === 'deny' || 'object' in read ? undefined : read.problem;
    },
    onSave: (edited) => onEdit?.(editedBy(edited)),
    signal,
  });
  if (choice === 'deny') return { kind: 'deny' };
  const { values, unfinished: rest } = editedBy(text);
  if (choice === undefined || rest !== undefined) {
    onEdit?.(editedBy(text));
    return { kind: 'left', arguments: values, unfinished: rest };
  }
  return {
    kind: 'allow',
    arguments: values,
    ...(choice === 'session' && { remember: { duration: 'session', coverage } }),
  };
}

function readEdited(text: string): ReturnType<typeof readWrittenObject> {
  const { t } = vscode.l10n;
  return readWrittenObject(text, t, t('This is not a JSON object. Correct it first.'));
}

function toJson(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
