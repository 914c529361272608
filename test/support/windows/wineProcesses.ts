import { spawnSync } from 'node:child_process';

/** A process of Windows, its parent and the name of its program. */
export interface WineProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Reads the tree that Wine's debugger prints: an id in hexadecimal, a number of threads, and the program, indented below
 * its parent. One whose parent has ended has none.
 */
export function parseProcesses(output: string): WineProcess[] {
  const above: { readonly depth: number; readonly pid: number }[] = [];
  const line = /^[ =>]([\da-f]{8})( \d+ +(?:\\_ )?)'(.*)'$/gm;
  return Array.from(
    output.replaceAll('\r', '').matchAll(line),
    ([, id = '', indent = '', command = '']) => {
      const pid = Number.parseInt(id, 16);
      while ((above.at(-1)?.depth ?? -1) >= indent.length) above.pop();
      const parent = above.at(-1)?.pid ?? 0;
      above.push({ depth: indent.length, pid });
      return { pid, parent, command };
    },
  );
}

/** Programs that tell of others or end them, and those that Wine starts by itself when it needs them. */
const aside =
  /^(?:winedbg|powershell|taskkill|conhost|explorer|services|rpcss|svchost|plugplay|winedevice)\.exe$/i;

/** Lists the processes of Wine, as its debugger sees them. */
export function listWineProcesses(): WineProcess[] {
  const { stdout } = spawnSync('winedbg', ['--command', 'info proc'], { encoding: 'utf8' });
  return parseProcesses(stdout).filter(({ command }) => !aside.test(command));
}
