import { type ParseError, parse } from 'jsonc-parser';
import { type JsonRecord, asRecord, canonicalJson } from '../../base/json';
import { readJsonc } from '../../base/text/jsonc';
import type { Translate } from '../../base/translate';
import {
  type ImportedServer,
  type McpJsonServer,
  readImportedServers,
  toMcpJson,
  withInputs,
} from './importedServer';
import { type LinkValue, readLink } from './linkFormats';
import { readRegistryEntry } from './registryEntry';
import { addCommands, readAddCommand } from './text/addedServer';
import { splitLine, splitPairs } from './text/commandLine';
import { isLaunch, launchVerb, variables } from './text/commandStart';
import { jsonObjects } from './text/jsonObjects';
import { inWorkspaceFolder } from './text/shellVariables';
import { readWebPage } from './text/webPages';
import { readContainerRun } from './text/placeholders';

/** The options of launchers that take the next word as their value, which does not name the server. */
const launcherOptions: readonly (readonly [launcher: RegExp, option: RegExp])[] = [
  [/^uvx?$/, /^(?:-p|--(?:from|with|python|index-url))$/],
  [
    /^(?:node|tsx|ts-node|bun)$/,
    /^(?:-r|--(?:import|require|loader|experimental-loader|preload))$/,
  ],
];
/** What runs a file or a program below another launcher, and how some of these do it. */
const runner = /^(?:tsx|ts-node|nodemon|node|bun|deno|python3?|watch)$/;
/** A part of a path that says nothing about the server. */
const commonPart =
  /^(?:|~|\.{1,2}|\$\{[^}]*\}|[A-Za-z]:?|index|main|server|cli|app|start|dist|build|src|bin|out|lib)$/;

/** Returns a name for an unnamed server, from its URL or from what it launches. */
function nameOf(server: McpJsonServer): string {
  const { url, command, args } = server;
  if (typeof url === 'string') return nameOfUrl(url);
  const image = readContainerRun(server)?.image;
  if (image !== undefined) return nameOfPackage(image);
  const list = Array.isArray(args) ? args.map(String) : [];
  const [, option] = launcherOptions.find(([launcher]) => launcher.test(String(command))) ?? [];
  const words = list.filter((arg, at) => !arg.startsWith('-') && !option?.test(list[at - 1] ?? ''));
  const launched = words.filter((word) => !launchVerb.test(word));
  return nameOfPackage(
    launched.find((word) => !runner.test(word)) ?? launched[0] ?? String(command),
  );
}

/** Returns a name for a server from its URL. */
function nameOfUrl(url: string): string {
  try {
    return new URL(url).hostname.replace(/^(?:mcp|www|api)\./, '') || 'server';
  } catch {
    return 'server';
  }
}

/** Returns a name for a server from the path, package or image that it is launched from. */
function nameOfPackage(target: string): string {
  const version = target.indexOf('@', Math.max(target.lastIndexOf('/') + 1, 1));
  const parts = (version < 0 ? target : target.slice(0, version))
    .split(/[\\/]/)
    .map((part) => part.replace(/\.(?:[cm]?js|ts|py|exe|cmd)$|(?!^):[\w.-]*$/, ''));
  const telling = parts.findLast((part) => !commonPart.test(part)) ?? parts.at(-1) ?? target;
  return telling.replace(/^(?:mcp-)?server-/, '') || 'server';
}

/** At most this many blocks are read per text. */
const maxBlocks = 20;
/** Blocks in blocks are read up to this depth: a README may be quoted whole. */
const maxFenceDepth = 2;

/** Returns the contents of the code blocks in a Markdown text. */
function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let block: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) {
      blocks.push(block.join('\n'));
      if (blocks.length === maxBlocks) break;
      fence = undefined;
      block = [];
    } else block.push(line);
  }
  return blocks;
}

/** At most this many links are read per text. */
const maxLinks = 50;

