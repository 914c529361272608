import { readImportedServers, withInputs } from '../add/importedServer';
import { readJson, type ImportSource } from './importSource';

/** The editor's own MCP client: `mcp.json` of the user. */
export const vscodeUser: ImportSource = {
  label: 'VS Code',
  files: ({ settings }) => [
    `${settings}/Code/User/mcp.json`,
    `${settings}/Code - Insiders/User/mcp.json`,
  ],
  read(text) {
    const { servers, inputs } = readJson(text);
    return withInputs(readImportedServers(servers), inputs);
  },
};
