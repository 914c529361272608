import { readJsonServers, type ImportSource } from './importSource';

/** Cursor: servers of the user and of each workspace folder. */
export const cursor: ImportSource = {
  label: 'Cursor',
  files: ({ home, folders }) => [home, ...folders].map((folder) => `${folder}/.cursor/mcp.json`),
  read: (text) => readJsonServers(text, 'mcpServers'),
};
