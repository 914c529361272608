import type { CallToolResult, JsonObject } from '../../src/mcp/protocol/types';
import type { Server } from '../../src/mcp/server';

/** A third-party server as published on npm, and what it is asked to do. */
export interface ThirdPartyServer {
  readonly package: string;
  readonly version: string;
  /** The script inside the package that Node runs. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The minimum number of entries in each list. */
  readonly least: {
    readonly tools: number;
    readonly prompts?: number;
    readonly resources?: number;
  };
  /** Set if it also speaks the newest revision. */
  readonly isModern?: true;
  /** Makes one harmless request; resolves to a word about it, and rejects if the answer is not as expected. */
  readonly ask: (server: Server) => Promise<string>;
}

/** Calls a tool and expects a match in the text of its result, which may be an error of the tool. */
function calls(tool: string, args: JsonObject, expected: RegExp): ThirdPartyServer['ask'] {
  return async (server) => {
    const text = textOf(await server.callTool(tool, args));
    if (!expected.test(text)) throw new Error(`${tool} said: ${text.slice(0, 200)}`);
    return tool;
  };
}

/** Calls a tool that does not exist and expects an error. */
function refuses(tool: string): ThirdPartyServer['ask'] {
  return (server) =>
    server.callTool(tool, {}).then(
      (result) => {
        if (!result.isError) throw new Error(`${tool} said: ${textOf(result).slice(0, 200)}`);
        return `not ${tool}`;
      },
      () => `not ${tool}`,
    );
}

/** Reads a resource and expects a match in its text. */
function reads(uri: string, expected: RegExp): ThirdPartyServer['ask'] {
  return async (server) => {
    const { contents } = await server.readResource(uri);
    const text = contents.map((one) => one.text ?? '').join('\n');
    if (!expected.test(text)) throw new Error(`${uri} is: ${text.slice(0, 200)}`);
    return uri;
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
}

/** Servers that run without a network connection and without an account. */
export const thirdPartyServers: readonly ThirdPartyServer[] = [
  {
    package: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    script: 'dist/index.js',
    least: { tools: 10, prompts: 3, resources: 5 },
    ask: calls('echo', { message: 'hello' }, /hello/),
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    script: 'dist/index.js',
    args: [__dirname],
    least: { tools: 10 },
    ask: calls('list_allowed_directories', {}, /Allowed directories/i),
  },
  {
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    script: 'dist/index.js',
    least: { tools: 9 },
    ask: calls('read_graph', {}, /entities/),
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    script: 'dist/index.js',
    least: { tools: 1 },
    ask: calls(
      'sequentialthinking',
      { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      /thoughtNumber/,
    ),
  },
  {
    package: '@playwright/mcp',
    version: '0.0.83',
    script: 'cli.js',
    args: ['--headless'],
    least: { tools: 20 },
    ask: calls('browser_close', {}, /./),
  },
  {
    package: 'chrome-devtools-mcp',
    version: '1.11.0',
    script: 'build/src/bin/chrome-devtools-mcp.js',
    args: ['--headless', '--isolated'],
    least: { tools: 20 },
    ask: calls('select_page', {}, /pageId|invalid|required/i),
  },
  {
    package: '@upstash/context7-mcp',
    version: '4.1.1',
    script: 'dist/index.js',
    least: { tools: 2 },
    isModern: true,
    ask: calls('query-docs', {}, /invalid|required/i),
  },
  {
    package: 'mongodb-mcp-server',
    version: '3.0.4',
    script: 'dist/esm/index.js',
    args: ['--telemetry', 'disabled'],
    least: { tools: 10, resources: 2 },
    isModern: true,
    ask: reads('config://config', /telemetry/),
  },
  {
    package: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    script: 'bin/cli.mjs',
    env: { NOTION_TOKEN: 'ntn_none' },
    least: { tools: 20 },
    ask: refuses('no-such-tool'),
  },
  {
    package: '@sentry/mcp-server',
    version: '0.39.0',
    script: 'dist/index.js',
    args: ['--access-token=none', '--host=localhost'],
    least: { tools: 5 },
    ask: calls('search_sentry_tools', { query: 'issue' }, /./),
  },
  {
    package: 'mcp-server-kubernetes',
    version: '4.1.7',
    script: 'dist/index.js',
    least: { tools: 20, prompts: 1, resources: 5 },
    ask: calls('ping', {}, /^/),
  },
  {
    package: 'firecrawl-mcp',
    version: '3.26.0',
    script: 'dist/index.js',
    env: { FIRECRAWL_API_KEY: 'fc-none' },
    least: { tools: 20 },
    ask: calls('firecrawl_find_tools', { query: 'scrape' }, /./),
  },
];
