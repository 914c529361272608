import { createHash } from 'node:crypto';
import type { ProcessEntry } from './processTable';

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
export interface RunningProcesses {
  readonly table: readonly ProcessEntry[];
  readonly boot: string | undefined;
}

/** Reads notes from the lines of a text; a line that is not a note is skipped. */
export function parseNotes(text: string): ProcessNote[] {
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
  return table.some((one) => one.group === note.pid && one.startedAt >= earliest && names(one));
}

/** Returns digests of the words that distinguish a command line from others. */
export function tellingWords(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => withoutCarets(arg).split(/[\s"';]+/));
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
  return withoutCarets(info.command).includes(withoutCarets(command));
}

/** Removes the carets that precede each character with a meaning to the shell of Windows. */
function withoutCarets(text: string): string {
  return text.replaceAll('^', '');
}
