import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import { addressAsRead, addressLabel } from '../../base/text/address';
import type { LocalizableMessage, Translate } from '../../base/translate';
import { parseOAuthConfig } from '../auth/client/oauthConfig';
import type { HttpServerConfig } from '../serverConfig';
import { hasAuthorization, httpTransports } from '../transport/httpTransports';
import { isServerAddress, socketAddress } from '../transport/socketAddress';
import { maskedAddress } from './commandArguments';
import type { LaunchKind, Parsed } from './launchKind';

/** Creates the kind of launch for a server at a URL, reached by one of the HTTP transports. */
export const addressKind = (type: HttpServerConfig['type']): LaunchKind<HttpServerConfig> => ({
  isProcess: false,
  line: ({ url }) => [url],
  target: ({ url }) => addressLabel(withoutSecrets(addressAsRead(url))),
  show({ url, headers }) {
    return { type, url: maskedAddress(url), headers: Object.keys(headers).toSorted() };
  },
  signIn({ url, headers }) {
    // A browser cannot reach a socket, and what asks for a sign-in there may be any program of this machine.
    if (socketAddress(url)) return 'none';
    return hasAuthorization(headers) ? 'header' : 'possible';
  },
  confinement: () => undefined,
  debugging: () => undefined,
  handOver: (config) => Promise.resolve(config),
  async open(config, context, { reconnection, fetchOverSocket }) {
    const socket = socketAddress(config.url);
    if (socket && !fetchOverSocket) throw new UserError(noSocket);
    const over = socket && { url: socket.url, send: fetchOverSocket?.(socket.path) };
    const { streamable, sse } = await httpTransports({ ...config, over }, context, reconnection);
    return type === 'sse' ? [sse] : [streamable, sse];
  },
  async diagnose(config, { isUp, checkAddress, programs, t }) {
    if (isUp) return [];
    const socket = socketAddress(config.url);
    if (!socket) return checkAddress(config, t);
    if (!programs) throw new UserError(noSocket);
    return checkAddress(config, t, {
      url: socket.url,
      send: programs.fetchOverSocket(socket.path),
    });
  },
});

const noSocket: LocalizableMessage = (t) => t('This window cannot reach sockets of a machine.');

/** Reads the configuration of a server at a URL. */
export function readAddressConfig(
  value: Readonly<Record<string, unknown>>,
  type: HttpServerConfig['type'],
  t: Translate,
): Parsed<HttpServerConfig> {
  const { url, headers = {}, oauth } = value;
  if (url === undefined)
    return { problem: t('"url" is missing: a server of type "{0}" needs an address.', type) };
  // A variable may stand for the whole address, so the URL is only checked if it has none.
  if (typeof url !== 'string' || !(url.includes('${') || isServerAddress(url)))
    return { problem: noAddress(t) };
  if (!isRecord(headers) || !Object.values(headers).every((header) => typeof header === 'string'))
    return { problem: t('"headers" must map names to strings.') };
  if (oauth !== undefined && socketAddress(url))
    return { problem: t('"oauth" is not for a socket: no browser can sign in there.') };
  const signIn = oauth === undefined ? undefined : parseOAuthConfig(oauth, t);
  if (signIn && 'problem' in signIn) return signIn;
  return {
    config: {
      type,
      url,
      headers: headers as HttpServerConfig['headers'],
      ...(signIn && { oauth: signIn }),
    },
  };
}

/** Says what the address of a server has to be. */
export const noAddress: LocalizableMessage = (t) =>
  t('"url" must be an http: or https: address, or that of a socket (unix: or pipe:).');

/** Removes the parts of an address that may contain keys: those before the host and after the path. */
function withoutSecrets(url: string): string {
  return url.replace(/^([\w+.-]+:\/\/)[^/\\?#]*@/, '$1').replace(/[?#][^]*$/, '');
}
