import { noVariable, withoutType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** Claude Desktop, whose file is only for servers that are processes. */
export const claudeDesktop: Application = {
  ...jsonFile('mcpServers', withoutType),
  label: 'Claude Desktop',
  files: ({ settings }) => [`${settings}/Claude/claude_desktop_config.json`],
  carries: { kinds: ['stdio'], variable: noVariable },
};
