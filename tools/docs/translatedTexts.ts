import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../test/support/paths';

/** The texts in the code that go through `l10n.t`; `unread` lists the calls whose text cannot be read. */
export interface TranslatedTexts {
  readonly texts: ReadonlySet<string>;
  /** The names of the properties and variables that each text is directly assigned to, by text. */
  readonly places: ReadonlyMap<string, readonly string[]>;
  readonly unread: readonly string[];
}

const call = /(?<![\w.])(?:(?:vscode\.)?l10n\.|this\.)?t\(\s*(?:(['"])((?:\\.|(?!\1).)*)\1)?/g;
const given = /(\w+)\s*[:=]\s*$/;

/** Reads every call of `t`, whatever it is called on, in the source of the extension. */
export function readTranslatedTexts(): TranslatedTexts {
  const source = join(repositoryRoot, 'src');
  const places = new Map<string, string[]>();
  const unread: string[] = [];
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const code = readFileSync(join(source, name), 'utf8');
    for (const { 2: quoted, index } of code.matchAll(call)) {
      if (quoted === undefined) {
        unread.push(`${name}: ${code.slice(index, index + 60)}`);
        continue;
      }
      const text = quoted.replaceAll(/\\(.)/g, '$1');
      const place = given.exec(code.slice(Math.max(0, index - 60), index))?.[1];
      places.set(text, [...(places.get(text) ?? []), ...(place === undefined ? [] : [place])]);
    }
  }
  return { texts: new Set(places.keys()), places, unread };
}
