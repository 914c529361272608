import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../test/support/paths';

/** Texts by key: those of the code, whose keys are the English texts, or those of the manifest. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Returns the paths of the two files with the texts of a language, which is named as in the editor, such as `zh-cn`.
 */
export function filesOf(language: string): { readonly code: string; readonly manifest: string } {
  return {
    code: join(repositoryRoot, 'l10n', `bundle.l10n.${language}.json`),
    manifest: join(repositoryRoot, `package.nls.${language}.json`),
  };
}

/** Lists the languages other than English that there are files for. */
export function languages(): readonly string[] {
  return readdirSync(join(repositoryRoot, 'l10n')).flatMap(
    (name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
  );
}

/** Reads the texts in a file. */
export function readTexts(path: string): Texts {
  return JSON.parse(readFileSync(path, 'utf8')) as Texts;
}

/**
 * Returns the parts of a text that a translation must keep as they are, sorted: placeholders, code, icons, commands
 * behind links.
 */
export function fixedParts(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/\{\d\}|`[^`]+`|\$\([\w-]+\)|\(command:[\w.]+\)/g),
    ([part]) => part,
  ).toSorted();
}
