import { errorDetail } from '../../base/errors';
import { redactText } from '../../base/secrets';
import { plainLabel, truncate } from '../../base/text/text';
import { type Backoff, BurstLimit } from '../../base/pace';
import type { OpenTransport, ServerTransport } from '../transport/serverTransport';
import { createTransports } from '../launch/launchKinds';
import type { Openers } from '../launch/launchKind';
import { locateCommand } from './commands/findCommand';
import type { Orphans } from './processes/orphans';
import { LeftProcesses } from './processes/processTree';
import type { OwnEnvironment } from './commands/searchPath';
import { environmentOf } from './commands/serverEnvironment';
import { stderrLevel } from '../connection/endingSentence';
import type { ShutdownTimeouts } from './stdioTransport';
import { isOutdated } from './sandbox/bubblewrap';
import { type Started, confinedCommand } from './sandbox/confinedCommand';
import { socketFetch } from './socketFetch';
import { type System, thisSystem } from './system';
import { readFile, readdir, rmdir } from 'node:fs/promises';

/**
 * The empty folders that bubblewrap leaves where a name was kept free. They go when the last process that needs one
 * has ended: what removes one before takes it from all sandboxes, and the name is free for them.
 */
export class FreeNames {
  private readonly users = new Map<string, number>();

  /** Tells that a process is about to run for which these names are kept free; returns what to call at its end. */
  use(paths: readonly string[]): () => Promise<void> {
    for (const path of paths) this.users.set(path, (this.users.get(path) ?? 0) + 1);
    let released: Promise<void> | undefined;
    return () => (released ??= this.release(paths));
  }

  private async release(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.users.set(path, (this.users.get(path) ?? 0) - 1);
    if (paths.every((path) => this.isUsed(path))) return;
    const mounted = await mountedFolders();
    for (const path of paths) {
      if (this.isUsed(path)) continue;
      this.users.delete(path);
      // One that was filled meanwhile is the user's and stays; so does one that a sandbox of another window has.
      if (!mounted.has(path)) await rmdir(path).catch(() => undefined);
    }
  }

  private isUsed(path: string): boolean {
    return (this.users.get(path) ?? 0) > 0;
  }
}

/** Returns every folder that something is mounted on in the view of any process. */
async function mountedFolders(): Promise<ReadonlySet<string>> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Those of one view have the same table: each different one is read once.
  const tables = new Set<string>();
  for (const pid of processes)
    tables.add(await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => ''));
  const found = new Set<string>();
  for (const table of tables)
    for (const line of table.split('\n')) {
      const path = line.split(' ')[4];
      if (path !== undefined) found.add(path.replaceAll(/\\(\d{3})/g, octal));
    }
  return found;
}

function octal(_escape: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}

/** At most this many lines on stdout that are not messages are logged. */
const maxUnexpectedLines = 5;

/** The part of a line that is searched for secrets, and how much of its end is left out: a secret may be cut there. */
const searched = { length: 30_000, end: 10_000 };

function beginningOf(line: string, withoutSecrets: (text: string) => string): string {
  const shown = withoutSecrets(line.slice(0, searched.length));
  if (line.length <= searched.length) return shown;
  return truncate(shown, Math.max(1, shown.length - searched.end));
}

/** Options for transports that differ from the usual. */
export interface NodeTransportOptions {
  readonly timeouts?: ShutdownTimeouts;
  /** How long to wait before a lost stream is opened again. */
  readonly reconnection?: Backoff;
  /** The environment that servers inherit from; that of this process, if left out. */
  readonly environment?: OwnEnvironment;
  /** The operating system; this one, if left out. */
  readonly system?: System;
  /** Removes known secrets from what servers print. */
  readonly mask?: (text: string) => string;
}

/** Returns what opens transports on a machine that can start processes: to stdio servers and servers at a URL. */
export function createNodeTransports(
  orphans?: Orphans,
  options: NodeTransportOptions = {},
): OpenTransport {
  const { reconnection } = options;
  const fetchOverSocket = (path: string) => socketFetch(path, options.system);
  return createTransports({
    process: processOpener(orphans, options),
    fetchOverSocket,
    reconnection,
  });
}

function processOpener(
  orphans: Orphans | undefined,
  { timeouts, environment, system = thisSystem(), mask = (text) => text }: NodeTransportOptions,
): OpenProcess {
  const withoutSecrets = (text: string) => redactText(mask(text));
  const printed = (line: string) => beginningOf(line, withoutSecrets);
  const freeNames = new FreeNames();
  const left = system === 'win32' ? new LeftProcesses() : undefined;
  const openProcess: OpenProcess = async (config, context) => {
    const { log, maxMessageBytes, onStderr, afterEndMs, t } = context;
    // The code that starts processes is loaded with the first server that needs it.
    const { StdioTransport } = await import('./stdioTransport');
    const own = (await environment?.()) ?? process.env;
    const whole = environmentOf(config, own, system);
    const located = await locateCommand(config, whole, own, system, t);
    const confine = () => confinedCommand(located, config, whole, own);
    const open = (started: Started<string>, isFirst = true) => {
      const { command, args, env, keptFree = [], isCut } = started;
      if (isCut)
        log.warn('Not all that it may write could be searched for what must stay as it is.');
      const release = freeNames.use(keptFree);
      const burst = new BurstLimit(log, 'lines on stderr');
      const channel = new StdioTransport({
        command,
        args,
        env,
        cwd: config.cwd,
        maxMessageBytes,
        t,
        system,
        onStderr: (line) => {
          onStderr?.(line);
          if (burst.take()) log[stderrLevel(line)](plainLabel(printed(line), 2000));
        },
        onUnexpectedLine: (line, count) => {
          if (count === 1) transport.onUnexpectedOutput?.();
          if (count > maxUnexpectedLines) return;
          log.warn(`Not a message of the protocol on stdout: ${plainLabel(printed(line))}`);
        },
        onSpawned: (pid) => orphans?.started(pid, command, args),
        onEnded: (process) =>
          void left?.add(process).catch((error: unknown) => log.warn(errorDetail(error))),
        timeouts,
        afterEndMs,
      });
      const transport: ServerTransport = {
        channel,
        async close() {
          try {
            await channel.close();
          } finally {
            burst.dispose();
            await release();
          }
        },
        again: async () =>
          isFirst && config.confinement && isOutdated(channel.stderrTail)
            ? open(await confine(), false)
            : undefined,
        get ending() {
          return channel.ending;
        },
        get stderrTail() {
          return withoutSecrets(channel.stderrTail);
        },
        get neededSignal() {
          return channel.neededSignal;
        },
        get unexpectedOutput() {
          const { unexpectedLine } = channel;
          return unexpectedLine === undefined ? undefined : printed(unexpectedLine);
        },
      };
      return transport;
    };
    const started = await confine();
    return [() => open(started)];
  };
  return withDebugger(openProcess, environment);
}

type OpenProcess = NonNullable<Openers['process']>;

/** Has a debugger attached to each process whose configuration wants one, where there is any. */
function withDebugger(
  openProcess: OpenProcess,
  environment: OwnEnvironment | undefined,
): OpenProcess {
  return async (config, context) => {
    const { debuggerFor } = context;
    if (!config.debug || !debuggerFor) return openProcess(config, context);
    const { openDebugged } = await import('./openDebugged');
    const own = (await environment?.()) ?? process.env;
    const ready = { debuggerFor, nodeOptions: own['NODE_OPTIONS'] };
    return openDebugged(config, config.debug, context, ready, (as) => openProcess(as, context));
  };
}
