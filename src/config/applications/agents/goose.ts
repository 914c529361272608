import { asRecord, type JsonRecord } from '../../../base/json';
import type { AdmittedServer } from '../../add/admission';
import { readImportedServers } from '../../add/importedServer';
import { usualGooseSeconds } from '../../add/linkFormats';
import { shellVariable, type Application } from '../application';
import { fileRecord, serverTable, unusableServer } from '../serverTable';
import { changeYaml } from '../jsonFile';

/** goose: its extensions that are MCP servers. */
export const goose: Application = {
  label: 'goose',
  files: ({ platform, home, settings }) => [
    platform === 'win32'
      ? `${settings}/Block/goose/config/config.yaml`
      : `${home}/.config/goose/config.yaml`,
  ],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['disabled'],
    times: { call: ['timeout', 's'] },
    // goose stores secrets under the names of variables; only headers can use them as part of a text.
    variable: (name, { part, key, around: { before, after } }) => {
      const isWhole = part === 'env' && key === name && before + after === '';
      return isWhole || part === 'headers' ? shellVariable(name) : undefined;
    },
  },
  read: async (text, tell) => {
    const { parse } = await import('yaml');
    const key = 'extensions';
    const extensions = serverTable(key, fileRecord(parse(text))[key], tell);
    const said = Object.entries(extensions).map(([name, value]) => {
      const { timeout, ...extension } = asRecord(value);
      return [name, timeout === usualGooseSeconds ? extension : value] as const;
    });
    const leaveOut = (name: string) => {
      // Its built-in extensions were never meant for other applications.
      if (serverTypes.includes(asRecord(extensions[name])['type'])) tell?.(unusableServer(name));
    };
    return readImportedServers(Object.fromEntries(said), leaveOut, 's');
  },
  write: (text, { servers }) =>
    changeYaml(text, (document) => {
      for (const one of servers) document.setIn(['extensions', one.name], toExtension(one));
    }),
  remove: (text, name) => changeYaml(text, (document) => document.deleteIn(['extensions', name])),
};

const serverTypes: readonly unknown[] = ['stdio', 'sse', 'streamable_http'];

const variable = /\$\{(\w+)\}/g;

function toExtension({ name, server }: AdmittedServer): JsonRecord {
  const { command, args, url, headers } = server;
  const env = Object.entries(asRecord(server['env']));
  const plain = env.filter(([key, value]) => value !== shellVariable(key));
  const inHeaders = Object.values(asRecord(headers)).flatMap((value) =>
    Array.from(String(value).matchAll(variable), ([, key = '']) => key),
  );
  const kept = env.filter((one) => !plain.includes(one)).map(([key]) => key);
  const keys = [...new Set([...kept, ...inHeaders])];
  return {
    enabled: server['disabled'] !== true,
    name,
    ...(url === undefined
      ? { type: 'stdio', cmd: command, args: args ?? [] }
      : { type: 'streamable_http', uri: url, ...(headers !== undefined && { headers }) }),
    envs: Object.fromEntries(plain),
    env_keys: keys,
    timeout: server['timeout'] ?? usualGooseSeconds,
  };
}
