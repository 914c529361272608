import type { ServerConfig } from '../serverConfig';
import type { OpenTransport } from '../transport/serverTransport';
import { addressKind, readAddressConfig } from './addressKind';
import type { LaunchKind, Openers, Parsed } from './launchKind';
import { processKind, readProcessConfig } from './processKind';
import { isRecord } from '../../base/json';
import { type Translate, inEnglish, listText } from '../../base/translate';
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

/** The type of every kind of launch. */
export const launchTypes = Object.keys(readers) as readonly Type[];

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
  const kind = launchTypes.find((one) => one === written);
  if (kind) return readers[kind](entry, t);
  const names = launchTypes.map((one) => JSON.stringify(one));
  const [others, last] = [listText(names.slice(0, -1), t), names.at(-1) ?? ''];
  return {
    problem: t('The type {0} is unknown: use {1} or {2}.', JSON.stringify(written), others, last),
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
