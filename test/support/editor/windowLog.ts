import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../paths';

const shown = 30;

/**
 * Matches what this editor always complains about: native modules that were not built, and services that need a network
 * or an account.
 */
const noise =
  /bindings file|native-watchdog|release\/watchdog|sqlite3|AgentHost|ChatModelSelection|AccountPolicyGate|open-vsx|Service Worker|authentication provider|Failed to load resource|fetching the script|iframe|getServerKeyPart|workbench contribution|tokenizing|installed MCP servers/i;

/** Returns the last meaningful warnings and errors of a window's log, at most three lines of each. */
export function salient(log: readonly string[]): string[] {
  return log
    .filter((entry) => /^(warn|error)/.test(entry) && !noise.test(entry))
    .map((entry) => entry.split('\n', 3).join('\n'))
    .slice(-shown);
}

/** Matches what identifies our extension in a log: its id, or the path of one of its files. */
const own = /mcp-workbench\.mcp-workbench|extensions\/(?:0|mcp-workbench\.[^/]*)\/dist\//;

/**
 * Matches what the editor says of an answer that was still being given when it stopped its extension hosts, or noticed
 * that one was killed, if the window gets as far as that.
 */
const cutOff =
  /request (?:FAILED|ERRORED)[^\n]* Canceled: Canceled(?:: Canceled)?\n[^]*(?:_doStopExtensionHosts|\.stopOne \()/;

/**
 * Returns the warnings and errors of a window's log that are about our extension; the extension host writes to that
 * log, too.
 */
export function ownProblems(log: readonly string[]): string[] {
  return log.filter(
    (entry) =>
      /^(warn|error)/.test(entry) && own.test(entry) && !noise.test(entry) && !cutOff.test(entry),
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
