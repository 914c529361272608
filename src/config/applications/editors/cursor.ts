import { allKinds, editorVariable, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** Cursor: the user's servers and those of each workspace folder. */
export const cursor: Application = {
  ...jsonFile('mcpServers'),
  label: 'Cursor',
  files: ({ home, folders }) => [home, ...folders].map((folder) => `${folder}/.cursor/mcp.json`),
  carries: { kinds: allKinds, keys: ['envFile'], variable: editorVariable },
};
