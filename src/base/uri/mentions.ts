import { trimEnd } from '../text/text';

/** A resource that a text names. */
export interface Mention<R> {
  /** Where it stands, in UTF-16 units. */
  readonly index: number;
  readonly uri: string;
  readonly resource: R;
}

// A scheme is short, and a run of letters that was one would be read again from each of them.
const uriLike = /[a-z][a-z0-9+.-]{0,31}:[^\s<>"'`)\]}]+/gi;

/** How much of a text is looked at, in UTF-16 units. */
export const maxSearched = 500_000;

/** How many are found at most. */
export const maxMentions = 2000;

/** The resources of `listed` whose URIs stand in a text, in order. */
export function findMentions<R>(
  text: string,
  listed: ReadonlyMap<string, R>,
): readonly Mention<R>[] {
  const mentions: Mention<R>[] = [];
  for (const { 0: found, index } of text.slice(0, maxSearched).matchAll(uriLike)) {
    // A full stop or comma behind a URI belongs to the sentence.
    const uri = listed.has(found) ? found : trimEnd(found, /[.,;:!?]/);
    const resource = listed.get(uri);
    if (resource !== undefined) mentions.push({ index, uri, resource });
    if (mentions.length === maxMentions) break;
  }
  return mentions;
}
