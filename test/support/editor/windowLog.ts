import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../paths';

const shown = 30;

/** What this editor always complains of: native modules that were left unbuilt, and services that want a network or an account. */
const noise =
  /bindings file|native-watchdog|release\/watchdog|sqlite3|AgentHost|ChatModelSelection|AccountPolicyGate|open-vsx|Service Worker|authentication provider|Failed to load resource|fetching the script|iframe|getServerKeyPart|workbench contribution|tokenizing|installed MCP servers/i;

/** The last warnings and errors of a window's log that tell something, one line each. */
export function salient(log: readonly string[]): string[] {
  return log
    .filter((entry) => /^(warn|error)/.test(entry) && !noise.test(entry))
    .map((entry) => entry.split('\n', 3).join('\n'))
    .slice(-shown);
}

/** What names our extension in what is logged: its id, or the place of one of its files. */
const own = /mcp-workbench\.mcp-workbench|extensions\/(?:0|mcp-workbench\.[^/]*)\/dist\//;

/** The warnings and errors of a window's log that are of our extension; the extension host writes to that log, too. */
export function ownProblems(log: readonly string[]): string[] {
  return log.filter(
    (entry) => /^(warn|error)/.test(entry) && own.test(entry) && !noise.test(entry),
  );
}

/** Writes a window's whole log to the cache folder and returns the file's path. */
export async function saveLog(name: string, log: readonly string[]): Promise<string> {
  const folder = join(cacheDirectory, 'logs');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  await writeFile(file, log.join('\n'));
  return file;
}
