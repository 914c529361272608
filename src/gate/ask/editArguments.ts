import * as vscode from 'vscode';
import { parseObject } from '../../mcp/protocol/parseObject';
import type { JsonObject } from '../../mcp/protocol/types';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { addSchemaLine } from '../../ui/documents/schemaLine';
import { Command } from '../../ui/ids';
import type { Coverage } from '../decide/approval';
import { editorSchema } from '../../ui/documents/editorSchema';
import type { Answer, Proposal } from './question';

/** Arguments as they were left, to be asked about again; `unfinished` is a text that is none yet. */
interface LeftArguments {
  readonly kind: 'left';
  readonly arguments: JsonObject;
  readonly unfinished: string | undefined;
}

/** Lets the user edit the arguments in a JSON document with the tool's schema; closing it leads back to the question. */
export async function editArguments(
  { call, proposed }: Proposal,
  {
    coverage,
    unfinished,
  }: { readonly coverage: Coverage; readonly unfinished: string | undefined },
  input: DocumentInput,
  signal: AbortSignal,
): Promise<Answer | LeftArguments> {
  const isOwn = call.origin.kind === 'user';
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
    check: (edited, chosen) =>
      chosen === 'deny' || parseObject(edited)
        ? undefined
        : vscode.l10n.t('This is not a JSON object. Correct it first.'),
    signal,
  });
  if (choice === 'deny') return { kind: 'deny' };
  const args = parseObject(text);
  if (choice === undefined || !args)
    return {
      kind: 'left',
      arguments: args ?? call.arguments,
      unfinished: args ? undefined : text,
    };
  return {
    kind: 'allow',
    arguments: args,
    ...(choice === 'session' && { remember: { duration: 'session', coverage } }),
  };
}

function toJson(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
