import { allKinds, shellVariable, type Application } from '../application';
import { jsonFile } from '../jsonFile';

const urlKeys: Readonly<Record<string, string>> = { http: 'httpUrl', sse: 'url' };

/** Gemini CLI: the user's servers and those of each workspace folder. */
export const geminiCli: Application = {
  ...jsonFile(
    'mcpServers',
    ({ type, url, tools, disabledTools, ...rest }) => {
      const entry = {
        ...rest,
        ...(tools !== undefined && { includeTools: tools }),
        ...(disabledTools !== undefined && { excludeTools: disabledTools }),
      };
      if (url === undefined) return entry;
      return { [urlKeys[String(type)] ?? 'url']: url, type, ...entry };
    },
    'ms',
  ),
  label: 'Gemini CLI',
  files: ({ home, folders }) =>
    [home, ...folders].map((folder) => `${folder}/.gemini/settings.json`),
  carries: {
    kinds: allKinds,
    keys: ['cwd', 'tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: shellVariable,
  },
};
