import { readJsonServers, type ImportSource } from './importSource';

/** The extension Roo Code: servers of the user and of each workspace folder. */
export const rooCode: ImportSource = {
  label: 'Roo Code',
  files: ({ settings, folders }) => [
    ...['Code', 'Code - Insiders'].map(
      (product) =>
        `${settings}/${product}/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ),
    ...folders.map((folder) => `${folder}/.roo/mcp.json`),
  ],
  read: (text) => readJsonServers(text, 'mcpServers'),
};
