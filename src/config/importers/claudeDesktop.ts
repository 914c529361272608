import { readJsonServers, type ImportSource } from './importSource';

/** The desktop application of Claude. */
export const claudeDesktop: ImportSource = {
  label: 'Claude Desktop',
  files: ({ settings }) => [`${settings}/Claude/claude_desktop_config.json`],
  read: (text) => readJsonServers(text, 'mcpServers'),
};
