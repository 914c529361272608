import { execFile } from 'node:child_process';
import type { System } from '../system';

/** The functions that end processes. */
export interface Killers {
  /** Signals a process, or its group by the negative id; throws if there is none. */
  readonly kill: (target: number, signal: 'SIGTERM' | 'SIGKILL') => void;
  readonly run: (command: string, args: readonly string[]) => void;
}

const killers: Killers = {
  kill: (target, signal) => process.kill(target, signal),
  run: (command, args) => execFile(command, args, { windowsHide: true }, () => {}),
};

/**
 * Signals a process, its group, and its descendants that left the group. Windows has neither signals nor
 * groups: there, the process and all its descendants end immediately.
 */
export function signalTree(
  system: System,
  signal: 'SIGTERM' | 'SIGKILL',
  { leader, strays }: { readonly leader: number; readonly strays: readonly number[] },
  { kill, run }: Killers = killers,
): void {
  if (system === 'win32') {
    const targets = [leader, ...strays].flatMap((pid) => ['/PID', String(pid)]);
    return run('taskkill', ['/T', '/F', ...targets]);
  }
  for (const target of [-leader, ...strays]) {
    try {
      kill(target, signal);
    } catch {
      // It is already gone, as intended.
    }
  }
}
