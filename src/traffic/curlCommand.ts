import { asRecord } from '../base/json';
import { secretsOfUrl } from '../base/secrets/lineSecrets';
import { SecretMask } from '../base/secrets/secretMask';
import { kindOf } from '../mcp/launch/launchKinds';
import type { Server } from '../mcp/server';
import { socketAddress } from '../mcp/transport/socketAddress';
import { maskedCopy, type Mask } from '../base/secrets/maskedCopy';

/** The first revision whose requests need no session. */
const statelessRevision = '2026-07-28';

/**
 * Returns a shell command that sends a message to a server at a URL; placeholders in angle brackets stand for
 * what may be secret.
 */
export function curlCommand(
  { definition, state, isSignedIn }: Pick<Server, 'definition' | 'state' | 'isSignedIn'>,
  message: unknown,
  mask: Mask,
): string {
  const { url, headers } = kindOf(definition.config).show(definition.config);
  const names = Array.isArray(headers) ? headers.map(String) : [];
  const { method, params } = asRecord(message);
  const version = state.kind === 'running' ? state.info.protocolVersion : undefined;
  const isStateless = version !== undefined && version >= statelessRevision;
  const { name, uri } = asRecord(params);
  const subject = typeof name === 'string' ? name : uri;
  const socket = socketAddress(String(url));
  const lines = [
    `curl -X POST ${quoted(mask(shownUrl(socket?.url ?? String(url))))}`,
    ...(socket ? [`--unix-socket ${quoted(mask(socket.path))}`] : []),
    header('Content-Type', 'application/json'),
    header('Accept', 'application/json, text/event-stream'),
    ...(version === undefined ? [] : [header('MCP-Protocol-Version', version)]),
    ...(isStateless ? [header('Mcp-Method', mask(String(method)))] : []),
    ...(isStateless && typeof subject === 'string' ? [header('Mcp-Name', mask(subject))] : []),
    ...(isStateless || method === 'initialize' ? [] : [header('Mcp-Session-Id', '<session id>')]),
    ...(isSignedIn ? [header('Authorization', 'Bearer <token>')] : []),
    ...names.map((one) => header(one, `<${one}>`)),
    `--data-raw ${quoted(JSON.stringify(maskedCopy(message, mask)))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Returns a URL in which its password and parameters that look like secrets are masked. */
function shownUrl(url: string): string {
  const secrets = new SecretMask();
  secrets.hide(secretsOfUrl(url));
  return secrets.apply(url);
}

function header(name: string, value: string): string {
  return `-H ${quoted(`${name}: ${value}`.replaceAll(/[\r\n]+/g, ' '))}`;
}

/** Quotes a text for a POSIX shell, no matter what it contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
