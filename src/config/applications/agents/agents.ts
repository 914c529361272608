import { asRecord } from '../../../base/json';
import {
  type Application,
  folderIn,
  noVariable,
  shellVariable,
  withType,
  withoutType,
} from '../application';
import { jsonFile, readJson } from '../jsonFile';
import { readServerTable } from '../serverTable';
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

const key = 'mcpServers';
const unit = 'ms';

/** Claude Code: the user's servers, and those that it keeps for each project. */
export const claudeCode: Application = {
  ...jsonFile(key, undefined, unit),
  label: 'Claude Code',
  files: ({ home, env }) => [`${folderIn(env, 'CLAUDE_CONFIG_DIR') ?? home}/.claude.json`],
  carries: { kinds: launchTypes, times: { call: ['timeout', unit] }, variable: shellVariable },
  read(text, tell) {
    const file = readJson(text);
    return [file, ...Object.values(asRecord(file['projects']))].flatMap((place) =>
      readServerTable(key, asRecord(place)[key], tell, unit),
    );
  },
  readOwn: jsonFile(key, undefined, unit).read,
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
