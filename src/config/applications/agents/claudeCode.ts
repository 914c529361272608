import { asRecord } from '../../../base/json';
import { allKinds, shellVariable, type Application } from '../application';
import { jsonFile, readJson } from '../jsonFile';
import { readServerTable } from '../serverTable';

const key = 'mcpServers';

/** Claude Code: the user's servers, and those that it keeps for each project. */
export const claudeCode: Application = {
  ...jsonFile(key),
  label: 'Claude Code',
  files: ({ home }) => [`${home}/.claude.json`],
  carries: { kinds: allKinds, variable: shellVariable },
  read(text, tell) {
    const file = readJson(text);
    return [file, ...Object.values(asRecord(file['projects']))].flatMap((place) =>
      readServerTable(key, asRecord(place)[key], tell),
    );
  },
  readOwn: jsonFile(key).read,
};
