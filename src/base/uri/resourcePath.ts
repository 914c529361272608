import { hasHidden } from '../text/text';

/*
 * How a server's URI is carried inside one of our own. It is never parsed or rebuilt: each character
 * is kept or escaped with `~`, which no layer of the editor decodes, so that decoding restores the
 * same characters. What the editor would rewrite (`//`, `.` and `..` segments, a drive letter, a
 * slash at either end, percent signs) is escaped for that reason alone. Tabs and breadcrumbs show the
 * path, so a tilde, and a slash that the path cannot hold, is replaced by a character that looks like it.
 *
 *   docs://guide/intro.md   /docs:∕∕guide/intro.md
 *   note:abc (Markdown)     /note:abc/~/abc.md
 *
 * What follows a `~` segment is not part of the server's URI: it is a file name from which the editor
 * can derive a language, an icon and a title.
 */

/** The parts of one of our paths: the server's URI, and the file name after it, if any. */
export interface ResourcePath {
  readonly uri: string;
  /** Absent if the path ends with the server's URI, empty for the folder of its documents. */
  readonly name?: string;
}

const marker = '/~';

/** The division slash, which is escaped if a server's own URI contains it, as is the tilde operator below. */
const heldSlash = '\u2215';
const heldTilde = '\u223c';

/** Makes the path for a server's URI; `name` is appended unless the URI already ends with it. */
export function encodeResourcePath(uri: string, name?: string): string {
  const path = `/${escapeUri(uri)}`;
  if (name === undefined || (name !== '' && path.endsWith(`/${name}`))) return path;
  const head = uri === '' ? marker : path + marker;
  return name === '' ? head : `${head}/${name}`;
}

/** Splits one of our paths into its parts. */
export function decodeResourcePath(path: string): ResourcePath {
  const end = `${path}/`.indexOf(`${marker}/`);
  if (end < 0) return { uri: unescapeUri(path.slice(1)) };
  return { uri: unescapeUri(path.slice(1, end)), name: path.slice(end + marker.length + 1) };
}

/** Returns a server's id as an authority; the editor lowercases those, so capitals are escaped. */
export function encodeAuthority(serverId: string): string {
  return serverId.replaceAll(/[^a-z0-9_-]/gu, escapeUnits);
}

/** Returns the server's id that an authority stands for. */
export function decodeAuthority(authority: string): string {
  return unescapeUnits(authority);
}

function escapeUri(uri: string): string {
  return uri
    .replaceAll(/[^\w\-.:@!&'()*+,;=/]/gu, (character) => {
      if (character === '~') return heldTilde;
      const isLetter = /[\p{L}\p{M}\p{N}]/u.test(character) && !hasHidden(character);
      return isLetter ? character : escapeUnits(character);
    })
    .replace(/^([A-Za-z]):/, '$1~3a')
    .replaceAll('//', heldSlash.repeat(2))
    .replaceAll(/^\/|\/$/g, heldSlash)
    .replaceAll(/(?<=^|\/)\.{1,2}(?=\/|$)/g, (dots) => '~2e'.repeat(dots.length));
}

function escapeUnits(text: string): string {
  let escaped = '';
  for (let i = 0; i < text.length; i += 1) {
    const hex = text.charCodeAt(i).toString(16);
    escaped += hex.length > 2 ? `~u${hex.padStart(4, '0')}` : `~${hex.padStart(2, '0')}`;
  }
  return escaped;
}

/** Unescapes in one pass, because an escape may stand for one of the replaced characters. */
function unescapeUri(text: string): string {
  return text.replaceAll(/~u[0-9a-f]{4}|~[0-9a-f]{2}|[\u2215\u223c]/g, (part) => {
    if (part === heldTilde) return '~';
    return part === heldSlash ? '/' : unescapeUnits(part);
  });
}

function unescapeUnits(text: string): string {
  return text.replaceAll(
    /~(?:u([0-9a-f]{4})|([0-9a-f]{2}))/g,
    (_, wide?: string, narrow?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '', 16)),
  );
}
