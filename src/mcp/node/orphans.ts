import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import { readProcesses, type ProcessInfo } from './processInfo';

/** Systems tell the start of a process to the second, and some count it from the boot. */
const toleranceMs = 3000;

interface Started {
  readonly pid: number;
  readonly startedAt: number;
  readonly command: string;
}

/**
 * Remembers in a folder which processes this extension host started, so that the next one can end
 * what a killed one left behind. A process is only ended if its start time and command are those
 * that were noted, and if the extension host that noted it is gone.
 */
export class Orphans {
  private readonly folder: string;
  private readonly log: Logger;
  private readonly file: string;
  private writing: Promise<void>;

  constructor(folder: string, log: Logger) {
    this.folder = folder;
    this.log = log;
    this.file = join(folder, `${process.pid}.jsonl`);
    const owner = {
      pid: process.pid,
      startedAt: Date.now() - process.uptime() * 1000,
      command: process.execPath,
    };
    this.writing = mkdir(folder, { recursive: true }).then(() => this.append(owner));
  }

  /** Notes a process that was started just now. */
  started(pid: number, command: string): void {
    this.write({ pid, startedAt: Date.now(), command });
  }

  /** Ends what extension hosts that are gone left running; resolves with how many there were. */
  async reap(): Promise<number> {
    await this.writing;
    let ended = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (path === this.file) continue;
      const [owner, ...started] = parse(await readFile(path, 'utf8').catch(() => ''));
      const running = await readProcesses([owner, ...started].flatMap((one) => one?.pid ?? []));
      if (owner && running.some((info) => isSame(info, owner, 'started'))) continue;
      for (const one of started) {
        if (!running.some((info) => isSame(info, one, 'command'))) continue;
        this.log.info(`Ending process ${one.pid} that an earlier window left: ${one.command}`);
        endTree(one.pid);
        ended += 1;
      }
      await rm(path, { force: true });
    }
    return ended;
  }

  /** Everything that was started has ended: nothing is left to remember. */
  async forget(): Promise<void> {
    await this.writing;
    await rm(this.file, { force: true });
  }

  private write(line: Started): void {
    this.writing = this.writing.then(() => this.append(line));
  }

  private async append(line: Started): Promise<void> {
    await appendFile(this.file, `${JSON.stringify(line)}\n`).catch((error: unknown) =>
      this.log.warn(`A process could not be noted: ${errorMessage(error)}`),
    );
  }
}

function parse(text: string): Started[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Started];
    } catch {
      // The last line of a killed host may be cut.
      return [];
    }
  });
}

function isSame(info: ProcessInfo, noted: Started, strictness: 'started' | 'command'): boolean {
  if (info.pid !== noted.pid) return false;
  if (Math.abs(info.startedAt - noted.startedAt) > toleranceMs) return false;
  return strictness === 'started' || info.command.includes(noted.command);
}

function endTree(pid: number): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true }, () => {});
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
