import { allKinds, editorVariable, withType, type Application } from '../application';
import { jsonFile } from '../jsonFile';
import { userFolders } from './vscode';

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
    kinds: allKinds,
    keys: ['cwd', 'disabled', 'disabledTools'],
    times: { call: ['timeout', 's'] },
    variable: editorVariable,
  },
};
