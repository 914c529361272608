import { type Application, folderIn, shellVariable, withType } from '../application';
import { jsonFile } from '../jsonFile';
import { launchTypes } from '../../../mcp/launch/launchKinds';

/** The Copilot CLI, whose file is also read by the editor's own MCP client. */
export const copilotCli: Application = {
  ...jsonFile(
    'mcpServers',
    ({ disabledTools, ...entry }) => ({
      ...withType(entry, { stdio: 'local' }),
      ...(entry['url'] === undefined && { args: entry['args'] ?? [] }),
      tools: entry['tools'] ?? ['*'],
      ...(disabledTools !== undefined && { excludeTools: disabledTools }),
    }),
    'ms',
  ),
  label: 'Copilot CLI',
  files: ({ home, env }) => [
    `${folderIn(env, 'COPILOT_HOME') ?? `${home}/.copilot`}/mcp-config.json`,
  ],
  carries: {
    kinds: launchTypes,
    keys: ['tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: (name, { part }) => (part === 'env' ? shellVariable(name) : undefined),
  },
};

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
    kinds: launchTypes,
    keys: ['cwd', 'tools', 'disabledTools'],
    times: { call: ['timeout', 'ms'] },
    variable: shellVariable,
  },
};
