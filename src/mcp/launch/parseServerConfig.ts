import { isRecord } from '../../base/json';
import { inEnglish, type Translate } from '../../base/translate';
import type { ServerConfig } from '../serverConfig';
import { readAddressConfig } from './addressKind';
import type { Parsed } from './launchKind';
import { readProcessConfig } from './processKind';

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

/** Other names that applications use for a kind. */
const spellings: Readonly<Record<string, Type>> = {
  local: 'stdio',
  'streamable-http': 'http',
  streamableHttp: 'http',
};

/** Reads a configuration as written in `mcp.json` or the setting; problems are whole sentences. */
export function parseServerConfig(value: unknown, t: Translate = inEnglish): Parsed {
  if (!isRecord(value)) return { problem: t('The server must be an object.') };
  if (value['type'] === undefined && value['command'] === undefined && value['url'] === undefined)
    return { problem: t('The server needs a "command" to start or a "url" to connect to.') };
  const written = value['type'] ?? (value['url'] === undefined ? 'stdio' : 'http');
  const type = readType(written);
  return type
    ? readers[type](value, t)
    : {
        problem: t(
          'The type {0} is unknown: use "stdio", "http" or "sse".',
          JSON.stringify(written),
        ),
      };
}

function readType(written: unknown): Type | undefined {
  if (typeof written !== 'string') return undefined;
  const type = Object.hasOwn(spellings, written) ? spellings[written] : written;
  return Object.keys(readers).find((kind): kind is Type => kind === type);
}
