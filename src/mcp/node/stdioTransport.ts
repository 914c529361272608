import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Transport } from '@modelcontextprotocol/client';
import { type Translate, inEnglish } from '../../base/translate';
import { deferred } from '../../base/async';
import { UserError } from '../../base/errors';
import { commandNotFound } from './commands/findCommand';
import { LineFramer, type OversizedLine } from './lineFramer';
import { pathTooLong, programStart, type ProgramStart } from './processes/programStart';
import { type EndedProcess, ProcessTree } from './processes/processTree';
import type { System } from './system';
import { formatBytes, withoutColors } from '../../base/text/text';
import { answeredId } from '../protocol/parseObject';
import { ErrorCode } from '../protocol/rpcError';

const maxLines = 50;
const maxLineBytes = 4096;

/** Keeps the last lines that a process wrote to stderr, without colors, and passes each on as it comes. */
export class StderrRing {
  private readonly lines: string[] = [];
  private readonly framer: LineFramer;

  constructor(onLine: (line: string) => void) {
    const take = (written: string) => {
      // Also a secret is found only in a line that no color interrupts.
      const line = withoutColors(written);
      if (line.trim() === '') return;
      this.lines.push(line);
      if (this.lines.length > maxLines) this.lines.shift();
      onLine(line);
    };
    this.framer = new LineFramer(maxLineBytes, take, ({ bytes, head }) =>
      take(`${head}… (${bytes} bytes)`),
    );
  }

  push(chunk: Buffer): void {
    this.framer.push(chunk);
  }

  /** Takes the end of the stream: what is left counts as a line. */
  end(): void {
    this.framer.end();
  }

  /** The last `count` lines, oldest first. */
  last(count: number): string {
    return this.lines.slice(-count).join('\n');
  }
}

/** Returns what to say about a message over a limit, and the error to deliver in its place if it was an answer. */
export function describeOversized(line: OversizedLine, maxBytes: number, t: Translate) {
  const { bytes, excess, head, tail } = line;
  const message =
    excess?.(t) ??
    t(
      'The server sent a message of {0}; the limit is {1}.',
      formatBytes(bytes),
      formatBytes(maxBytes),
    );
  const id = answeredId(head, tail);
  const answer =
    id === undefined
      ? undefined
      : { jsonrpc: '2.0' as const, id, error: { code: ErrorCode.internal, message } };
  return { message, answer };
}

/** How long a process gets, in milliseconds: after each step of closing, and for its last output. */
export interface ShutdownTimeouts {
  readonly afterEnd: number;
  readonly afterTerm: number;
  readonly afterKill: number;
  /** After it exited or closed its output, if its children still hold the pipes open. */
  readonly afterExit: number;
}

const defaultTimeouts: ShutdownTimeouts = {
  afterEnd: 2000,
  afterTerm: 2000,
  afterKill: 1000,
  afterExit: 200,
};

/** How many times as long as `afterExit` its last output is read at most, as long as more of it arrives. */
const longestRest = 20;

/** How many bytes of a server's output are read, to the end of the last chunk, before anything else gets its turn. */
export const bytesPerTurn = 128 * 1024;

/** How a server process is started, and who receives what it writes outside of the protocol. */
export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly system: System;
  /** The longest message that is accepted, in bytes. */
  readonly maxMessageBytes: number;
  /** Translates what is said about the process; in English, if left out. */
  readonly t?: Translate | undefined;
  readonly onStderr: (line: string) => void;
  /** Called with a line on stdout that is not a message; `count` says how many there were so far. */
  readonly onUnexpectedLine: (line: string, count: number) => void;
  /** Called when the process runs. */
  readonly onSpawned?: ((pid: number) => void) | undefined;
  /** Called when the process has ended, whatever it started. */
  readonly onEnded?: ((process: EndedProcess) => void) | undefined;
  readonly timeouts?: ShutdownTimeouts | undefined;
  /** In place of `afterEnd` of the timeouts. */
  readonly afterEndMs?: number | undefined;
}

