import type { ChildProcess } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { deferred } from '../../base/async';
import { UserError } from '../../base/errors';
import { formatBytes } from '../../base/text';
import { ErrorCode } from '../rpcError';
import { LineFramer, type OversizedLine } from './lineFramer';
import { ProcessTree } from './processTree';
import { StderrRing } from './stderrRing';

/** How long each step of closing waits before the next, in milliseconds. */
const patience = { afterEnd: 2000, afterTerm: 2000, afterKill: 1000, afterExit: 200 };

/** How a server process is started, and who hears what it says beside the protocol. */
export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** The longest message that is taken, in bytes. */
  readonly maxMessageBytes: number;
  readonly onStderr: (line: string) => void;
  /** A line on stdout that is no message; `count` says how many there were so far. */
  readonly onGarbage: (line: string, count: number) => void;
  /** The process runs. */
  readonly onSpawned?: ((pid: number) => void) | undefined;
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
  private garbage = 0;
  private firstGarbage: string | undefined;
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

  /** How the process ended, if it did, in words that follow its name. */
  get ending(): string | undefined {
    if (!this.exit) return undefined;
    const { code, signal } = this.exit;
    return signal ? `was ended by ${signal}` : `exited with code ${code}`;
  }

  /** The last lines of stderr. */
  get lastWords(): string {
    return this.stderr.last(10);
  }

  /** The first line of stdout that was no message, if there was one. */
  get garbageLine(): string | undefined {
    return this.firstGarbage;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.options;
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      stdio: 'pipe',
      windowsHide: true,
      detached: process.platform !== 'win32',
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.framer.push(chunk));
    child.stdout?.on('end', () => this.framer.end());
    child.stderr?.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // A server may close its end first: its exit says so, not the broken pipe.
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      this.exit = { code, signal };
      // Children may hold stdout open, so its end is not waited for.
      setTimeout(() => this.finish(), patience.afterExit).unref();
    });
    child.once('close', () => this.finish());
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        if (child.pid !== undefined) {
          this.tree = new ProcessTree(child as ChildProcess & { readonly pid: number });
          this.options.onSpawned?.(child.pid);
        }
        resolve();
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.finish();
        reject(new UserError(spawnFailure(error, this.options), { cause: error }));
      });
    });
  }

  send(message: Parameters<Transport['send']>[0]): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The process takes no more input.'));
    if (stdin.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    // However many messages wait for the pipe, they wait together.
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
   * Ends the process and all it started: its input first, then SIGTERM, then SIGKILL. A second call
   * while the first waits goes straight to SIGKILL.
   */
  close(): Promise<void> {
    if (this.closing) this.force.abort();
    else this.closing = this.endTree();
    return this.closing;
  }

  private async endTree(): Promise<void> {
    const { tree, force } = this;
    this.child?.stdin?.end();
    if (tree && !(await tree.ended(patience.afterEnd, force.signal))) {
      if (!force.signal.aborted) tree.signal('SIGTERM');
      if (!(await tree.ended(patience.afterTerm, force.signal))) {
        tree.signal('SIGKILL');
        await tree.ended(patience.afterKill);
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
    // What the process started must not outlive it.
    if (!this.closing && this.tree?.alive) void this.close();
    this.finished.resolve();
    this.onclose?.();
  }

  private receive(line: string): void {
    if (line === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.reject(line);
    }
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if ((one as { readonly jsonrpc?: unknown } | null)?.jsonrpc === '2.0')
        this.onmessage?.(one as Parameters<NonNullable<Transport['onmessage']>>[0]);
      else this.reject(line);
    }
  }

  private reject(line: string): void {
    this.garbage += 1;
    this.firstGarbage ??= line;
    this.options.onGarbage(line, this.garbage);
  }

  /** Answers the request that the oversized answer was for, so that nobody waits for it. */
  private refuse({ bytes, head, tail }: OversizedLine): void {
    const limit = formatBytes(this.options.maxMessageBytes);
    const message = `The server sent a message of ${formatBytes(bytes)}; the limit is ${limit}.`;
    const id = /^\{"jsonrpc":"2\.0","id":(\d+)/.exec(head) ?? /"id":(\d+)\}\s*$/.exec(tail);
    if (id?.[1])
      this.onmessage?.({
        jsonrpc: '2.0',
        id: Number(id[1]),
        error: { code: ErrorCode.internal, message },
      });
    this.onerror?.(new Error(message));
  }
}

function spawnFailure(error: NodeJS.ErrnoException, { command, cwd }: StdioOptions): string {
  switch (error.code) {
    case 'ENOENT':
      return `The command "${command}" was not found${cwd ? `, or its folder ${cwd} does not exist` : ''}.`;
    case 'EACCES':
      return `The command "${command}" may not be executed (permission denied).`;
    default:
      return `The command "${command}" could not be started: ${error.message}.`;
  }
}
