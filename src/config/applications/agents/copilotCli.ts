import { allKinds, shellVariable, withType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** The Copilot CLI, whose file is also read by the editor's own MCP client. */
export const copilotCli: Application = {
  ...jsonFile(
    'mcpServers',
    ({ disabledTools, ...entry }) => ({
      ...withType(entry, { stdio: 'local' }),
      ...(entry['url'] === undefined && { args: entry['args'] ?? [] }),
      tools: entry['tools'] ?? ['*'],
      ...(disabledTools !== undefined && { excludeTools: disabledTools }),
    }),
    'ms',
  ),
  label: 'Copilot CLI',
  files: ({ home, env }) => [`${env['COPILOT_HOME'] || `${home}/.copilot`}/mcp-config.json`],
  carries: {
    kinds: allKinds,
    keys: ['tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: (name, { part }) => (part === 'env' ? shellVariable(name) : undefined),
  },
};
