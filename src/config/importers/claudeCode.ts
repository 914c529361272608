import { asRecord } from '../../base/json';
import { readImportedServers } from '../add/importedServer';
import { readJson, type ImportSource } from './importSource';

/** Claude Code: servers of the user, and those that it keeps for each project. */
export const claudeCode: ImportSource = {
  label: 'Claude Code',
  files: ({ home }) => [`${home}/.claude.json`],
  read(text) {
    const { mcpServers, projects } = readJson(text);
    return [
      ...readImportedServers(mcpServers),
      ...Object.values(asRecord(projects)).flatMap((project) =>
        readImportedServers(asRecord(project)['mcpServers']),
      ),
    ];
  },
};
