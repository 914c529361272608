import { asRecord, recordsOf, type JsonRecord } from '../../../base/json';
import type { AdmittedServer } from '../../add/admission';
import { toMcpJson } from '../../add/importedServer';
import {
  type Application,
  editorVariable,
  noVariable,
  withType,
  withoutType,
} from '../application';
import { changeYaml, jsonFile } from '../jsonFile';
import { fileRecord, unusableServer } from '../serverTable';
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

/** Continue: a list of named servers in YAML. */
export const continueDev: Application = {
  label: 'Continue',
  files: ({ home }) => [`${home}/.continue/config.yaml`],
  carries: {
    kinds: launchTypes,
    keys: ['cwd'],
    times: { start: ['connectionTimeout', 'ms'] },
    variable: (name) => `\${{ secrets.${name} }}`,
  },
  async read(text, tell) {
    const { parse } = await import('yaml');
    // Continue has a file and a service of its own for secrets; an environment variable of the same name comes closest.
    const readable = text.replaceAll(/\$\{\{\s*secrets\.(\w+)\s*\}\}/g, '${env:$1}');
    const { mcpServers } = fileRecord(parse(readable));
    if (!Array.isArray(mcpServers ?? []))
      tell?.((t) => t('"{0}" must be a list of servers.', 'mcpServers'));
    return recordsOf(mcpServers).flatMap((value) => {
      const { name } = value;
      const server = toMcpJson(value, 'ms');
      if (typeof name !== 'string') return [];
      if (!server) tell?.(unusableServer(name));
      return server ? [{ name, server }] : [];
    });
  },
  write: (text, { servers }) =>
    changeYaml(text, (document) => {
      const before: unknown = document.toJS();
      const known = asRecord(before)['mcpServers'];
      const names = Array.isArray(known) ? known.map((one) => asRecord(one)['name']) : [];
      for (const server of servers) {
        const at = names.indexOf(server.name);
        const index = at < 0 ? names.push(server.name) - 1 : at;
        document.setIn(['mcpServers', index], document.createNode(toEntry(server)));
      }
    }),
  remove: (text, name) =>
    changeYaml(text, (document) => {
      const before: unknown = document.toJS();
      const at = recordsOf(asRecord(before)['mcpServers']).findIndex((one) => one['name'] === name);
      if (at >= 0) document.deleteIn(['mcpServers', at]);
    }),
};

function toEntry({ name, server }: AdmittedServer): JsonRecord {
  const { headers, ...entry } = withType(server, { http: 'streamable-http' });
  return {
    name,
    ...entry,
    ...(headers !== undefined && { requestOptions: { headers } }),
  };
}
