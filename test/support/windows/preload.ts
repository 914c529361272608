// Preloaded into all of Windows' Node: gives it what this Wine lacks, an interval for keeping connections alive, which
// Node sets on each one that it opens, and the end of a whole process tree by `taskkill /T`.
import { ChildProcess } from 'node:child_process';
import net from 'node:net';
import { descendants } from '../processes/processTree';
import { listWineProcesses } from './wineProcesses';

/** Wraps a function that connects so that it never asks for the interval. */
function withoutKeepAlive(connect: typeof net.connect): typeof net.connect {
  return (first: unknown, ...others: unknown[]) =>
    (connect as (...all: unknown[]) => net.Socket)(
      typeof first === 'object' && first !== null ? { ...first, keepAlive: false } : first,
      ...others,
    );
}

net.connect = withoutKeepAlive(net.connect);
net.createConnection = withoutKeepAlive(net.createConnection);
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};

interface SpawnOptions {
  file: string;
  args?: string[];
}

// What all functions that start a process go through; the types leave it out.
const processes = ChildProcess.prototype as unknown as { spawn(options: SpawnOptions): unknown };
const spawn = Reflect.get(processes, 'spawn');
processes.spawn = function spawnHere(options) {
  const { file, args = [] } = options;
  const isTree = /(?:^|[\\/])taskkill(?:\.exe)?$/i.test(file) && args.includes('/T');
  return spawn.call(this, isTree ? { ...options, args: withDescendants(args) } : options);
};

/** Returns the arguments that end each process below the given ones, too, instead of asking for that. */
function withDescendants(args: readonly string[]): string[] {
  const all = listWineProcesses().map((one) => ({ ...one, started: '' }));
  const roots = args.flatMap((arg, at) => (arg === '/PID' ? Number(args[at + 1]) : []));
  const below = descendants(all, roots).flatMap(({ pid }) => ['/PID', String(pid)]);
  return [...args.filter((arg) => arg !== '/T'), ...below];
}