/** Links in Markdown and HTML, and URLs written as code. */
const links = /\]\(\s*<?([^\s()<>]+)|\bhref\s*=\s*["']([^\s"']+)["']|`([a-z][\w+.-]*:[^\s`]+)`/gi;

/** Returns the targets of the links in a README, in order. */
function linkTargets(text: string): readonly string[] {
  const targets: string[] = [];
  for (const [, markdown, html, code] of text.matchAll(links)) {
    targets.push(markdown ?? html?.replaceAll('&amp;', '&') ?? code ?? '');
    if (targets.length === maxLinks) break;
  }
  return targets;
}

/** What was found in a text: servers, a bundle, or a problem. */
export interface Snippet {
  readonly servers: readonly ImportedServer[];
  /** The path or URL of the bundle that contains the server, which is yet to be read. */
  readonly bundle?: string;
  /** True if the servers are different ways to use the same one. */
  readonly isChoice?: true;
  /** True if the text itself names the servers, so that the user need not be asked for a name. */
  readonly isNamed?: true;
  /** Why a text that is meant to contain a server has none, in a whole sentence. */
  readonly problem?: string;
}

/**
 * Reads what users copy from a README: JSON with `mcpServers`, `servers` or `context_servers`, a named or bare server,
 * a `server.json` of the registry, an install link of VS Code, Cursor, LM Studio or goose, the path of a bundle, a
 * URL, an npm package, the page of a package at npm, PyPI or Docker Hub, a command line, or the commands that add
 * servers to Claude Code, Codex, Gemini CLI or VS Code; the text around it is ignored.
 */
export function readSnippet(text: string, t: Translate): Snippet {
  return readText(text, () => true, t);
}

/**
 * Reads a text as {@link readSnippet} does, but one that was not typed for this: a line counts as a command only if it
 * is one beyond doubt, so that nothing else that was copied is taken for a server and shown.
 */
export function readCopied(text: string, t: Translate): Snippet {
  return readText(withBareScheme(text.trim()), isLaunch, t);
}

/** Reads a text as {@link readSnippet} does, but one that was entered as a URL, whose scheme may be left out. */
export function readServerUrl(text: string, t: Translate): Snippet {
  const trimmed = text.trim();
  const isBare =
    /^[^\s/:]+(?::\d+)?(?:[/?]\S*)?$/.test(trimmed) && URL.canParse(withScheme(trimmed));
  return readText(isBare ? withScheme(trimmed) : text, () => false, t);
}

/**
 * Reads a text as {@link readSnippet} does, but one that was entered as the name of an npm package; a command that
 * runs or installs the package will do, too.
 */
export function readPackage(text: string, t: Translate): Snippet {
  const trimmed = text.trim();
  if (/^npx\s/.test(trimmed)) return readSnippet(trimmed, t);
  const page = readPage(withBareScheme(trimmed), t);
  if (page) return page;
  const [, name = trimmed] =
    /^npm\s+(?:i|install|add|exec)\s+(?:-\S+\s+)*(\S+)$/.exec(trimmed) ?? [];
  return { servers: /^[^\s-]\S*$/.test(name) ? [serverOfPackage(name)] : [] };
}

/** A URL without its scheme: a host with a dot in it and a path, or `localhost` with a port. */
const bareAddress = /^(?:(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?\/\S*|localhost:\d+(?:\/\S*)?)$/i;

function withBareScheme(text: string): string {
  return bareAddress.test(text) ? withScheme(text) : text;
}

/** Adds a scheme: `http` for this machine, where servers have no certificate, and `https` for others. */
function withScheme(address: string): string {
  return `${/^(?:localhost|127\.|\[::1\])/i.test(address) ? 'http' : 'https'}://${address}`;
}

/** The keys that hold the servers in a configuration. */
const listKeys = ['mcpServers', 'servers', 'context_servers', 'mcp_servers'] as const;
const listKey = new RegExp(`"(?:${listKeys.join('|')})"\\s*:`);
/** A key that only a server configuration has. */
const serverKey = new RegExp(`${listKey.source}|"(?:command|url)"\\s*:`);

const anAddress = /^(?:https?:\/\/|(?:unix|pipe):\/\/\/)\S+$/;

