import { editorVariable, withoutType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** Windsurf. */
export const windsurf: Application = {
  ...jsonFile('mcpServers', (server) => {
    const { url, ...entry } = withoutType(server);
    return url === undefined ? entry : { serverUrl: url, ...entry };
  }),
  label: 'Windsurf',
  files: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['disabled', 'disabledTools'],
    variable: editorVariable,
  },
};
