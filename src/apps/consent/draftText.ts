/** A server's words as a draft: what the chat would read as a command, a mention or a variable is none. */
export function draftText(text: string): string {
  // A run of signs is parted from the word as a whole: a blank within it would make the last one live.
  return text.replaceAll(/(^|\s)([@#/]+)(?=[^\s@#/])/g, '$1$2 ');
}
