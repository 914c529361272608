import { decodePercent } from '../../base/text/text';

/** Where HTTP is spoken over a socket or named pipe of this machine. */
export interface SocketAddress {
  /** The path of the socket or pipe, as it is written in the address. */
  readonly path: string;
  /** The address to ask for there. */
  readonly url: string;
}

/**
 * Reads an address as VS Code writes it: `unix:///path/to.sock` or `pipe:///pipe/name`, with the path of the request after
 * a `#`; `undefined` for any other.
 */
export function socketAddress(url: string): SocketAddress | undefined {
  const [, path, query = '', request = ''] =
    /^(?:unix|pipe):\/\/(\/[^?#]+)(\?[^#]*)?(?:#(.*))?$/is.exec(url) ?? [];
  if (path === undefined) return undefined;
  const target = decodePercent(request).replace(/^\/?/, '/');
  return {
    path: decodePercent(path),
    // Put together as text: a path that begins with two slashes must not become another host.
    url: `http://localhost${target}${target.includes('?') ? '' : query}`,
  };
}

/** True for an address that a server can be reached at. */
export function isServerAddress(url: string): boolean {
  const isOfWeb = /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
  return isOfWeb || socketAddress(url) !== undefined;
}
