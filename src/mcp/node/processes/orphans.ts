import { createHash, randomUUID } from 'node:crypto';
import { appendFile, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { makePrivateFolder, privateFile } from '../files/privateFiles';
import { type System, thisSystem, hasCode } from '../system';
import {
  type ProcessEntry,
  type ProcessStart,
  bootOf,
  descendants,
  readProcessTable,
  startOf,
} from './processTable';
import { signalTree } from './processTree';

/** How much start times by the clock, which are accurate to the second, may differ, in milliseconds. */
const toleranceMs = 3000;

interface NotedProcess {
  readonly pid: number;
  readonly startedAt: number;
  readonly command: string;
}

/** A note about a process, to tell it and the extension host that started it from later ones with the same ids. */
export interface ProcessNote extends NotedProcess {
  /** Digests of the distinctive words in its arguments, which may contain secrets. */
  readonly words: readonly string[];
  readonly owner: NotedProcess;
  /** The boot from which both start times are counted, if they are. */
  readonly boot?: string | undefined;
}

/** The processes that are running, and the boot from which their start times are counted, if they are. */
interface RunningProcesses {
  readonly table: readonly ProcessEntry[];
  readonly boot: string | undefined;
}

/** Reads notes from the lines of a text; a line that is not a note is skipped. */
function parseNotes(text: string): ProcessNote[] {
  return text.split('\n').flatMap((line) => {
    try {
      const note = JSON.parse(line) as Partial<ProcessNote>;
      return isProcess(note) && isProcess(note.owner) && Array.isArray(note.words) ? [note] : [];
    } catch {
      // The last line of a killed host may be cut off.
      return [];
    }
  }) as ProcessNote[];
}

/** False only if the extension host that started a process is certainly gone. */
export function mayBeOwned(note: ProcessNote, { table, boot }: RunningProcesses): boolean {
  const { owner } = note;
  const host = table.find(({ pid }) => pid === owner.pid);
  if (!host || note.boot !== boot) return false;
  if (isSame(host, owner, boot)) return true;
  // A clock that was set, or stood still while the machine slept, does not tell which process it is.
  const isParent = table.some(({ pid, parent }) => pid === note.pid && parent === host.pid);
  return boot === undefined && (isParent || isCommand(host, owner));
}

/** True if the process that was noted still runs, or has ended but left others of its group. */
export function isLeft(note: ProcessNote, { table, boot }: RunningProcesses): boolean {
  if (note.boot !== boot) return false;
  const leader = table.find(({ pid }) => pid === note.pid);
  // Launchers such as npx overwrite their own command line, but keep the name of what they launch in it.
  const names = ({ command }: ProcessEntry) =>
    tellingWords([command]).some((word) => note.words.includes(word));
  if (leader) return isSame(leader, note, boot) && (isCommand(leader, note) || names(leader));
  const earliest = note.startedAt - inaccuracy(boot);
  // Windows has no groups, but a process keeps the id of its parent there, even of one that has ended.
  const isBelow = (one: ProcessEntry) => one.group === note.pid || one.parent === note.pid;
  return table.some((one) => isBelow(one) && one.startedAt >= earliest && names(one));
}

/** Returns digests of the words that distinguish a command line from others. */
export function tellingWords(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(/[\s"';]+/));
  const telling = words.filter((word) => word.length > 4 && !word.startsWith('-'));
  return telling.map((word) => createHash('sha256').update(word).digest('base64url').slice(0, 16));
}

function isProcess(value: Partial<NotedProcess> | undefined): boolean {
  const { pid, startedAt, command } = value ?? {};
  return (
    Number.isInteger(pid) &&
    Number(pid) > 1 &&
    Number.isFinite(startedAt) &&
    typeof command === 'string'
  );
}

function isSame(info: ProcessEntry, noted: NotedProcess, boot: string | undefined): boolean {
  return info.pid === noted.pid && Math.abs(info.startedAt - noted.startedAt) <= inaccuracy(boot);
}

function inaccuracy(boot: string | undefined): number {
  return boot === undefined ? toleranceMs : 0;
}

function isCommand(info: ProcessEntry, { command }: NotedProcess): boolean {
  return info.command.includes(command);
}

/**
 * Remembers in a folder which processes this extension host started, so that the next one can end
 * what a killed one left behind. A process and its group are only ended if its start time and
 * command line match what was noted, and if the extension host that noted it is gone.
 */
export class Orphans {
  private readonly folder: string;
  private readonly log: Logger;
  private readonly system: System;
  private readonly file: string;
  private readonly ownStart: ProcessStart | undefined;
  private writing = Promise.resolve();

  constructor(folder: string, log: Logger, system = thisSystem()) {
    this.folder = folder;
    this.log = log;
    this.system = system;
    // Another host may have had this process id, and its own notes tell what it left behind.
    this.file = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.ownStart = startOf(system, process.pid, process.uptime() * 1000);
  }

  /** Notes a process that was just started, as the leader of its own group. */
  started(pid: number, command: string, args: readonly string[]): void {
    const start = startOf(this.system, pid);
    // It has already ended, or could not be told from a later one with the same id.
    if (!start || !this.ownStart) return;
    const { startedAt } = this.ownStart;
    const owner = { pid: process.pid, startedAt, command: process.execPath };
    const note = { pid, ...start, command, words: tellingWords(args), owner };
    this.writing = this.writing.then(() => this.append(note));
  }

  /** Ends the processes that extension hosts left running when they ended; resolves with how many there were. */
  async reap(): Promise<number> {
    await this.writing;
    // Read before the processes, so that a host that begins to note after this does not count as gone.
    const names = await this.readNames();
    const table = names.length > 0 ? await readProcessTable(this.system) : undefined;
    if (!table) return 0;
    const running = { table, boot: bootOf(this.system) };
    let ended = 0;
    for (const name of names) {
      const path = join(this.folder, name);
      const notes = parseNotes(await readFile(path, 'utf8').catch(() => ''));
      // A file that was just created has no line yet.
      const isNew =
        notes.length === 0 && table.some(({ pid }) => pid === Number.parseInt(name, 10));
      if (path === this.file || isNew || notes.some((note) => mayBeOwned(note, running))) continue;
      for (const { pid, command } of notes.filter((note) => isLeft(note, running))) {
        this.log.info(`Ending process ${pid} that an earlier window left: ${command}`);
        const strays = descendants(table, [pid]).map((one) => one.pid);
        signalTree(this.system, 'SIGKILL', { leader: pid, strays });
        ended += 1;
      }
      await rm(path, { force: true });
    }
    return ended;
  }

  private async readNames(): Promise<readonly string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  private async append(note: ProcessNote): Promise<void> {
    try {
      await makePrivateFolder(this.folder);
      await appendFile(this.file, `${JSON.stringify(note)}\n`, privateFile);
    } catch (error) {
      this.log.warn(`A process could not be noted: ${errorMessage(error)}`);
    }
  }
}
