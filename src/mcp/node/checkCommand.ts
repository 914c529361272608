import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { errorMessage } from '../../base/errors';
import type { Translate } from '../../base/translate';
import type { StdioServerConfig } from '../serverConfig';
import { argumentsInCommand } from '../launch/commandArguments';
import { findCommand, isPath } from './commands/findCommand';
import { environmentOf, searchEnvironment } from './commands/serverEnvironment';
import type { Environment, Finding } from '../platform';
import { programStart, type ProgramStart } from './processes/programStart';
import { isOutdated } from './sandbox/bubblewrap';
import { confinedCommand } from './sandbox/confinedCommand';
import type { System } from './system';
import { readVariable } from './commands/searchPath';
import { truncate, withoutColors } from '../../base/text/text';

const limitMs = 10_000;
const maxLength = 500;

/** What the programs of a check are started with: as the server itself is, so confined where it is. */
interface Bench {
  readonly config: StdioServerConfig;
  readonly env: Environment;
  readonly own: Environment;
  readonly system: System;
  readonly t: Translate;
}

/** Runs a program that only reports something about itself; resolves with its output, or with why there is none. */
async function readVersion(
  file: string,
  args: readonly string[],
  bench: Bench,
  isAgain = false,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { config, env: whole, own, system } = bench;
  let start: ProgramStart;
  let env: Environment;
  try {
    // What only reports something writes nothing.
    const confinement = config.confinement && { ...config.confinement, writable: [] };
    const { cwd, ...rest } = config;
    // Where its folder is missing, that is a finding of its own.
    const asked = {
      ...rest,
      args,
      ...(await folderOf(cwd)),
      ...(confinement && { confinement }),
    };
    const started = await confinedCommand(file, asked, whole, own);
    ({ env } = started);
    start = await programStart(started.command, started.args, env, system);
  } catch (error) {
    return { ok: false, text: errorMessage(error) };
  }
  const read = await new Promise<{ ok: boolean; text: string }>((resolve) => {
    let text = '';
    const child = spawn(start.command, start.args, {
      env: { ...env },
      windowsVerbatimArguments: start.windowsVerbatimArguments,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      // Without the terminal that the editor may have been started in: what is confined could type there.
      detached: system !== 'win32',
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const end = (ok: boolean, words: string) =>
      resolve({ ok, text: truncate(withoutColors(words).trim(), maxLength) });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text = truncate(text + chunk, maxLength);
      });
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code, signal) => end(code === 0, text || `${code ?? signal}`));
  });
  const isMissed = !read.ok && config.confinement && isOutdated(read.text);
  return isMissed && !isAgain ? readVersion(file, args, bench, true) : read;
}

const lineLength = 80;

/** The programs whose versions matter to what a command starts. */
const toolsOf: Readonly<Record<string, readonly string[]>> = {
  npx: ['node', 'npx'],
  npm: ['node', 'npm'],
  node: ['node'],
  uv: ['uv', 'python3'],
  uvx: ['uv', 'python3'],
  python: ['python'],
  python3: ['python3'],
  pipx: ['pipx', 'python3'],
  docker: ['docker'],
  podman: ['podman'],
  bunx: ['bun'],
  bun: ['bun'],
  deno: ['deno'],
};

/** Checks where the program of a server is, and what it has to work with. */
export async function checkCommand(
  config: StdioServerConfig,
  own: Environment,
  t: Translate,
  system: System,
): Promise<Finding[]> {
  const env = environmentOf(config, own, system);
  const searched = searchEnvironment(config, env, own, system);
  return [
    await location(config, searched, t, system),
    ...(await folder(config, t)),
    ...(await versions({ config, env: searched, own, system, t })),
    {
      level: 'note',
      title: t('Environment variables it receives ({0})', String(Object.keys(env).length)),
      detail: wrap(Object.keys(env).toSorted()),
    },
  ];
}

async function location(
  { command, cwd }: StdioServerConfig,
  env: Environment,
  t: Translate,
  system: System,
): Promise<Finding> {
  const file = await findCommand(command, env, { cwd, system });
  const path = system === 'win32' ? win32 : posix;
  const folders = readVariable(env, 'PATH', system) ?? '';
  const isFile = isPath(command, system);
  if (file) {
    const title =
      file === command ? t('Command: {0}', file) : t('Command: {0} is {1}', command, file);
    return { level: 'good', title };
  }
  return {
    level: 'bad',
    title: t('The command {0} was not found', command),
    detail: [
      t('Looked for in:'),
      ...(isFile
        ? [path.dirname(path.resolve(cwd ?? '', command))]
        : folders.split(path.delimiter)),
    ].join('\n'),
    next:
      argumentsInCommand(command, t) ??
      (isFile
        ? t('Correct the path in "command", or install the program there.')
        : t(
            'Install it, or use its full path as "command". In a terminal, "{0}" shows the path.',
            `${system === 'win32' ? 'where' : 'which'} ${command}`,
          )),
  };
}

/** Returns the working directory, if there is one. */
async function folderOf(cwd: string | undefined): Promise<Pick<StdioServerConfig, 'cwd'>> {
  if (cwd === undefined) return {};
  return (await stat(cwd).catch(() => undefined))?.isDirectory() ? { cwd } : {};
}

async function folder({ cwd }: StdioServerConfig, t: Translate): Promise<Finding[]> {
  if (cwd === undefined || (await folderOf(cwd)).cwd !== undefined) return [];
  return [
    {
      level: 'bad',
      title: t('The working directory {0} does not exist', cwd),
      next: t('Correct "cwd" or create the folder.'),
    },
  ];
}

async function versions(bench: Bench): Promise<Finding[]> {
  const name = bench.config.command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|bat)$/i, '');
  const tools = toolsOf[name] ?? [];
  const found = await Promise.all(tools.map((tool) => version(tool, bench)));
  const isContainer = tools.includes(name) && (name === 'docker' || name === 'podman');
  return isContainer ? [...found, await engine(name, bench)] : found;
}

async function version(tool: string, bench: Bench): Promise<Finding> {
  const { env, system, t } = bench;
  const file = await findCommand(tool, env, { system });
  if (!file)
    return {
      level: 'bad',
      title: t('{0} was not found', tool),
      next: t('Install {0}, or start the editor from a shell that has it on its PATH.', tool),
    };
  const answer = await readVersion(file, ['--version'], bench);
  return answer.ok
    ? { level: 'good', title: `${tool} ${answer.text}`, detail: file }
    : {
        level: 'bad',
        title: t('{0} does not report its version', tool),
        detail: `${file}\n${answer.text}`,
        next: t('Run "{0} --version" in a terminal and fix the problem it reports.', tool),
      };
}

/** Checks that a container engine responds, because its client reports a version even without the engine. */
async function engine(name: string, bench: Bench): Promise<Finding> {
  const { config, env, system, t } = bench;
  const file = (await findCommand(name, env, { system })) ?? name;
  const answer = await readVersion(file, ['info', '--format', '{{.ServerVersion}}'], bench);
  return answer.ok
    ? { level: 'good', title: t('The {0} engine responds', name) }
    : {
        level: 'bad',
        title: t('The {0} engine does not respond', name),
        detail: answer.text,
        next: config.confinement
          ? t(
              'Its sandbox hides container engines. Remove "sandboxEnabled" from the server to let it use one.',
            )
          : t('Start it, and check that you have permission to use it.'),
      };
}

/** Wraps words into lines that need no scrolling. */
function wrap(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}
