/**
 * True when a `file:` URI lies in a folder, and not only seems to: `..`, written out or escaped,
 * and characters that a file system could take for a step lead out of it.
 */
export function isUriInside(uri: string, folder: string): boolean {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  if (!start.startsWith('file:') || !uri.startsWith(start) || uri.length === start.length)
    return false;
  if (!URL.canParse(uri)) return false;
  // Parsing resolves what is a step for everyone; the rest is refused.
  const { href } = new URL(uri);
  return href.startsWith(start) && !/%(?:2f|5c|00)|\\/i.test(uri);
}
