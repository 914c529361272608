import { execFile } from 'node:child_process';
import type { System } from '../system';

/** What ends processes. */
export interface Killers {
  /** Signals a process, or the group of one by its negative id; throws where there is none. */
  readonly kill: (target: number, signal: 'SIGTERM' | 'SIGKILL') => void;
  readonly run: (command: string, args: readonly string[]) => void;
}

const killers: Killers = {
  kill: (target, signal) => process.kill(target, signal),
  run: (command, args) => execFile(command, args, { windowsHide: true }, () => {}),
};

/**
 * Signals a process, its group, and those below it that left the group. Windows has neither signals nor
 * groups: there the process and all below it end at once.
 */
export function signalTree(
  system: System,
  signal: 'SIGTERM' | 'SIGKILL',
  { leader, strays }: { readonly leader: number; readonly strays: readonly number[] },
  { kill, run }: Killers = killers,
): void {
  if (system === 'win32') return run('taskkill', ['/T', '/F', '/PID', String(leader)]);
  for (const target of [-leader, ...strays]) {
    try {
      kill(target, signal);
    } catch {
      // It is gone already, which is what was wanted.
    }
  }
}
