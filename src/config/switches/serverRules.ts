import { asRecord } from '../../base/json';
import type { ServerConfig } from '../../mcp/serverConfig';

/** The editor's own setting with which an organization allows MCP servers or none. */
export const accessSetting = 'chat.mcp.access';

/** The editor's settings with which an organization lists the servers that may run, and those that may not. */
export const serverLists = {
  allowed: 'chat.mcp.allowedServers',
  denied: 'chat.mcp.deniedServers',
} as const;

/** The editor's setting with which an organization keeps models from using the tools of extensions. */
export const extensionToolsSetting = 'chat.extensionTools.enabled';

/** The editor's setting with which an organization has its own MCP registry searched. */
export const registrySetting = 'chat.mcp.gallery.serviceUrl';

/** The parts of a server that the lists are compared with. */
export interface RuledServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** Set if the program is resolved to its file and variables are filled in: what is allowed was decided before. */
  readonly isResolved?: true;
}

/**
 * Returns the rule in an organization's lists that keeps a server from running, as its setting and entry; `undefined`
 * if it may run. What cannot be read in them forbids, as it may be what matters.
 */
export function refusingRule(
  { allowed, denied }: Readonly<Record<keyof typeof serverLists, unknown>>,
  server: RuledServer,
): string | undefined {
  const no = denied === undefined || denied === null ? [] : entriesOf(denied);
  const entry = no?.find((one) => isDenied(one, server));
  if (!no || entry !== undefined)
    return entry === undefined ? serverLists.denied : `${serverLists.denied}: ${textOf(entry)}`;
  if (allowed === undefined || allowed === null || server.isResolved) return undefined;
  const isAllowed = entriesOf(allowed)?.some((one) => allows(one, server)) === true;
  return isAllowed ? undefined : serverLists.allowed;
}

function entriesOf(list: unknown): readonly unknown[] | undefined {
  return Array.isArray(list) ? list : undefined;
}

function textOf(entry: unknown): string {
  const { serverName, serverUrl, serverCommand } = asRecord(entry);
  const command = Array.isArray(serverCommand) ? serverCommand.join(' ') : undefined;
  const text = serverName ?? serverUrl ?? command;
  return typeof text === 'string' ? text : JSON.stringify(entry);
}

/** An entry with several parts forbids if any of them matches, and allows only if all do: it may contradict itself. */
function isDenied(entry: unknown, { name, config }: RuledServer): boolean {
  const parts = partsOf(entry);
  if (parts.length === 0) return true;
  return parts.some((part) => {
    switch (part.kind) {
      case 'name':
        return part.name.toLowerCase() === name.toLowerCase();
      case 'url':
        return 'url' in config && spellings(config.url).some((url) => isLike(url, part.url));
      case 'command': {
        if (!('command' in config)) return false;
        const [command = '', ...args] = part.command;
        return baseName(config.command) === baseName(command) && isSame(config.args, args);
      }
      case 'unknown':
        return true;
    }
  });
}

function allows(entry: unknown, { name, config }: RuledServer): boolean {
  const parts = partsOf(entry);
  if (parts.length === 0) return false;
  return parts.every((part) => {
    switch (part.kind) {
      case 'name':
        return part.name === name;
      case 'url':
        // The value of a variable is not known yet.
        return 'url' in config && !config.url.includes('${') && isAddressLike(config.url, part.url);
      case 'command':
        return (
          'command' in config &&
          isSame([config.command, ...config.args], part.command) &&
          !part.command.some((one) => one.includes('${'))
        );
      case 'unknown':
        return false;
    }
  });
}

type Part =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'unknown' };

function partsOf(entry: unknown): readonly Part[] {
  return Object.entries(asRecord(entry)).map(([key, value]): Part => {
    if (key === 'serverName' && typeof value === 'string') return { kind: 'name', name: value };
    if (key === 'serverUrl' && typeof value === 'string') return { kind: 'url', url: value };
    if (key === 'serverCommand' && Array.isArray(value))
      return { kind: 'command', command: value.map(String) };
    return { kind: 'unknown' };
  });
}

/** Returns an address as it is written and as it is reached. */
function spellings(url: string): readonly string[] {
  return URL.canParse(url) ? [url, new URL(url).href] : [url];
}

/** True if an address matches a pattern; a star in the site of a pattern matches nothing beyond the site. */
function isAddressLike(url: string, pattern: string): boolean {
  const [, scheme = '', site = '', path = ''] = /^([^/]*:\/\/)([^/]*)(.*)$/s.exec(pattern) ?? [];
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password, pathname, search, hash } = new URL(url);
  const isSite = isLike(`${protocol}//`, scheme) && isLike(host, site);
  const rest = pathname + search + hash;
  return username + password === '' && isSite && (isLike(rest, path) || (rest === '/' && !path));
}

/** Compares with a pattern in which a star stands for any text, ignoring case, in linear time. */
function isLike(text: string, pattern: string): boolean {
  const whole = text.toLowerCase();
  const parts = pattern.toLowerCase().split('*');
  const [first = '', ...others] = parts;
  if (others.length === 0) return whole === first;
  const last = others.pop() ?? '';
  if (!whole.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return whole.length - last.length >= at && whole.endsWith(last);
}

/** A program is the same one wherever it was found. */
function baseName(command: string): string {
  const last = command.split(/[\\/]/).at(-1) ?? '';
  return last.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
