import { allKinds, editorVariable, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** Cursor: servers of the user and of each workspace folder. */
export const cursor: Application = {
  ...jsonFile('mcpServers'),
  label: 'Cursor',
  files: ({ home, folders }) => [home, ...folders].map((folder) => `${folder}/.cursor/mcp.json`),
  carries: { kinds: allKinds, keys: ['envFile'], variable: editorVariable },
};
