import { asRecord } from '../../../base/json';
import { allKinds, shellVariable, type Application } from '../application';
import { jsonFile, readJson } from '../jsonFile';
import { readServerTable } from '../serverTable';

const key = 'mcpServers';
const unit = 'ms';

/** Claude Code: the user's servers, and those that it keeps for each project. */
export const claudeCode: Application = {
  ...jsonFile(key, undefined, unit),
  label: 'Claude Code',
  files: ({ home }) => [`${home}/.claude.json`],
  carries: { kinds: allKinds, times: { call: ['timeout', unit] }, variable: shellVariable },
  read(text, tell) {
    const file = readJson(text);
    return [file, ...Object.values(asRecord(file['projects']))].flatMap((place) =>
      readServerTable(key, asRecord(place)[key], tell, unit),
    );
  },
  readOwn: jsonFile(key, undefined, unit).read,
};
