/**
 * Replaces every occurrence of `literals` in a text in one pass; if several begin at one place, the longest.
 * Unlike a pattern made of them, this takes any number of literals of any length.
 */
export function replaceEach(
  text: string,
  literals: Iterable<string>,
  replacement: (found: string) => string,
): string {
  let places = [...literals]
    .filter((literal) => literal !== '' && text.includes(literal))
    .toSorted((a, b) => b.length - a.length)
    .map((literal) => ({ literal, at: text.indexOf(literal) }));
  const pieces: string[] = [];
  let done = 0;
  for (;;) {
    for (const place of places)
      if (place.at >= 0 && place.at < done) place.at = text.indexOf(place.literal, done);
    places = places.filter(({ at }) => at >= 0);
    let first = places[0];
    for (const place of places) if (first && place.at < first.at) first = place;
    if (!first) return pieces.join('') + text.slice(done);
    pieces.push(text.slice(done, first.at), replacement(first.literal));
    done = first.at + first.literal.length;
  }
}
