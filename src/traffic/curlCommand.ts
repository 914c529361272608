import { seenAddress } from '../base/text/address';
import { posixQuoted, unseenCharacters } from '../base/text/text';
import { asRecord } from '../base/json';
import { type Mask, maskedCopy } from '../base/secretMask';
import { maskedAddress } from '../mcp/launch/commandArguments';
import { kindOf } from '../mcp/launch/launchKinds';
import { knows, latestInitialized } from '../mcp/protocol/revisions';
import type { Server } from '../mcp/server';
import { sessionInfo } from '../mcp/serverState';
import { socketAddress } from '../mcp/transport/socketAddress';

/** The shells that a command can be written for. */
export type CommandShell = 'posix' | 'powerShell';

/**
 * Returns commands for a shell that send a message to a server at a URL, where it needs a session after those that begin
 * one; placeholders in angle brackets stand for what may be secret.
 */
export function curlCommand(
  { definition, state, isSignedIn }: Pick<Server, 'definition' | 'state' | 'isSignedIn'>,
  message: unknown,
  mask: Mask,
  shell: CommandShell,
): string {
  const { url, headers } = kindOf(definition.config).show(definition.config);
  const names = Array.isArray(headers) ? headers.map(String) : [];
  const { method, params } = asRecord(message);
  const version = sessionInfo(state)?.protocolVersion;
  const isStateless = knows(version, 'statelessRequests');
  const { name, uri } = asRecord(params);
  const subject = typeof name === 'string' ? name : uri;
  const socket = socketAddress(String(url));
  const write = shell === 'posix' ? forPosix : forPowerShell;
  const inSession = !isStateless && method !== 'initialize';
  const request = (sent: unknown, sends: Request['sends']): string =>
    write({
      sends,
      url: seenAddress(mask(maskedAddress(socket?.url ?? String(url)))),
      socket: socket && allSeen(mask(socket.path), asBlank),
      headers: [
        header('Content-Type', 'application/json'),
        header('Accept', 'application/json, text/event-stream'),
        ...(version === undefined ? [] : [header('MCP-Protocol-Version', version)]),
        ...(isStateless ? [header('Mcp-Method', mask(String(method)))] : []),
        ...(isStateless && typeof subject === 'string' ? [header('Mcp-Name', mask(subject))] : []),
        ...(isSignedIn ? [header('Authorization', 'Bearer <token>')] : []),
        ...names.map((one) => header(one, `<${one}>`)),
      ],
      body: allSeen(JSON.stringify(maskedCopy(sent, mask)), asEscapes),
    });
  if (!inSession) return request(message, 'alone');
  return [
    request(beginning(version), 'begins'),
    request({ jsonrpc: '2.0', method: 'notifications/initialized' }, 'inSession'),
    request(message, 'inSession'),
  ].join('\n');
}

/** Returns the message that begins a session. */
function beginning(version: string | undefined): object {
  const clientInfo = { name: 'curl', version: '1' };
  const params = { protocolVersion: version ?? latestInitialized, capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

/**
 * Replaces what nobody would see in a command: it could end the paste into a terminal, so that what follows is typed, or
 * make the command look like another.
 */
function allSeen(text: string, replace: (character: string) => string): string {
  return text.replace(unseenCharacters(), replace);
}

const asBlank = () => ' ';

/** Returns characters as JSON escapes each unit of them. */
function asEscapes(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

interface Request {
  /** What begins a session leaves its id in the variable `session` of the shell, where the others take it from. */
  readonly sends: 'alone' | 'begins' | 'inSession';
  readonly url: string;
  readonly socket: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

// Without `globoff`, curl makes several requests of an address that has brackets or braces in it.
function forPosix({ sends, url, socket, headers, body }: Request): string {
  const command = [
    `curl${sends === 'begins' ? ' -sS -o /dev/null -D -' : ''} --globoff -X POST ${posixQuoted(url)}`,
    ...(socket === undefined ? [] : [`--unix-socket ${posixQuoted(socket)}`]),
    ...headers.map((one) => `-H ${posixQuoted(one)}`),
    ...(sends === 'inSession' ? ['-H "Mcp-Session-Id: $session"'] : []),
    `--data-raw ${posixQuoted(body)}`,
  ].join(' \\\n  ');
  const find = "tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: *//p'";
  return sends === 'begins' ? `session=$(${command} | ${find})` : command;
}

/**
 * Versions of PowerShell pass quotes in arguments on in different ways, so curl reads the whole request as a file of
 * settings: in a text of several lines nothing has a meaning to the shell but its end, which no line here begins with.
 */
function forPowerShell({ sends, url, socket, headers, body }: Request): string {
  const setting = (name: string, text: string) =>
    `${name} = "${text
      .replaceAll(/["\\]/g, String.raw`\$&`)
      .replaceAll('\n', String.raw`\n`)
      .replaceAll('\r', String.raw`\r`)}"`;
  // The encoding of what the shell passes on may be ASCII.
  const ascii = body.replaceAll(/[^\u0020-\u007E]/g, asEscapes);
  const [before, after] = powerShellParts[sends];
  return [
    `${before}@'`,
    'globoff',
    setting('url', url),
    ...(socket === undefined ? [] : [setting('unix-socket', socket)]),
    ...headers.map((one) => setting('header', one)),
    setting('data-raw', ascii),
    `'@ | curl.exe --config -${after}`,
  ].join('\n');
}

const powerShellParts: Readonly<
  Record<Request['sends'], readonly [before: string, after: string]>
> = {
  alone: ['', ''],
  begins: [
    '$session = (',
    " -sS -o NUL -D - | Select-String '^mcp-session-id: *([!#-\\[\\]-~]*)').Matches.Groups[1].Value",
  ],
  inSession: ['', ' -H "Mcp-Session-Id: $session"'],
};

/** Returns a header for curl, which would take one that begins with an at sign for the name of a file to read them from. */
function header(name: string, value: string): string {
  return allSeen(`${name}: ${value}`, asBlank).replace(/^@+/, '');
}
