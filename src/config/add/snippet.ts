import { parse, type ParseError } from 'jsonc-parser';
import { asRecord } from '../../base/json';
import { readImportedServers, toMcpJson, withInputs, type ImportedServer } from './importedServer';

/**
 * Reads what people copy from a README: JSON with `mcpServers`, `servers` or `context_servers`, a
 * named or bare server, an install link of VS Code or Cursor, an address, an npm package or a command line.
 */
export function readSnippet(text: string): readonly ImportedServer[] {
  return readText(text, () => true);
}

/**
 * The same for a text that nobody typed for this: a line counts as a command only where it begins
 * like one, so that nothing else that is copied is taken for a server, and shown.
 */
export function readCopied(text: string): readonly ImportedServer[] {
  return readText(text, (line) => commandStart.test(line));
}

const commandStart =
  /^(?:(?:npx|pnpx|bunx|pnpm|npm|yarn|bun|deno|node|uvx?|pipx?|python3?|docker|podman|dotnet|java|go|cargo|ruby|php)(?:\.\w+)?\s|@[\w.-]+\/|(?:\.{0,2}|~|[A-Za-z]:)[\\/]\S)/;

function readText(text: string, isCommand: (line: string) => boolean): readonly ImportedServer[] {
  const trimmed = text.trim();
  const link = /^[\w-]+:\S*(?:mcp\/install|install-mcp)\?(\S+)$/.exec(trimmed)?.[1];
  if (link !== undefined) return readLink(link);
  if (/^https?:\/\/\S+$/.test(trimmed))
    return [{ name: nameOfUrl(trimmed), server: { type: 'http', url: trimmed } }];
  const value = readJson(trimmed);
  if (value !== undefined) return readValue(value);
  return isCommand(trimmed) ? readCommandLine(trimmed) : [];
}

/** Makes a launch of the newest version of an npm package. */
export function serverOfPackage(name: string): ImportedServer {
  const server = { type: 'stdio', command: 'npx', args: ['-y', name] };
  return { name: nameOfPackage(name), server };
}

function readLink(query: string): readonly ImportedServer[] {
  const parameters = new URLSearchParams(query);
  const config = parameters.get('config');
  try {
    if (config === null) return readValue(JSON.parse(decodeURIComponent(query)));
    // Cursor writes base 64, whose plus signs look like blanks in a query.
    const text = config.startsWith('{') ? config : atob(config.replaceAll(' ', '+'));
    const inputs: unknown = JSON.parse(parameters.get('inputs') ?? '[]');
    const name = parameters.get('name') ?? undefined;
    return readValue({ name, ...asRecord(JSON.parse(text)), inputs });
  } catch {
    return [];
  }
}

function readJson(text: string): unknown {
  // READMEs show a part of the file as often as the whole.
  for (const candidate of [text, `{${text}}`]) {
    const errors: ParseError[] = [];
    const value: unknown = parse(candidate, errors, { allowTrailingComma: true });
    if (errors.length === 0 && typeof value === 'object') return value;
  }
  return undefined;
}

function readValue(value: unknown): readonly ImportedServer[] {
  const record = asRecord(value);
  const { mcp, name } = record;
  if (mcp !== undefined) return readValue(mcp);
  for (const key of ['mcpServers', 'servers', 'context_servers', 'mcp_servers'])
    if (record[key] !== undefined)
      return withInputs(readImportedServers(record[key]), record['inputs']);
  const bare = toMcpJson(record);
  if (!bare) return readImportedServers(record);
  const found = { name: typeof name === 'string' && name ? name : nameOf(bare), server: bare };
  return withInputs([found], record['inputs']);
}

function readCommandLine(text: string): readonly ImportedServer[] {
  if (text === '' || text.includes('\n')) return [];
  const words = Array.from(
    text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  const [command = '', ...args] = words;
  if (args.length === 0 && /^@[\w.-]+\/[\w.-]+(?:@\S+)?$/.test(command))
    return [serverOfPackage(command)];
  const server = { type: 'stdio', command, ...(args.length > 0 && { args }) };
  return [{ name: nameOf(server), server }];
}

function nameOf(server: Readonly<Record<string, unknown>>): string {
  const { url, command, args } = server;
  if (typeof url === 'string') return nameOfUrl(url);
  const list = Array.isArray(args) ? args.map(String) : [];
  const target = list.find((arg) => !arg.startsWith('-')) ?? String(command);
  return nameOfPackage(target);
}

function nameOfUrl(url: string): string {
  try {
    return new URL(url).hostname.replace(/^(?:mcp|www|api)\./, '') || 'server';
  } catch {
    return 'server';
  }
}

function nameOfPackage(target: string): string {
  const last =
    target
      .replace(/(.)@[^/]*$/, '$1')
      .split(/[\\/]/)
      .at(-1) ?? target;
  return (
    last.replace(/\.(?:[cm]?js|ts|py|exe|cmd)$/, '').replace(/^(?:mcp-)?server-/, '') || 'server'
  );
}
