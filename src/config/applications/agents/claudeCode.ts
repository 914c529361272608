import { asRecord } from '../../../base/json';
import { readImportedServers } from '../../add/importedServer';
import { allKinds, shellVariable, type Application } from '../application';
import { jsonFile, readJson } from '../jsonFile';

/** Claude Code: servers of the user, and those that it keeps for each project. */
export const claudeCode: Application = {
  ...jsonFile('mcpServers'),
  label: 'Claude Code',
  files: ({ home }) => [`${home}/.claude.json`],
  carries: { kinds: allKinds, variable: shellVariable },
  read(text, leaveOut) {
    const { mcpServers, projects } = readJson(text);
    return [
      ...readImportedServers(mcpServers, leaveOut),
      ...Object.values(asRecord(projects)).flatMap((project) =>
        readImportedServers(asRecord(project)['mcpServers'], leaveOut),
      ),
    ];
  },
  readOwn: (text) => readImportedServers(readJson(text)['mcpServers']),
};
