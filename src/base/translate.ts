import { plainLabel } from './text/text';

const longestName = 40;

/** Puts `{0}`, `{1}`, … into a message in the user's language, as the editor's `l10n.t`. */
export type Translate = (message: string, ...args: string[]) => string;

/** A sentence of the core, which is worded where its language is known. */
export type Sentence = (t: Translate) => string;

/** Words or names in one line, set apart as the user's language does it. */
export function listText(words: readonly string[], t: Translate): string {
  return words.join(t(', '));
}

/** Names that somebody else wrote in one line, each made safe and short. */
export function namesText(names: Iterable<string>, t: Translate): string {
  return listText(
    Array.from(names, (name) => plainLabel(name, longestName)),
    t,
  );
}

/** Leaves a message in English, as models and logs get it. */
export const inEnglish: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d+)\}/g, (mark, index) => args[Number(index)] ?? mark);
