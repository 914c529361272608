import { allKinds, editorVariable, withType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** The Roo Code extension: the user's servers and those of each workspace folder. */
export const rooCode: Application = {
  ...jsonFile('mcpServers', (server) => withType(server, { http: 'streamable-http' }), 's'),
  label: 'Roo Code',
  files: ({ settings, folders }) => [
    ...['Code', 'Code - Insiders'].map(
      (product) =>
        `${settings}/${product}/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ),
    ...folders.map((folder) => `${folder}/.roo/mcp.json`),
  ],
  carries: {
    kinds: allKinds,
    keys: ['cwd', 'disabled', 'disabledTools'],
    times: { call: ['timeout', 's'] },
    variable: editorVariable,
  },
};
