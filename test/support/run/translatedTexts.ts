import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../paths';

/** The texts of the code that go through `l10n.t`, and where one is handed over that cannot be read. */
export interface TranslatedTexts {
  readonly texts: ReadonlySet<string>;
  readonly unread: readonly string[];
}

const call = /(?<![\w.])(?:(?:vscode\.)?l10n\.)?t\(\s*(?:(['"])((?:\\.|(?!\1).)*)\1)?/g;

/** Reads every call of `t`, under whatever name it came there, in the source of the extension. */
export function readTranslatedTexts(): TranslatedTexts {
  const source = join(repositoryRoot, 'src');
  const texts = new Set<string>();
  const unread: string[] = [];
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const code = readFileSync(join(source, name), 'utf8');
    for (const { 2: text, index } of code.matchAll(call)) {
      if (text === undefined) unread.push(`${name}: ${code.slice(index, index + 60)}`);
      else texts.add(text.replaceAll(/\\(.)/g, '$1'));
    }
  }
  return { texts, unread };
}
