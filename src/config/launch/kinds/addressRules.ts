import { UserError } from '../../../base/errors';
import { secretsOfUrl } from '../../../base/secrets/lineSecrets';
import { looksSecret } from '../../../base/secrets/secrets';
import { plainLabel } from '../../../base/text/text';
import { inEnglish, type Translate } from '../../../base/translate';
import { isLoopback } from '../../../mcp/auth/secureUrl';
import { noAddress } from '../../../mcp/launch/addressKind';
import type { HttpServerConfig } from '../../../mcp/serverConfig';
import { isServerAddress, socketAddress } from '../../../mcp/transport/socketAddress';
import { boundValues, showValues } from '../launchValues';
import { refuseWorkspaceParts } from '../workspaceParts';
import { namedValues } from './hiddenValues';
import type { LaunchRules } from './launchRules';

/** Makes the rules for a server at an address; `title` is the heading above the address. */
export const addressRules = (title: (t: Translate) => string): LaunchRules<HttpServerConfig> => ({
  async complete(config, { surroundings, isOpen }) {
    if (!isOpen(config.url)) refuseOthers(config.url, surroundings.t);
    return config;
  },
  async check({ url }, surroundings) {
    // An input that is not given yet may stand for all of it.
    if (!url.includes('${')) refuseOthers(url, surroundings.t);
    const socket = socketAddress(url);
    if (!socket || !surroundings.programs) return;
    const launch = { type: 'http', url: socket.path, headers: {} } as const;
    await refuseWorkspaceParts(launch, surroundings, surroundings.programs);
  },
  decides({ key, name, text }) {
    if (key === 'url') return placeIn(text);
    // What proves the client's identity is sent to the issuer.
    return key === 'oauth' && name === 'issuer' ? text : '';
  },
  recipient: ({ url, oauth }) => ({ url, issuer: oauth?.issuer }),
  sends: ({ url }, value, t) =>
    t(
      'It sends the stored value of "{0}", which you entered for another launch, to {1}.',
      value,
      URL.canParse(url) && !socketAddress(url) ? new URL(url).host : plainLabel(url, 60),
    ),
  values: ({ headers }) => headers,
  parts: (config, written, { line, own, markKey }, t) => [
    { title: title(t), text: line, isUsual: true },
    { title: t('Socket of this machine'), text: socketText(config.url, t) },
    { title: t('Headers it sends'), text: showValues(own, markKey, t) },
    { title: t('Sign-in'), text: showValues(signInValues(config, written), markKey, t) },
  ],
  bound: (config, written, values) => ({
    ...config,
    headers: values,
    oauth: boundValues(signInValues(config, written)),
  }),
  warnings: ({ url }, t) => [
    ...(isSentInTheOpen(url)
      ? [t('The address is not encrypted: others on the way can read what is sent.')]
      : []),
    ...(controlling.test(socketAddress(url)?.path ?? '')
      ? [t('Whoever reaches this socket can control containers, and through them this machine.')]
      : []),
  ],
  lineSecrets: ({ url }) => secretsOfUrl(url),
  secrets: ({ headers, oauth }) => [
    // `Bearer` and the like are not part of the secret.
    ...namedValues(headers, () => true).map((value) => value.replace(/^\w+ (?=\S+$)/, '')),
    ...namedValues({ ...oauth }, (name) => looksSecret(name) || name === 'assertion'),
  ],
  asWritten: (config, written, keep) => ({
    ...config,
    url: keep.text(config.url, written.url),
    headers: keep.values(config.headers, written.headers),
  }),
});

function signInValues(config: HttpServerConfig, written: HttpServerConfig) {
  return { written: { ...written.oauth }, config: { ...config.oauth } };
}

/** Throws a `UserError` for what is no address of a server, now that its variables are filled in. */
function refuseOthers(url: string, t: Translate = inEnglish): void {
  if (!isServerAddress(url)) throw new UserError(noAddress(t));
}

/** Sockets that run containers with any rights. */
const controlling = /(?:^|\/)(?:docker|podman|containerd|crio?|buildkitd)[\w.-]*(?:\.sock)?$/i;

function socketText(url: string, t: Translate): string | undefined {
  const socket = socketAddress(url);
  return (
    socket &&
    t('{0}: whichever program listens there gets what is sent, on this machine.', socket.path)
  );
}

/** Returns the beginning of an address, which decides where it leads, with all that a URL parser skips before the host. */
function placeIn(url: string): string {
  if (/^(?:unix|pipe):/i.test(url)) return /^[^?#]*/.exec(url)?.[0] ?? '';
  return /^[^:/?#\\]*:?[/\\\s]*[^/?#\\]*/.exec(url)?.[0] ?? '';
}

/** True if others on the network can read what is sent; an address on this machine is not reached over one. */
function isSentInTheOpen(url: string): boolean {
  if (!/^http:/i.test(url)) return false;
  return !URL.canParse(url) || !isLoopback(new URL(url).hostname);
}
