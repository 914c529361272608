import { decodePercent } from '../text/percent';

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

/** Returns the `file:` URL of a path with `/`; servers expect fewer escaped characters than an editor's URI has. */
export function fileAddress(path: string, host = ''): string {
  return new URL(`file://${host}${path.replaceAll(special, encodeURIComponent)}`).href;
}

/** Returns the path that the address of a file stands for, as its system writes it; any other text as it is. */
export function pathOfAddress(address: string): string {
  const [, host = '', path] = /^file:\/\/([^/]*)(\/.*)$/.exec(address) ?? [];
  if (path === undefined) return address;
  const plain = decodePercent(path);
  const [, drive, rest = ''] = /^\/([a-z]):(.*)$/is.exec(plain) ?? [];
  if (drive !== undefined) return `${drive.toUpperCase()}:${rest.replaceAll('/', '\\')}`;
  return host === '' ? plain : `\\\\${host}${plain.replaceAll('/', '\\')}`;
}
