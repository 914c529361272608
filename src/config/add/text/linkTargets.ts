/** So many links of one text are looked at. */
const maxLinks = 50;

/** Markdown, HTML, and an address as code. */
const links = /\]\(\s*<?([^\s()<>]+)|\bhref\s*=\s*["']([^\s"']+)["']|`([a-z][\w+.-]*:[^\s`]+)`/gi;

/** Where the links of a README lead, in their order. */
export function linkTargets(text: string): readonly string[] {
  const targets: string[] = [];
  for (const [, markdown, html, code] of text.matchAll(links)) {
    targets.push(markdown ?? html?.replaceAll('&amp;', '&') ?? code ?? '');
    if (targets.length === maxLinks) break;
  }
  return targets;
}
