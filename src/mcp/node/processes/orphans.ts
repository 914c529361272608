import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { makePrivateFolder, privateFile } from '../files/privateFiles';
import { thisSystem, type System } from '../system';
import { descendants, readProcessTable, type ProcessEntry } from './processTable';
import { signalTree } from './signalTree';

/** Systems tell the start of a process to the second, and some count it from the boot. */
const toleranceMs = 3000;

interface Started {
  readonly pid: number;
  readonly startedAt: number;
  readonly command: string;
  /** Digests of the telling words among its arguments, which may hold secrets. */
  readonly words: readonly string[];
}

/**
 * Remembers in a folder which processes this extension host started, so that the next one can end
 * what a killed one left behind. A process and its group are only ended if its start time and
 * command line fit what was noted, and if the extension host that noted it is gone.
 */
export class Orphans {
  private readonly folder: string;
  private readonly log: Logger;
  private readonly system: System;
  private readonly file: string;
  private writing: Promise<void>;

  constructor(folder: string, log: Logger, system = thisSystem()) {
    this.folder = folder;
    this.log = log;
    this.system = system;
    this.file = join(folder, `${process.pid}.jsonl`);
    const owner = {
      pid: process.pid,
      startedAt: Date.now() - process.uptime() * 1000,
      command: process.execPath,
      words: [],
    };
    this.writing = this.append(owner);
  }

  /** Notes a process that was started just now, as the leader of a group of its own. */
  started(pid: number, command: string, args: readonly string[]): void {
    this.write({ pid, startedAt: Date.now(), command, words: tellingWords(args) });
  }

  /** Ends what extension hosts that are gone left running; resolves with how many there were. */
  async reap(): Promise<number> {
    await this.writing;
    const running = await readProcessTable(this.system);
    if (!running) return 0;
    let ended = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (path === this.file) continue;
      const [owner, ...started] = parse(await readFile(path, 'utf8').catch(() => ''));
      if (owner && running.some((info) => isNoted(info, owner))) continue;
      for (const one of started.filter((noted) => isLeft(noted, running))) {
        this.log.info(`Ending process ${one.pid} that an earlier window left: ${one.command}`);
        const strays = descendants(running, [one.pid]).map(({ pid }) => pid);
        signalTree(this.system, 'SIGKILL', { leader: one.pid, strays });
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
    try {
      await makePrivateFolder(this.folder);
      await appendFile(this.file, `${JSON.stringify(line)}\n`, privateFile);
    } catch (error) {
      this.log.warn(`A process could not be noted: ${errorMessage(error)}`);
    }
  }
}

function parse(text: string): Started[] {
  return text.split('\n').flatMap((line) => {
    try {
      const { pid, startedAt, command, words } = JSON.parse(line) as Partial<Started>;
      const whole = Number.isInteger(pid) && Number(pid) > 1 && Number.isFinite(startedAt);
      return whole && typeof command === 'string' && Array.isArray(words)
        ? [{ pid, startedAt, command, words } as Started]
        : [];
    } catch {
      // The last line of a killed host may be cut.
      return [];
    }
  });
}

function isNoted(info: ProcessEntry, { pid, startedAt }: Started): boolean {
  return info.pid === pid && Math.abs(info.startedAt - startedAt) <= toleranceMs;
}

/** True when what was noted still runs, or has ended but left others of its group. */
function isLeft(noted: Started, running: readonly ProcessEntry[]): boolean {
  const group = running.filter(
    ({ group: leader, startedAt }) =>
      leader === noted.pid && startedAt >= noted.startedAt - toleranceMs,
  );
  const leader = running.find(({ pid }) => pid === noted.pid);
  // Launchers such as npx write another command line over their own, but keep what they launch.
  const names = ({ command }: ProcessEntry) =>
    tellingWords([command]).some((word) => noted.words.includes(word));
  if (!leader) return group.some(names);
  return isNoted(leader, noted) && (leader.command.includes(noted.command) || names(leader));
}

function tellingWords(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(/[\s"';]+/));
  const telling = words.filter((word) => word.length > 4 && !word.startsWith('-'));
  return telling.map((word) => createHash('sha256').update(word).digest('base64url').slice(0, 16));
}
