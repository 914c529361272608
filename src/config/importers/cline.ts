import { readJsonServers, type ImportSource } from './importSource';

/** The extension Cline. */
export const cline: ImportSource = {
  label: 'Cline',
  files: ({ settings }) => [
    `${settings}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
  ],
  read: (text) => readJsonServers(text, 'mcpServers'),
};
