import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/serverRequests';
import type { QuestionContext } from '../../ui/questions/question';
import { askLine } from '../../ui/steps/askLine';
import { askRow } from '../../ui/steps/pickRows';
import { isList, isRecord } from '../../base/json';
import { type Translate, inEnglish } from '../../base/translate';

/** A value that the user is asked for when a server first needs it, as in VS Code's `mcp.json`. */
export type InputDefinition =
  | {
      readonly type: 'promptString';
      readonly id: string;
      readonly description?: string;
      readonly default?: string;
      readonly password: boolean;
    }
  | {
      readonly type: 'pickString';
      readonly id: string;
      readonly description?: string;
      readonly default?: string;
      readonly options: readonly { readonly label: string; readonly value: string }[];
    };

/** Reads the input called `id` from an `inputs` list; a problem is a whole sentence. */
export function readInput(
  inputs: unknown,
  id: string,
  t: Translate = inEnglish,
): { readonly input: InputDefinition } | { readonly problem: string } {
  const found = isList(inputs)
    ? inputs.find((one) => isRecord(one) && one['id'] === id)
    : undefined;
  if (!isRecord(found)) return { problem: t('No input is called "{0}": add it to "inputs".', id) };
  const { type, description, default: initial, password, options } = found;
  const base = {
    id,
    ...(typeof description === 'string' && { description }),
    ...(typeof initial === 'string' && { default: initial }),
  };
  if (type === 'promptString') return { input: { ...base, type, password: password === true } };
  if (type !== 'pickString')
    return {
      problem: t('The type of the input "{0}" must be "promptString" or "pickString".', id),
    };
  const choices = Array.isArray(options) ? options.flatMap(readOption) : [];
  if (choices.length === 0) return { problem: t('The input "{0}" needs a list of "options".', id) };
  return { input: { ...base, type, options: choices } };
}

function readOption(option: unknown): { label: string; value: string }[] {
  if (typeof option === 'string') return [{ label: option, value: option }];
  if (!isRecord(option) || typeof option['value'] !== 'string') return [];
  const { label, value } = option;
  return [{ label: typeof label === 'string' ? label : value, value }];
}

/** Asks for the value of an input, starting with the one that it `had`; `undefined` if the user dismissed it. */
export async function askInput(
  input: InputDefinition,
  server: Pick<AskingServer, 'name'>,
  context: QuestionContext,
  had?: string,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name);
  // The description below says what it is for; the id, which an import may have made up, says less.
  const title = input.description?.trim()
    ? t('{0} needs a value', name)
    : t('{0} needs a value: {1}', name, plainLabel(input.id));
  const frame = { title, actions: [], context };
  const prompt = plainLabel(input.description ?? '', 500);
  if (input.type === 'promptString') {
    const { password } = input;
    if (password && had !== undefined) {
      const placeholder = t('Leave this empty to keep the present value');
      const value = await askLine({ frame, prompt, password, placeholder });
      return value === '' ? had : value;
    }
    const value = had ?? input.default;
    return askLine({
      frame,
      prompt,
      password,
      ...(value !== undefined && { value }),
      // A server starts even with an empty value, so that is confirmed, unless the user deleted a default.
      ...((password || input.default === undefined) && {
        whenEmpty: t('Enter a value, or press Enter again to leave it empty.'),
      }),
    });
  }
  const first = had ?? input.default;
  const mark = had === undefined ? t('default') : t('present value');
  const items = input.options
    .map(({ label, value }) => ({
      // The value is shown after the label, whatever the label says.
      label: plainLabel(label, 60),
      description: [
        ...(label === value ? [] : [plainLabel(value)]),
        ...(value === first ? [mark] : []),
      ].join(' · '),
      value,
    }))
    .toSorted((a, b) => Number(b.value === first) - Number(a.value === first));
  return (await askRow({ frame, prompt, items }))?.value;
}