const bundlePath = /^"?(?:file:\/\/|~?[\\/]|[A-Za-z]:[\\/])[^\n"]*\.(?:mcpb|dxt)"?$/i;

function readText(text: string, isCommand: (line: string) => boolean, t: Translate): Snippet {
  const read = readPart(text, isCommand, t);
  if (hasServers(read) || read.bundle !== undefined) return read;
  return readObjects(text, t) ?? read;
}

function readPart(
  text: string,
  isCommand: (line: string) => boolean,
  t: Translate,
  depth = 0,
): Snippet {
  const trimmed = text.trim();
  const link = readLink(trimmed, t);
  if (link) return readLinked(link, t);
  if (bundlePath.test(trimmed)) return { servers: [], bundle: trimmed.replace(/^"(.*)"$/, '$1') };
  if (anAddress.test(trimmed))
    return (
      readPage(trimmed, t) ?? {
        servers: [{ name: nameOfUrl(trimmed), server: { type: 'http', url: trimmed } }],
      }
    );
  // A page that the user must read first is no reason to ignore the other blocks.
  const blocks = (depth < maxFenceDepth ? fencedBlocks(trimmed) : []).filter((block) => {
    const page = readWebPage(block.trim());
    return !page || 'target' in page;
  });
  // Next to a configuration, a command in a README more likely installs or builds something.
  for (const isServer of [() => false, isCommand])
    for (const block of blocks) {
      const found = readPart(block, isServer, t, depth + 1);
      if (hasServers(found) || found.bundle !== undefined || found.problem !== undefined)
        return found;
    }
  return (
    readJson(trimmed, t) ??
    readBadge(trimmed, t) ??
    readBroken(trimmed, t) ??
    readCommand(trimmed, isCommand)
  );
}

/**
 * Reads the URL of a web page about a package, or of a page that the user must read first, which gives a problem;
 * `undefined` for other URLs.
 */
function readPage(address: string, t: Translate): Snippet | undefined {
  const page = anAddress.test(address) ? readWebPage(address) : undefined;
  if (!page) return undefined;
  if ('target' in page) return { servers: [serverOfPackage(page.target, page.about)] };
  const problem =
    page.about === 'repository'
      ? t(
          'This is the web page of a repository, not a server. Paste the command or the configuration from its README.',
        )
      : t(
          'This is a web page about a server, not the server. Paste the command, the configuration or the URL that it shows.',
        );
  return { servers: [], problem };
}

/** Reads a text that is JSON as a whole; undefined for others. */
function readJson(text: string, t: Translate): Snippet | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const entry = readRegistryEntry(asRecord(value), t);
  if (!entry) return readConfiguration(value);
  if ('problem' in entry) return { servers: [], ...entry };
  return { servers: entry, ...(entry.length > 1 && { isChoice: true }) };
}

/** Reads the JSON within a text: all configurations, as there may be one per application, or else the first server. */
function readObjects(text: string, t: Translate): Snippet | undefined {
  const objects = jsonObjects(text);
  const whole = objects.filter((json) => listKey.test(json));
  const read = (whole.length > 0 ? whole : objects)
    .flatMap((json) => readJson(json, t) ?? [])
    .filter(hasServers);
  if (whole.length === 0 || read.length === 0) return read[0];
  const { servers, ...rest } = together(read);
  // The same name in several configurations is one server, written in several ways.
  const first = new Map(servers.toReversed().map((one) => [one.name, one]));
  return { servers: servers.filter((one) => first.get(one.name) === one), ...rest };
}

function hasServers({ servers }: Snippet): boolean {
  return servers.length > 0;
}

function readConfiguration(value: unknown): Snippet {
  const servers = readValue(value);
  const record = asRecord(value);
  const isNamed = servers.length > 0 && (!!nameIn(record) || !toMcpJson(record));
  return { servers, ...(isNamed && { isNamed }) };
}

/** Reads the first install link of a README, such as that of a badge. */
function readBadge(text: string, t: Translate): Snippet | undefined {
  for (const target of linkTargets(text)) {
    const link = readLink(target, t);
    if (link) return readLinked(link, t);
  }
  return undefined;
}

