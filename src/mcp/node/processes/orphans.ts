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
 * command line fit what was noted, and if the extension host that noted it is gone.
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
    // Another host may have had this id, and what it left behind is told by its own notes.
    this.file = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.ownStart = startOf(system, process.pid, process.uptime() * 1000);
  }

  /** Notes a process that was started just now, as the leader of a group of its own. */
  started(pid: number, command: string, args: readonly string[]): void {
    const start = startOf(this.system, pid);
    // It has ended, or could not be told from another that has its id later.
    if (!start || !this.ownStart) return;
    const { startedAt } = this.ownStart;
    const owner = { pid: process.pid, startedAt, command: process.execPath };
    const note = { pid, ...start, command, words: tellingWords(args), owner };
    this.writing = this.writing.then(() => this.append(note));
  }

  /** Ends what extension hosts that are gone left running; resolves with how many there were. */
  async reap(): Promise<number> {
    await this.writing;
    // Before the processes: whoever begins to note after that is not taken for one that is gone.
    const names = await this.readNames();
    const table = names.length > 0 ? await readProcessTable(this.system) : undefined;
    if (!table) return 0;
    const running = { table, boot: bootOf(this.system) };
    let ended = 0;
    for (const name of names) {
      const path = join(this.folder, name);
      const notes = parseNotes(await readFile(path, 'utf8').catch(() => ''));
      // A file that was made just now has no line yet.
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
