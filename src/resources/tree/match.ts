import type { Resource } from '../../mcp/protocol/types';

/** Returns how well a resource matches what was typed: higher is better, `undefined` for no match. */
export function matchResource(
  { name, title, uri }: Pick<Resource, 'name' | 'title' | 'uri'>,
  typed: string,
): number | undefined {
  let total = 0;
  // Every word has to be found somewhere, in any order.
  for (const word of typed.toLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const best = Math.max(
      score(title ?? '', word) * 3,
      score(name, word) * 3,
      score(lastPart(uri), word) * 2,
      score(uri, word),
    );
    if (best <= 0) return undefined;
    total += best;
  }
  return total;
}

/** True if each word that was typed is part of the name, the title, or the URI. */
export function containsWords(
  { name, title = '', uri }: Pick<Resource, 'name' | 'title' | 'uri'>,
  typed: string,
): boolean {
  const texts = [name, title, uri].map((text) => text.slice(0, longest).toLowerCase());
  const words = typed.toLowerCase().split(/\s+/);
  return words.every((word) => texts.some((text) => text.includes(word)));
}

// A text of any length is searched only as far as a user would read it.
const longest = 500;

function score(text: string, word: string): number {
  const lower = text.slice(0, longest).toLowerCase();
  const at = lower.indexOf(word);
  if (at >= 0) {
    const whole = lower.length === word.length ? 40 : 0;
    const start = at === 0 || /[^\p{L}\p{N}]/u.test(lower[at - 1] ?? '') ? 30 : 0;
    return 100 + whole + start + word.length / lower.length;
  }
  return scattered(lower, word);
}

// Looks for the letters in order, with gaps between them; fewer gaps are better.
function scattered(text: string, word: string): number {
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return 0;
    if (at > from && from > 0) gaps += 1;
    from = at + letter.length;
  }
  return 50 / (1 + gaps);
}

function lastPart(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
