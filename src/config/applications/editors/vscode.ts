import { withInputs } from '../../add/importedServer';
import { addToMcpJson } from '../../add/mcpJsonText';
import { allKinds, editorVariable, type Application } from '../application';
import { readJson } from '../jsonFile';
import { readServerTable } from '../serverTable';

/** The editor's own MCP client: the user's `mcp.json`. */
export const vscodeUser: Application = {
  label: 'VS Code',
  files: ({ settings }) => [
    `${settings}/Code/User/mcp.json`,
    `${settings}/Code - Insiders/User/mcp.json`,
  ],
  carries: {
    kinds: allKinds,
    keys: ['cwd', 'envFile', 'oauth', 'sandboxEnabled', 'sandbox'],
    inputs: true,
    variable: editorVariable,
  },
  read(text, tell) {
    const { servers, inputs } = readJson(text);
    return withInputs(readServerTable('servers', servers, tell), inputs);
  },
  write: addToMcpJson,
};
