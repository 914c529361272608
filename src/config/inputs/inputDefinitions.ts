import { isRecord } from '../../base/json';
import { inEnglish, type Translate } from '../../base/translate';

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
  const found = Array.isArray(inputs)
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
