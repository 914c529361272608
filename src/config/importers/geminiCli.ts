import { readJsonServers, type ImportSource } from './importSource';

/** Gemini CLI: servers of the user and of each workspace folder. */
export const geminiCli: ImportSource = {
  label: 'Gemini CLI',
  files: ({ home, folders }) =>
    [home, ...folders].map((folder) => `${folder}/.gemini/settings.json`),
  read: (text) => readJsonServers(text, 'mcpServers'),
};
