import { asRecord, type JsonRecord } from '../../../base/json';
import { lineEndOf } from '../../../base/text/text';
import type { McpJsonServer } from '../../add/importedServer';
import { editorVariable, folderIn, type Application } from '../application';
import { readServerTable } from '../serverTable';
import { readTables } from './codexTables';

/** Codex: tables `mcp_servers.<name>` in TOML. */
export const codex: Application = {
  label: 'Codex',
  files: ({ home, env }) => [`${folderIn(env, 'CODEX_HOME') ?? `${home}/.codex`}/config.toml`],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['cwd', 'disabled', 'tools', 'disabledTools'],
    times: { call: ['tool_timeout_sec', 's'], start: ['startup_timeout_sec', 's'] },
    // Codex passes variables on under their own names, and fills in headers only as a whole or as a bearer token.
    variable: (name, { part, key, around: { before, after } }) => {
      const isWhole = before + after === '';
      const isToken = key === 'Authorization' && before === 'Bearer ' && after === '';
      const fits =
        part === 'env' ? isWhole && key === name : part === 'headers' && (isWhole || isToken);
      return fits ? editorVariable(name) : undefined;
    },
  },
  read: async (text, tell) => readServerTable('mcp_servers', await readTables(text), tell),
  write: async (text, { servers }) => {
    const { stringify } = await import('smol-toml');
    const names = servers.map(({ name }) => name);
    const kept = await withoutServers(text, names);
    const tables = servers.map(({ name, server }) => [name, toTable(server)] as const);
    const end = lineEndOf(text);
    const added = stringify({ mcp_servers: Object.fromEntries(tables) }).trim();
    const parts = [kept.trimEnd(), added.replaceAll('\n', end)].filter(Boolean);
    return parts.join(end + end) + end;
  },
  remove: (text, name) => withoutServers(text, [name]),
};

/** Removes the tables of some servers; rejects if the text cannot be read. */
async function withoutServers(text: string, names: readonly string[]): Promise<string> {
  const { parse } = await import('smol-toml');
  const isOf = (header: string, name: string): boolean => {
    try {
      return Object.hasOwn(asRecord(parse(`[${header}]`)['mcp_servers']), name);
    } catch {
      return false;
    }
  };
  parse(text);
  return withoutTables(text, (header) => names.some((name) => isOf(header, name)));
}

/** Removes some tables from a text; comments at the end of a table stay, as they are about what comes next. */
function withoutTables(text: string, isLeftOut: (header: string) => boolean): string {
  const kept: string[] = [];
  let skips = false;
  let comments: string[] = [];
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?([^[].*?)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())?.[1];
    if (header !== undefined) {
      skips = isLeftOut(header);
      if (!skips) kept.push(...comments);
    }
    const isComment = /^\s*(?:#|$)/.test(line);
    if (!isComment) comments = [];
    if (!skips) kept.push(line);
    else if (isComment) comments.push(line);
  }
  return [...kept, ...comments].join('\n');
}

const wholeVariable = /^(Bearer )?\$\{env:(\w+)\}$/;

function toTable(server: McpJsonServer): JsonRecord {
  const { type: _, headers, env, disabled, tools, disabledTools, ...table } = server;
  const [variables, values] = split(env);
  const [variableHeaders, plainHeaders] = split(headers);
  const token = variableHeaders.find(([, , scheme]) => scheme !== undefined)?.[1];
  const others = variableHeaders.filter(([, , scheme]) => scheme === undefined);
  return {
    ...table,
    ...(disabled === true && { enabled: false }),
    ...(tools !== undefined && { enabled_tools: tools }),
    ...(disabledTools !== undefined && { disabled_tools: disabledTools }),
    ...(values.length > 0 && { env: Object.fromEntries(values) }),
    ...(variables.length > 0 && { env_vars: variables.map(([name]) => name) }),
    ...(plainHeaders.length > 0 && { http_headers: Object.fromEntries(plainHeaders) }),
    ...(token !== undefined && { bearer_token_env_var: token }),
    ...(others.length > 0 && {
      env_http_headers: Object.fromEntries(others.map(([name, variable]) => [name, variable])),
    }),
  };
}

type Reference = [name: string, variable: string, scheme: string | undefined];

/** Separates the values that are environment variables from those that are not. */
function split(values: unknown): [references: Reference[], plain: [string, string][]] {
  const references: Reference[] = [];
  const plain: [string, string][] = [];
  for (const [name, value] of Object.entries(asRecord(values))) {
    const [, scheme, variable] = wholeVariable.exec(String(value)) ?? [];
    if (variable === undefined) plain.push([name, String(value)]);
    else references.push([name, variable, scheme]);
  }
  return [references, plain];
}
