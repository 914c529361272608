import { noVariable, withoutType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** The desktop application of Claude: its file is for processes alone. */
export const claudeDesktop: Application = {
  ...jsonFile('mcpServers', withoutType),
  label: 'Claude Desktop',
  files: ({ settings }) => [`${settings}/Claude/claude_desktop_config.json`],
  carries: { kinds: ['stdio'], variable: noVariable },
};
