import { isRecord } from '../../base/json';
import { secretsOfUrl } from '../../base/secrets/lineSecrets';
import { SecretMask } from '../../base/secrets/secretMask';
import type { Translate } from '../../base/translate';
import { parseOAuthConfig } from '../auth/client/oauthConfig';
import type { HttpServerConfig } from '../serverConfig';
import { hasAuthorization, httpTransports } from '../transport/httpTransports';
import type { LaunchKind, Parsed } from './launchKind';

/** Creates the kind of launch for a server at a URL, reached by one of the HTTP transports. */
export const addressKind = (type: HttpServerConfig['type']): LaunchKind<HttpServerConfig> => ({
  isProcess: false,
  line: ({ url }) => [url],
  target: ({ url }) => withoutSecrets(url),
  show({ url, headers }) {
    const mask = new SecretMask();
    mask.hide(secretsOfUrl(url));
    return { type, url: mask.apply(url), headers: Object.keys(headers).toSorted() };
  },
  signIn: ({ headers }) => (hasAuthorization(headers) ? 'header' : 'possible'),
  confinement: () => undefined,
  handOver: (config) => Promise.resolve(config),
  async open(config, context, { reconnection }) {
    const { streamable, sse } = await httpTransports(config, context, reconnection);
    return type === 'sse' ? [sse] : [streamable, sse];
  },
  diagnose: async (config, { isUp, checkAddress, t }) => (isUp ? [] : checkAddress(config, t)),
});

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
  if (typeof url !== 'string' || !(url.includes('${') || /^https?:\/\/[^/]/i.test(url)))
    return { problem: t('"url" must be an http: or https: address.') };
  if (!isRecord(headers) || !Object.values(headers).every((header) => typeof header === 'string'))
    return { problem: t('"headers" must map names to strings.') };
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

/** Removes the parts of an address that may contain keys: those before the host and after the path. */
function withoutSecrets(url: string): string {
  return url.replace(/^([\w+.-]+:\/\/)[^/?#]*@/, '$1').replace(/[?#][^]*$/, '');
}
