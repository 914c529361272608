import {
  type Application,
  editorVariable,
  noVariable,
  withType,
  withoutType,
} from '../application';
import { jsonFile } from '../jsonFile';
import { userFolders } from './vscode';
import { launchTypes } from '../../../mcp/launch/launchKinds';

/** The Roo Code extension: the user's servers and those of each workspace folder. */
export const rooCode: Application = {
  ...jsonFile('mcpServers', (server) => withType(server, { http: 'streamable-http' }), 's'),
  label: 'Roo Code',
  files: (machine) => [
    ...userFolders(machine, ['Cursor', 'Windsurf']).map(
      (user) => `${user}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ),
    ...machine.folders.map((folder) => `${folder}/.roo/mcp.json`),
  ],
  carries: {
    kinds: launchTypes,
    keys: ['cwd', 'disabled', 'disabledTools'],
    times: { call: ['timeout', 's'] },
    variable: editorVariable,
  },
};

/** The Cline extension: its own file in the storage of each editor that it may run in. */
export const cline: Application = {
  ...jsonFile('mcpServers', (server) => withType(server, { http: 'streamableHttp' }), 's'),
  label: 'Cline',
  files: (machine) =>
    userFolders(machine, ['Cursor', 'Windsurf']).map(
      (user) => `${user}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    ),
  carries: {
    kinds: launchTypes,
    keys: ['cwd', 'disabled'],
    times: { call: ['timeout', 's'] },
    variable: editorVariable,
  },
};

/** Windsurf: one file of the user, with addresses as `serverUrl`. */
export const windsurf: Application = {
  ...jsonFile('mcpServers', (server) => {
    const { url, ...entry } = withoutType(server);
    return url === undefined ? entry : { serverUrl: url, ...entry };
  }),
  label: 'Windsurf',
  files: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['disabled', 'disabledTools'],
    variable: editorVariable,
  },
};

/** Cursor: the user's servers and those of each workspace folder. */
export const cursor: Application = {
  ...jsonFile('mcpServers'),
  label: 'Cursor',
  files: ({ home, folders }) => [home, ...folders].map((folder) => `${folder}/.cursor/mcp.json`),
  carries: { kinds: launchTypes, keys: ['envFile'], variable: editorVariable },
};

/** Zed: context servers in its settings. */
export const zed: Application = {
  ...jsonFile(
    'context_servers',
    (server) => {
      const { disabled, ...entry } = withoutType(server);
      return { source: 'custom', ...(disabled === true && { enabled: false }), ...entry };
    },
    's',
  ),
  label: 'Zed',
  files: ({ platform, home, settings }) => [
    // On macOS, Zed uses the same folder as on Linux.
    `${platform === 'darwin' ? `${home}/.config/zed` : `${settings}/${platform === 'win32' ? 'Zed' : 'zed'}`}/settings.json`,
  ],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['disabled'],
    times: { call: ['timeout', 's'] },
    variable: noVariable,
  },
};
