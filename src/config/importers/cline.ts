import { readJsonServers, type ImportSource } from './importSource';

/** The extension Cline. */
export const cline: ImportSource = {
  label: 'Cline',
  files: ({ settings }) =>
    ['Code', 'Code - Insiders'].map(
      (product) =>
        `${settings}/${product}/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    ),
  read: (text) => readJsonServers(text, 'mcpServers'),
};
