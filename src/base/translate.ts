import { plainLabel } from './text/text';

const longestName = 40;

/** Returns a message in the user's language with `{0}`, `{1}`, … filled in, as the editor's `l10n.t` does. */
export type Translate = (message: string, ...args: string[]) => string;

/** A sentence of the core, which is worded when its language is known. */
export type LocalizableMessage = (t: Translate) => string;

/** Joins words or names on one line, separated as is usual in the user's language. */
export function listText(words: readonly string[], t: Translate): string {
  return words.join(t(', '));
}

/** Returns a name and what there is to say about it, separated as is usual in the user's language. */
export function pairText(name: string, said: string, t: Translate): string {
  return t('{0}: {1}', name, said);
}

/** Returns a text with another one in parentheses, as they are usual in the user's language. */
export function asideText(text: string, aside: string, t: Translate): string {
  return t('{0} ({1})', text, aside);
}

/** Joins names from outside on one line, each made safe and short. */
export function namesText(names: Iterable<string>, t: Translate): string {
  return listText(
    Array.from(names, (name) => plainLabel(name, longestName)),
    t,
  );
}

/** Leaves a message in English, for models and logs. */
export const inEnglish: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d+)\}/g, (mark, index) => args[Number(index)] ?? mark);
