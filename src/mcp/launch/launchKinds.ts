import type { ServerConfig } from '../serverConfig';
import type { OpenTransport } from '../transport/serverTransport';
import { addressKind, readAddressConfig } from './addressKind';
import type { LaunchKind, Openers, Parsed } from './launchKind';
import { processKind, readProcessConfig } from './processKind';
import { isRecord } from '../../base/json';
import { type Translate, inEnglish } from '../../base/translate';
import { ownEntry } from './ownEntry';

type Type = ServerConfig['type'];

const readers: {
  readonly [C in ServerConfig as C['type']]: (
    value: Readonly<Record<string, unknown>>,
    t: Translate,
  ) => Parsed<C>;
} = {
  stdio: readProcessConfig,
  http: (value, t) => readAddressConfig(value, 'http', t),
  sse: (value, t) => readAddressConfig(value, 'sse', t),
};

/**
 * Reads a configuration as written in `mcp.json` or the setting, or in the words of another application; problems are
 * whole sentences.
 */
export function parseServerConfig(value: unknown, t: Translate = inEnglish): Parsed {
  if (!isRecord(value)) return { problem: t('The server must be an object.') };
  const { entry } = ownEntry(value);
  const { type, command, url } = entry;
  if (type === undefined && command === undefined && url === undefined)
    return { problem: t('The server needs a "command" to start or a "url" to connect to.') };
  const written = type ?? (url === undefined ? 'stdio' : 'http');
  const kind = Object.keys(readers).find((one): one is Type => one === written);
  return kind
    ? readers[kind](entry, t)
    : {
        problem: t(
          'The type {0} is unknown: use "stdio", "http" or "sse".',
          JSON.stringify(written),
        ),
      };
}

const kinds: { readonly [C in ServerConfig as C['type']]: LaunchKind<C> } = {
  stdio: processKind,
  http: addressKind('http'),
  sse: addressKind('sse'),
};

/** Returns the kind of launch of a server. */
export function kindOf<C extends ServerConfig>({ type }: C): LaunchKind<C> {
  return kinds[type] as unknown as LaunchKind<C>;
}

/** Returns the function that opens transports, with what is available on this machine. */
export function createTransports(openers: Openers): OpenTransport {
  return (config, context) => kindOf(config).open(config, context, openers);
}