/** Returns what is wrong with a text that would configure servers if it were valid JSON; `undefined` for others. */
function readBroken(text: string, t: Translate): Snippet | undefined {
  if (!text.startsWith('{') || !serverKey.test(text)) return undefined;
  const { problem } = readJsonc(text, t);
  return problem && { servers: [], problem: problem.message };
}

function readLinked(link: LinkValue, t: Translate): Snippet {
  if ('problem' in link) return { servers: [], problem: link.problem };
  const servers = readValue(link.value);
  if (servers.length > 0) return { servers };
  return { servers, problem: t('This link has neither the command nor the URL of a server.') };
}

/** The programs that run a package, by registry. */
const runners = {
  npm: { command: 'npx', options: ['-y'] },
  pypi: { command: 'uvx', options: [] },
  docker: { command: 'docker', options: ['run', '-i', '--rm'] },
} as const;

/** Returns the server that launches a package, in its newest version if the name includes none. */
function serverOfPackage(name: string, registry: keyof typeof runners = 'npm'): ImportedServer {
  const { command, options } = runners[registry];
  const server = { type: 'stdio', command, args: [...options, name] };
  return { name: nameOfPackage(name), server };
}

function parseJson(text: string): unknown {
  // READMEs show a part of the file, without the outer braces, as often as the whole.
  for (const candidate of [text, `{${text}}`]) {
    const errors: ParseError[] = [];
    const value: unknown = parse(candidate, errors, { allowTrailingComma: true });
    if (errors.length === 0 && typeof value === 'object') return value;
  }
  return undefined;
}

function readValue(value: unknown): readonly ImportedServer[] {
  return serversIn(value).map((one) => ({ ...one, server: inWorkspaceFolder(one.server) }));
}

function serversIn(value: unknown): readonly ImportedServer[] {
  const record = asRecord(value);
  const { mcp } = record;
  if (mcp !== undefined) return serversIn(mcp);
  for (const key of listKeys)
    if (record[key] !== undefined)
      return withInputs(readImportedServers(record[key]), record['inputs']);
  const bare = toMcpJson(record);
  if (!bare) return readImportedServers(record);
  const found = { name: nameIn(record) ?? nameOf(bare), server: bare };
  return withInputs([found], record['inputs']);
}

/** The name that a server has in its own entry. */
function nameIn({ name }: JsonRecord): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function readCommand(text: string, isCommand: (line: string) => boolean): Snippet {
  const added = addCommands(text).map(readAdded);
  if (added.length > 0) return together(added);
  const line = text.replace(/^[$>]\s+/, '');
  return { servers: isCommand(line) ? readCommandLine(line) : [] };
}

function readAdded(line: string): Snippet {
  const added = readAddCommand(splitLine(line));
  if (added?.name === undefined) return readConfiguration(added?.value);
  const server = toMcpJson(added.value);
  return server ? { servers: [{ name: added.name, server }], isNamed: true } : { servers: [] };
}

/** Combines the servers of several commands or configurations without duplicates: a README has one per application. */
function together(added: readonly Snippet[]): Snippet {
  const found = added.filter(hasServers);
  const all = found.flatMap(({ servers }) => servers);
  const servers = new Map(all.map((one) => [canonicalJson(one.server), one]));
  const isNamed = found.length > 0 && found.every((one) => one.isNamed);
  return { servers: [...servers.values()], ...(isNamed && { isNamed }) };
}

function readCommandLine(text: string): readonly ImportedServer[] {
  const line = text.replaceAll(/\\\r?\n/g, ' ');
  if (line === '' || line.includes('\n')) return [];
  const [prefix = ''] = variables.exec(line) ?? [];
  const env = splitPairs(splitLine(prefix), '=');
  const [command = '', ...args] = splitLine(line.slice(prefix.length));
  if (args.length === 0 && /^@[\w.-]+\/[\w.-]+(?:@\S+)?$/.test(command))
    return [serverOfPackage(command)];
  const server = {
    type: 'stdio',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
  };
  return [{ name: nameOf(server), server }];
}
