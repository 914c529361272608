import { allKinds, editorVariable, withType, type Application } from '../application';
import { jsonFile } from '../jsonFile';
import { userFolders } from './vscode';

/** The Cline extension. */
export const cline: Application = {
  ...jsonFile('mcpServers', (server) => withType(server, { http: 'streamableHttp' }), 's'),
  label: 'Cline',
  files: (machine) =>
    userFolders(machine, ['Cursor', 'Windsurf']).map(
      (user) => `${user}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    ),
  carries: {
    kinds: allKinds,
    keys: ['cwd', 'disabled'],
    times: { call: ['timeout', 's'] },
    variable: editorVariable,
  },
};
