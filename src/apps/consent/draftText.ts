/** Returns a server's text as a draft in which the chat recognizes no commands, mentions, or variables. */
export function draftText(text: string): string {
  // The space goes after the whole run of signs: within the run it would leave the last sign active.
  return text.replaceAll(/(^|\s)([@#/]+)(?=[^\s@#/])/g, '$1$2 ');
}
