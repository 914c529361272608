import { decodePercent, trimEnd } from '../text/text';

/**
 * True if a `file:` URI really lies in a folder: `..`, plain or escaped, and characters that a file
 * system could take for a separator may lead out of it.
 */
export function isUriInside(uri: string, folder: string): boolean {
  const start = withDrive(folder.endsWith('/') ? folder : `${folder}/`);
  if (
    !start.startsWith('file:') ||
    !withDrive(uri).startsWith(start) ||
    uri.length === start.length
  )
    return false;
  if (!URL.canParse(uri)) return false;
  // Parsing resolves the steps that everyone agrees on; the rest is refused.
  const { href } = new URL(uri);
  return withDrive(href).startsWith(start) && !/%(?:2f|5c|00)|\\/i.test(uri);
}

/** Returns the address of a file with the letter of its drive as people and most programs write it. */
function withDrive(address: string): string {
  return address.replace(
    /^file:\/\/\/[a-z]:(?=\/|$)/,
    (start) => `file:///${start.at(-2)?.toUpperCase()}:`,
  );
}

/** The folder of another window of an already open workspace, which gets its own number. */
const laterWindow = /(\/workspaceStorage\/-?[\da-f]{1,40})-\d+(?=\/)/;

/** Returns the folder that an extension has in the first window of a workspace: one for all windows, even after a reload. */
export function firstWindowFolder(folder: string): string {
  return folder.replace(laterWindow, '$1');
}

/** The location of a file as the editor writes it. */
export interface FileUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** The path as this machine writes it. */
  readonly fsPath: string;
}

/** The characters that a URL would not take as part of its path. */
const special = /[%\\?#\n\r\t]/g;

/**
 * Returns the `file:` URL of a path with `/`, as servers write it themselves: an editor's URI has more escaped characters,
 * and the letter of a drive in lower case.
 */
export function fileAddress(path: string, host = ''): string {
  return withDrive(new URL(`file://${host}${path.replaceAll(special, encodeURIComponent)}`).href);
}

/** Returns the path that the address of a file stands for, as its system writes it; any other text as it is. */
export function pathOfAddress(address: string): string {
  const [, authority = '', path] = /^file:\/\/([^/]*)(\/.*)$/.exec(address) ?? [];
  if (path === undefined) return address;
  // That of WSL has a dollar sign.
  const host = decodePercent(authority);
  const plain = decodePercent(path);
  const [, drive, rest = ''] = /^\/([a-z]):(.*)$/is.exec(plain) ?? [];
  if (drive !== undefined) return `${drive.toUpperCase()}:${rest.replaceAll('/', '\\')}`;
  return host === '' ? plain : `\\\\${host}${plain.replaceAll('/', '\\')}`;
}

/**
 * Returns the path of a file or a folder to show: where its steps lead, which may be far from how it begins, and with
 * the letter of its drive in upper case, which the editor writes in lower case.
 */
export function shownPath({ fsPath }: Pick<FileUri, 'fsPath'>): string {
  return resolvedPath(fsPath).replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase());
}

/** Returns an absolute path without steps that stay or lead up; any other text as it is. */
function resolvedPath(path: string): string {
  const isOfWindows = /^(?:[a-z]:|\\\\)/i.test(path);
  if (!isOfWindows && !path.startsWith('/')) return path;
  const separator = isOfWindows ? '\\' : '/';
  const steps = path.split(isOfWindows ? /[\\/]/ : '/');
  // Nothing leads above the drive, or above what another machine shares.
  const isShared = isOfWindows && steps[0] === '';
  const [begin, top] = isShared ? [3, 4] : [1, 1];
  const kept = steps.slice(0, begin);
  for (const step of steps.slice(begin)) {
    // Windows leaves out the spaces at the end of a name.
    const name = isOfWindows ? trimEnd(step, / /) : step;
    if (name === '..') kept.length = Math.max(Math.min(top, kept.length), kept.length - 1);
    else if (name !== '.') kept.push(step);
  }
  if (kept.length === steps.length) return path;
  return kept.join(separator) + (kept.length <= top ? separator : '');
}

/** A step that stays or leads up, as a URL has it, or another character between steps than it has. */
const leadsUp = /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)|\\/i;

/**
 * Returns an address without steps that stay or lead up, however they are written, so that it is told to others as it is
 * shown; one without such steps as it is written.
 */
export function resolvedAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { href, protocol, host } = new URL(address);
  if (protocol !== 'file:') return leadsUp.test(address) ? href : address;
  const path = pathOfAddress(href);
  const resolved = resolvedPath(path);
  if (resolved === path) return leadsUp.test(address) ? href : address;
  if (resolved.startsWith('/')) return fileAddress(resolved);
  const plain = resolved.replaceAll('\\', '/');
  // A drive, or a folder on another machine.
  if (!plain.startsWith('//')) return fileAddress(`/${plain}`);
  return fileAddress(plain.slice(2 + decodePercent(host).length), host);
}

/** Returns a path in a form to compare: Windows takes both slashes, and letters in both cases, for the same. */
export function comparedPath(path: string): string {
  const isOfWindows = /^(?:[a-z]:|[\\/]{2})/i.test(path);
  return trimEnd(isOfWindows ? path.replaceAll('\\', '/').toLowerCase() : path, /\//);
}

/** Returns an address in a form to compare: slashes at its end, and how the drive of a file is written, make no difference. */
export function comparedAddress(address: string): string {
  const { href } = URL.canParse(address) ? new URL(address) : { href: address };
  return withDrive(trimEnd(href, /\//).replace(/^(file:\/\/\/[a-z])%3a(?=\/|$)/i, '$1:'));
}

/** Returns a path with all links resolved, as far as it exists. */
export type RealPath = (path: string) => Promise<string>;

/** The longest path that is looked up: a longer one leads nowhere, and has as many steps as it likes. */
const longestPath = 4096;

/** Returns where links lead from the address of a file; any other as it is. */
export async function realAddress(uri: string, realPath: RealPath): Promise<string> {
  const path = pathOfAddress(uri);
  // Looking up a path of the network of Windows would sign in to that machine.
  if (!uri.startsWith('file:') || path.startsWith('\\\\') || path.length > longestPath) return uri;
  const real = await realPath(path);
  if (comparedPath(real) === comparedPath(path)) return uri;
  const plain = /^(?:[a-z]:|\\\\)/i.test(real) ? real.replaceAll('\\', '/') : real;
  const [, host, rest = ''] =
    (plain === real ? undefined : /^\/\/([^/]+)(\/.*)$/.exec(plain)) ?? [];
  if (host !== undefined) return fileAddress(rest, host);
  return fileAddress(plain.startsWith('/') ? plain : `/${plain}`);
}
