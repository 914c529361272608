/*
 * The program that agents start as an MCP server, in a file of its own without dependencies: it finds the window that
 * serves the agent's folder, and passes messages on. It is started with the id of an entry as its argument.
 */
import { execFile } from 'node:child_process';
import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Timer } from '../../../base/async';
import { asRecord } from '../../../base/json';
import { ReopenPace } from '../../../base/pace';
import { parseObject } from '../../protocol/parseObject';
import { bridgeVersion, maxUnreadBytes, type AgentHello } from '../../serving/agentPort';
import { toolEnvironment } from '../commands/serverEnvironment';
import { realPath } from '../files/fileAccess';
import { LineFramer, writeLine } from '../lineFramer';
import { thisSystem } from '../system';
import { BridgeSession } from './bridgeSession';
import { nearnessOf, readWindows, windowsFor, type ListeningWindow } from './windowFiles';

/** The variable that holds the secret of the entry. */
const secretVariable = 'MCP_WORKBENCH_SECRET';

/** How long a window may take to be there at all before the agent is told that there is none. */
const graceMs = Number(process.env['MCP_WORKBENCH_GRACE_MS'] ?? 10_000);
/** How long one that was there may take to reload, as it does on a slow machine with many extensions. */
const reloadMs = 3 * graceMs;
/** The pauses between two looks for a window: the first while one may be reloading. */
const soonMs = 200;
const laterMs = 2000;
/** The pause after a window has refused the entry. */
const refusedMs = 60_000;
/** A window that does not answer an introduction in that time is passed over. */
const welcomeMs = 5000;

async function main(): Promise<void> {
  const agents = dirname(await realPath(__filename));
  const folder = await realPath(process.cwd());
  const hello: AgentHello = {
    entry: process.argv[2] ?? '',
    secret: process.env[secretVariable] ?? '',
    folder,
    program: await parentProgram(),
    pid: process.ppid,
    keepsHeld: true,
  };
  const session = new BridgeSession(write, folder);
  const fromAgent = new LineFramer(
    maxUnreadBytes,
    (line) => session.fromAgent(line),
    () => process.exit(1),
  );
  process.stdin.on('data', (chunk: Buffer) => fromAgent.push(chunk));
  // Without the agent, nobody wants anything.
  process.stdin.once('end', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
  await keepConnected(session, agents, hello);
}

function write(line: string | Uint8Array): void {
  writeLine(process.stdout, [line]);
}

/** Looks for a window again and again, and serves the agent through it as long as it is there. */
async function keepConnected(
  session: BridgeSession,
  agents: string,
  hello: AgentHello,
): Promise<void> {
  const pauses = new Pauses(join(agents, 'windows'));
  const pace = new ReopenPace({ firstMs: soonMs, longestMs: laterMs });
  // While the window that was lost may be reloading, none that is farther from the folder stands in for it.
  let nearness = -1;
  let limitMs = graceMs;
  for (let since = Date.now(); ;) {
    const isLate = Date.now() - since >= limitMs;
    const found = await findWindow(agents, hello, isLate ? -1 : nearness);
    if (typeof found === 'object') {
      pace.opened();
      await serveThrough(found, session);
      ({ nearness } = found);
      since = Date.now();
      limitMs = reloadMs;
      // A window that lets in and hangs up at once would be asked again without end.
      await pauses.pause(pace.lost());
      continue;
    }
    if (found === 'refused' || isLate) session.alone(found);
    await pauses.pause(found === 'refused' ? refusedMs : isLate ? laterMs : soonMs);
  }
}

/** Connects to the window that fits best, of those that answer and are as near to the folder of the agent as is said. */
async function findWindow(agents: string, hello: AgentHello, least: number) {
  const windows = (await readWindows(agents)).map(({ window }) => window);
  let isRefused = false;
  for (const window of windowsFor(hello.folder, windows)) {
    const nearness = nearnessOf(window, hello.folder);
    if (nearness < least) break;
    const found = await introduce(window, hello);
    if (typeof found === 'object') return { ...found, nearness };
    isRefused ||= found === 'refused';
  }
  return isRefused ? 'refused' : 'noWindow';
}

interface Connection {
  readonly socket: Socket;
  /** Hands over the lines of the window from now on. */
  readonly read: (onLine: (line: string, bytes: Uint8Array) => void) => void;
}

function introduce(
  { socket: path }: ListeningWindow,
  hello: AgentHello,
): Promise<Connection | 'refused' | 'gone'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let take = (line: string, _bytes: Uint8Array) => {
      const { welcome, refused } = asRecord(parseObject(line));
      if (welcome === true) {
        socket.setTimeout(0);
        resolve({ socket, read: (onLine) => (take = onLine) });
      } else {
        socket.destroy();
        resolve(refused === undefined ? 'gone' : 'refused');
      }
    };
    const framer = new LineFramer(
      maxUnreadBytes,
      (line, bytes) => take(line, bytes),
      () => socket.destroy(),
    );
    socket.on('data', (chunk: Buffer) => {
      framer.push(chunk);
      // An agent that reads slowly is waited for, rather than all that it should read kept here.
      if (process.stdout.writableNeedDrain) {
        socket.pause();
        process.stdout.once('drain', () => socket.resume());
      }
    });
    socket.setTimeout(welcomeMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => resolve('gone'));
    socket.once('connect', () =>
      socket.write(`${JSON.stringify({ mcpWorkbench: bridgeVersion, ...hello })}\n`),
    );
  });
}

/** Resolves when the window is gone. */
function serveThrough({ socket, read }: Connection, session: BridgeSession): Promise<void> {
  return new Promise((resolve) => {
    const lose = () => {
      session.lost();
      resolve();
    };
    if (socket.destroyed) return lose();
    socket.once('close', lose);
    read((line, bytes) => session.fromWindow(line, bytes));
    session.opened((line) => {
      if (!socket.destroyed) socket.write(`${line}\n`);
      if (socket.writableNeedDrain) {
        process.stdin.pause();
        socket.once('drain', () => process.stdin.resume());
        socket.once('close', () => process.stdin.resume());
      }
    });
  });
}

/** Names the program that has started this one, as far as the system tells. */
async function parentProgram(): Promise<string> {
  const { ppid } = process;
  const system = thisSystem();
  try {
    if (system === 'linux') return (await readFile(`/proc/${ppid}/comm`, 'utf8')).trim();
    if (system === 'win32') return '';
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'comm=', '-p', String(ppid)], {
      env: toolEnvironment(),
    });
    return stdout.trim();
  } catch {
    return '';
  }
}

/** Pauses that end as soon as a window has written its file. */
class Pauses {
  private readonly folder: string;
  private watcher: FSWatcher | undefined;
  /** True if something was written since the last pause. */
  private isStale = false;
  private wake = () => {};

  constructor(folder: string) {
    this.folder = folder;
    this.watch();
  }

  async pause(ms: number): Promise<void> {
    this.watch();
    const timer = new Timer(() => this.wake());
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer.start(this.isStale ? Math.min(ms, soonMs) : ms);
    });
    timer.dispose();
    this.isStale = false;
  }

  private watch(): void {
    if (this.watcher) return;
    try {
      this.watcher = watch(this.folder, () => {
        this.isStale = true;
        this.wake();
      });
      this.watcher.on('error', () => (this.watcher = undefined));
    } catch {
      // No window has ever listened, or the system cannot watch: the pause it is.
    }
  }
}

void main();
