import { looksSecret } from '../../../base/secrets/secrets';
import { freeName } from '../../freeName';
import { inputIdOf, inputReference, type ImportedServer, type InputEntry } from '../importedServer';
import { withValues } from './serverValues';

const longestValue = 300;

/** What a README leaves to its reader: `<your key>`, `YOUR_KEY`, `sk-xxxx`, `/path/to/files`; what stands before it is the first group. */
const placeholder = new RegExp(
  [
    '^((?:[^=:]{2,60}[=:]\\s?)?(?:(?:Bearer|Basic|token) )?)(',
    [
      '<[a-z][^<>]{0,80}>',
      '\\[your [^\\]]{1,80}\\]',
      '\\{?your[-_ ][\\w -]{1,80}\\}?',
      '[\\w-]{0,20}x{4,}',
      '[\\w-]{1,20}(?:\\.{3}|…)',
      '(?:[A-Z]:)?[\\\\/](?:absolute[\\\\/])?path[\\\\/]to[\\\\/].*',
      '[\\\\/]Users[\\\\/](?:your_?name|username)[\\\\/].*',
    ].join('|'),
    ')$',
  ].join(''),
  'is',
);

/** A server with an input, asked for at its start, in place of each value that a README leaves to its reader. */
export function askPlaceholders(found: ImportedServer): ImportedServer {
  const inputs: InputEntry[] = [];
  const ask = (name: string, text: string): string => {
    const [, lead, words] = (text.length <= longestValue && placeholder.exec(text)) || [];
    if (lead === undefined || words === undefined) return text;
    const id = freeName(inputIdOf(found.name, name), (one) =>
      [...inputs, ...(found.inputs ?? [])].some((input) => input.id === one),
    );
    const password = looksSecret(name) || looksSecret(words);
    inputs.push({ id, type: 'promptString', description: `${name}: ${words}`, password });
    return lead + inputReference(id);
  };
  const server = withValues(found.server, ask);
  if (inputs.length === 0) return found;
  return { ...found, server, inputs: [...(found.inputs ?? []), ...inputs] };
}
