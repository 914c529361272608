import { asRecord, type JsonRecord } from '../../../base/json';
import type { AdmittedServer } from '../../add/admission';
import { readImportedServers } from '../../add/importedServer';
import { usualGooseSeconds } from '../../add/linkFormats';
import {
  type Application,
  folderIn,
  noVariable,
  shellVariable,
  withType,
  withoutType,
} from '../application';
import { changeYaml, jsonFile, readJson } from '../jsonFile';
import { fileRecord, readServerTable, serverTable, unusableServer } from '../serverTable';
import { launchTypes } from '../../../mcp/launch/launchKinds';

const desktopFile = 'Claude/claude_desktop_config.json';

/**
 * Claude Desktop, whose file is only for servers that are processes. On Windows it comes as a package, which has a folder
 * for application settings of its own and reads no other.
 */
export const claudeDesktop: Application = {
  ...jsonFile('mcpServers', withoutType),
  label: 'Claude Desktop',
  files: ({ settings }) => [`${settings}/${desktopFile}`],
  async find(machine, disk) {
    const { platform, home, env } = machine;
    const usual = claudeDesktop.files(machine).map((path) => ({ path }));
    if (platform !== 'win32') return usual;
    const local = folderIn(env, 'LOCALAPPDATA') ?? `${home}/AppData/Local`;
    const packages = (await disk.folders(`${local}/Packages`))
      .filter((name) => /^Claude_/i.test(name))
      .map((name) => ({ path: `${local}/Packages/${name}/LocalCache/Roaming/${desktopFile}` }));
    return packages.length === 0
      ? usual
      : [...packages, ...usual.map((one) => ({ ...one, isUnread: true as const }))];
  },
  carries: { kinds: ['stdio'], variable: noVariable },
};

const claudeKey = 'mcpServers';
const unit = 'ms';

/** Claude Code: the user's servers, and those that it keeps for each project. */
export const claudeCode: Application = {
  ...jsonFile(claudeKey, undefined, unit),
  label: 'Claude Code',
  files: ({ home, env }) => [`${folderIn(env, 'CLAUDE_CONFIG_DIR') ?? home}/.claude.json`],
  carries: { kinds: launchTypes, times: { call: ['timeout', unit] }, variable: shellVariable },
  read(text, tell) {
    const file = readJson(text);
    return [file, ...Object.values(asRecord(file['projects']))].flatMap((place) =>
      readServerTable(claudeKey, asRecord(place)[claudeKey], tell, unit),
    );
  },
  readOwn: jsonFile(claudeKey, undefined, unit).read,
};

/** The Copilot CLI, whose file is also read by the editor's own MCP client. */
export const copilotCli: Application = {
  ...jsonFile(
    'mcpServers',
    ({ disabledTools, ...entry }) => ({
      ...withType(entry, { stdio: 'local' }),
      ...(entry['url'] === undefined && { args: entry['args'] ?? [] }),
      tools: entry['tools'] ?? ['*'],
      ...(disabledTools !== undefined && { excludeTools: disabledTools }),
    }),
    'ms',
  ),
  label: 'Copilot CLI',
  files: ({ home, env }) => [
    `${folderIn(env, 'COPILOT_HOME') ?? `${home}/.copilot`}/mcp-config.json`,
  ],
  carries: {
    kinds: launchTypes,
    keys: ['tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: (name, { part }) => (part === 'env' ? shellVariable(name) : undefined),
  },
};

const urlKeys: Readonly<Record<string, string>> = { http: 'httpUrl', sse: 'url' };

/** Gemini CLI: the user's servers and those of each workspace folder. */
export const geminiCli: Application = {
  ...jsonFile(
    'mcpServers',
    ({ type, url, tools, disabledTools, ...rest }) => {
      const entry = {
        ...rest,
        ...(tools !== undefined && { includeTools: tools }),
        ...(disabledTools !== undefined && { excludeTools: disabledTools }),
      };
      if (url === undefined) return entry;
      return { [urlKeys[String(type)] ?? 'url']: url, type, ...entry };
    },
    'ms',
  ),
  label: 'Gemini CLI',
  files: ({ home, folders }) =>
    [home, ...folders].map((folder) => `${folder}/.gemini/settings.json`),
  carries: {
    kinds: launchTypes,
    keys: ['cwd', 'tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: shellVariable,
  },
};

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
