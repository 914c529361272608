import { readJsonServers, type ImportSource } from './importSource';

/** Windsurf. */
export const windsurf: ImportSource = {
  label: 'Windsurf',
  files: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
  read: (text) => readJsonServers(text, 'mcpServers'),
};
