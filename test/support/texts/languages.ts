import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../paths';

/** Texts by key: of the code, where the key is the English text, or of the manifest. */
export type Texts = Readonly<Record<string, string>>;

/** The two files that hold the texts of a language, by the name that the editor gives it, such as `zh-cn`. */
export function filesOf(language: string): { readonly code: string; readonly manifest: string } {
  return {
    code: join(repositoryRoot, 'l10n', `bundle.l10n.${language}.json`),
    manifest: join(repositoryRoot, `package.nls.${language}.json`),
  };
}

/** The languages that there are files for, English aside. */
export function languages(): readonly string[] {
  return readdirSync(join(repositoryRoot, 'l10n')).flatMap(
    (name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
  );
}

/** The texts in a file. */
export function readTexts(path: string): Texts {
  return JSON.parse(readFileSync(path, 'utf8')) as Texts;
}

/** What a translation must repeat of a text as it is: places to fill in, code, icons, commands behind links. */
export function fixedParts(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/\{\d\}|`[^`]+`|\$\([\w-]+\)|\(command:[\w.]+\)/g),
    ([part]) => part,
  ).toSorted();
}
