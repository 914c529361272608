/**
 * True if a `file:` URI really lies in a folder: `..`, plain or escaped, and characters that a file
 * system could take for a separator may lead out of it.
 */
export function isUriInside(uri: string, folder: string): boolean {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  if (!start.startsWith('file:') || !uri.startsWith(start) || uri.length === start.length)
    return false;
  if (!URL.canParse(uri)) return false;
  // Parsing resolves the steps that everyone agrees on; the rest is refused.
  const { href } = new URL(uri);
  return href.startsWith(start) && !/%(?:2f|5c|00)|\\/i.test(uri);
}
