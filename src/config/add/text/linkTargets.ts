/** At most this many links are read per text. */
const maxLinks = 50;

/** Links in Markdown and HTML, and URLs written as code. */
const links = /\]\(\s*<?([^\s()<>]+)|\bhref\s*=\s*["']([^\s"']+)["']|`([a-z][\w+.-]*:[^\s`]+)`/gi;

/** Returns the targets of the links in a README, in order. */
export function linkTargets(text: string): readonly string[] {
  const targets: string[] = [];
  for (const [, markdown, html, code] of text.matchAll(links)) {
    targets.push(markdown ?? html?.replaceAll('&amp;', '&') ?? code ?? '');
    if (targets.length === maxLinks) break;
  }
  return targets;
}
