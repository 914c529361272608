/** An operating system, as Node calls it. */
export type System = NodeJS.Platform;

/** Returns the system that this process runs on: read only here, and passed to all code that depends on it. */
export const thisSystem = (): System => process.platform;

/** True if there is a Node at all; only this function is called in pages, too. */
export const hasNode = (): boolean => typeof process === 'object' && !!process.versions?.node;

/** Returns the program of this process as a command that runs JavaScript files; the editor's own has to be told to do so. */
export const ownRuntime = (
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): { readonly command: string; readonly env: Readonly<Record<string, string>> } => ({
  command: process.execPath,
  env: versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
});

/** How the folder of a socket is called through which agents reach a window, before what tells it from others. */
export const agentSocketFolder = 'mcp-workbench-agents-';

/** True for the path of a socket through which agents reach a window. */
export function isAgentSocket(path: string): boolean {
  const [name, folder = ''] = path.split('/').toReversed();
  return name === 's' && folder.startsWith(agentSocketFolder);
}

/** True for a system error with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** True if there is a process with this id, or one in the group that a negative one names. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // That of another user is alive, too.
    return hasCode(error, 'EPERM');
  }
}