/** The stdio transport of the protocol: one server process, one message per line. */
export class StdioTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];

  private readonly options: StdioOptions;
  private readonly stderr: StderrRing;
  private readonly framer: LineFramer;
  private child: ChildProcess | undefined;
  private tree: ProcessTree | undefined;
  private exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  private unexpectedOutput = 0;
  private firstGarbage: string | undefined;
  private signalled = false;
  private closing: Promise<void> | undefined;
  private draining: Promise<void> | undefined;
  private readonly force = new AbortController();
  private readonly finished = deferred<void>();

  constructor(options: StdioOptions) {
    this.options = options;
    this.stderr = new StderrRing(options.onStderr);
    this.framer = new LineFramer(
      options.maxMessageBytes,
      (line) => this.receive(line),
      (line) => this.refuse(line),
    );
  }

  /** How the process ended by itself, if it did, in words that follow its name. */
  get ending(): string | undefined {
    if (!this.exit) return undefined;
    const { code, signal } = this.exit;
    const { t = inEnglish } = this.options;
    return signal ? t('was ended by {0}', signal) : t('exited with code {0}', String(code));
  }

  /** True if the end of its input did not end the process and everything that it started. */
  get neededSignal(): boolean {
    return this.signalled;
  }

  /** The last lines of stderr. */
  get stderrTail(): string {
    return this.stderr.last(20);
  }

  /** The first line of stdout that was not a message, if there was one. */
  get unexpectedLine(): string | undefined {
    return this.firstGarbage;
  }

  async start(): Promise<void> {
    const { env, cwd, system, onSpawned, onEnded } = this.options;
    const { command, args, windowsVerbatimArguments } = await this.findStart();
    if (this.closing) throw new Error('The transport was closed before it was started.');
    const child = spawn(command, args, {
      env: { ...env },
      cwd,
      windowsVerbatimArguments,
      stdio: 'pipe',
      windowsHide: true,
      detached: system !== 'win32',
    });
    this.child = child;
    if (child.pid !== undefined)
      this.tree = new ProcessTree(
        child as ChildProcess & { readonly pid: number },
        system,
        onEnded,
      );
    this.listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.finish();
        reject(new UserError(spawnFailure(error, this.options), { cause: error }));
      });
    });
    if (child.pid !== undefined) onSpawned?.(child.pid);
  }

  send(message: Parameters<Transport['send']>[0]): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The process takes no more input.'));
    if (stdin.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    // No matter how many messages wait for the pipe, they share one promise.
    this.draining ??= new Promise((resolve) => {
      const done = () => {
        stdin.off('drain', done).off('close', done);
        this.draining = undefined;
        resolve();
      };
      stdin.once('drain', done).once('close', done);
    });
    return this.draining;
  }

  /**
   * Ends the process and everything that it started: by closing its input, then SIGTERM, then SIGKILL. A second
   * call while the first one waits goes straight to SIGKILL.
   */
  close(): Promise<void> {
    if (this.closing) this.force.abort();
    else this.closing = this.endTree();
    return this.closing;
  }

  private async findStart(): Promise<ProgramStart> {
    const { command, args, env, system, cwd } = this.options;
    try {
      return await programStart(command, args, env, system, cwd);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(spawnFailure(error as NodeJS.ErrnoException, this.options), {
        cause: error,
      });
    }
  }

  private listen(child: ChildProcess): void {
    const { afterExit } = this.timeouts;
    let finishing: NodeJS.Timeout | undefined;
    let latest = Infinity;
    // Children of the process may hold the pipes open, so their end is not waited for.
    const finishSoon = () => {
      finishing ??= setTimeout(() => this.finish(), afterExit).unref();
      latest = Math.min(latest, Date.now() + longestRest * afterExit);
    };
    const { stdout } = child;
    let readSinceTurn = 0;
    stdout?.on('data', (chunk: Buffer) => {
      this.framer.push(chunk);
      // What it wrote before it ended is read completely.
      if (Date.now() < latest) finishing?.refresh();
      readSinceTurn += chunk.length;
      if (readSinceTurn < bytesPerTurn) return;
      readSinceTurn = 0;
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    stdout?.once('end', () => {
      this.framer.end();
      finishSoon();
    });
    child.stderr?.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    child.stderr?.once('end', () => this.stderr.end());
    // A server may close its end first: its exit says why, not the broken pipe.
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      if (!this.closing) this.exit = { code, signal };
      finishSoon();
    });
    child.once('close', () => this.finish());
  }

  private get timeouts(): ShutdownTimeouts {
    const { timeouts = defaultTimeouts, afterEndMs = timeouts.afterEnd } = this.options;
    return { ...timeouts, afterEnd: afterEndMs };
  }

  private async endTree(): Promise<void> {
    const { child, tree, force, timeouts } = this;
    if (!child && !tree) return;
    await tree?.survey();
    child?.stdin?.end();
    if (tree && !(await tree.ended(timeouts.afterEnd, force.signal))) {
      this.signalled = true;
      if (!force.signal.aborted) tree.signal('SIGTERM');
      if (!(await tree.ended(timeouts.afterTerm, force.signal))) {
        tree.signal('SIGKILL');
        await tree.ended(timeouts.afterKill);
      }
    }
    this.finish();
    await this.finished.promise;
  }

  private finish(): void {
    if (!this.child) return;
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    this.child = undefined;
    // What the process started must not outlive it; if nothing is alive, another process may soon have its id.
    if (!this.tree?.mayLive) this.tree = undefined;
    else if (!this.closing) void this.close();
    this.finished.resolve();
    this.onclose?.();
  }

  private receive(line: string): void {
    if (line === '') return;
    // Whatever one line does, the next one is read.
    try {
      this.deliver(line);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private deliver(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.reject(line);
    }
    let isRejected = false;
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if ((one as { readonly jsonrpc?: unknown } | null)?.jsonrpc === '2.0')
        this.onmessage?.(one as Parameters<NonNullable<Transport['onmessage']>>[0]);
      else {
        // Once for the line, however many elements are in it.
        if (!isRejected) this.reject(line);
        isRejected = true;
      }
    }
  }

  private reject(written: string): void {
    // As on stderr: a secret is found only where no color interrupts it.
    const line = withoutColors(written);
    this.unexpectedOutput += 1;
    this.firstGarbage ??= line;
    this.options.onUnexpectedLine(line, this.unexpectedOutput);
  }

  /** Reports an oversized line; if it was the answer to a request, that one fails, so that nobody waits for it. */
  private refuse(line: OversizedLine): void {
    const { maxMessageBytes, t = inEnglish } = this.options;
    const { message, answer } = describeOversized(line, maxMessageBytes, t);
    if (answer) this.onmessage?.(answer);
    this.onerror?.(new Error(message));
  }
}

function spawnFailure(
  error: NodeJS.ErrnoException,
  { command, cwd, system, t = inEnglish }: StdioOptions,
): string {
  const tooLong = system === 'win32' ? (pathTooLong(cwd ?? '') ?? pathTooLong(command)) : undefined;
  switch (error.code) {
    case 'ENOENT':
      // The system reports the same code for both.
      return cwd !== undefined && !existsSync(cwd)
        ? t(
            'The working directory {0} does not exist. Correct "cwd" in the configuration, or create the folder.',
            cwd,
          )
        : (tooLong?.(t) ?? commandNotFound(command, system, t));
    case 'EACCES':
      return t(
        'The command "{0}" may not be executed (permission denied). Make the file executable, or name another command in the configuration.',
        command,
      );
    default:
      return (
        tooLong?.(t) ?? t('The command "{0}" could not be started: {1}.', command, error.message)
      );
  }
}
