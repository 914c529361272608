import { trimEnd } from '../text/text';

/** A resource whose URI occurs in a text. */
export interface Mention<R> {
  /** The position of the URI in the text, in UTF-16 units. */
  readonly index: number;
  readonly uri: string;
  readonly resource: R;
}

// A scheme is short; without a limit, a long run of letters would be scanned again from each of them.
const uriLike = /[a-z][a-z0-9+.-]{0,31}:[^\s<>"'`)\]}]+/gi;

/** The longest part of a text that is searched, in UTF-16 units. */
export const maxSearched = 500_000;

/** At most this many mentions are found. */
export const maxMentions = 2000;

/** Finds the resources of `listed` whose URIs occur in a text, in order. */
export function findMentions<R>(
  text: string,
  listed: ReadonlyMap<string, R>,
): readonly Mention<R>[] {
  const mentions: Mention<R>[] = [];
  for (const { 0: found, index } of text.slice(0, maxSearched).matchAll(uriLike)) {
    // A period or comma after a URI belongs to the sentence.
    const uri = listed.has(found) ? found : trimEnd(found, /[.,;:!?]/);
    const resource = listed.get(uri);
    if (resource !== undefined) mentions.push({ index, uri, resource });
    if (mentions.length === maxMentions) break;
  }
  return mentions;
}
