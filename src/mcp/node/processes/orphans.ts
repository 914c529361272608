import { randomUUID } from 'node:crypto';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { hasCode } from '../files/hasCode';
import { makePrivateFolder, privateFile } from '../files/privateFiles';
import { thisSystem, type System } from '../system';
import { isLeft, mayBeOwned, parseNotes, tellingWords, type ProcessNote } from './processNotes';
import { bootOf, descendants, readProcessTable, startOf, type ProcessStart } from './processTable';
import { signalTree } from './signalTree';

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
