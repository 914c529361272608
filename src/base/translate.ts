/** Puts `{0}`, `{1}`, … into a message in the person's language, as the editor's `l10n.t`. */
export type Translate = (message: string, ...args: string[]) => string;
