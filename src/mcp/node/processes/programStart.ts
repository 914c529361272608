import { win32 } from 'node:path';
import { UserError } from '../../../base/errors';
import type { Translate } from '../../../base/translate';
import { findCommand } from '../commands/findCommand';
import { readVariable } from '../commands/searchPath';
import { readStart } from '../files/fileAccess';
import type { Environment } from '../../platform';
import type { System } from '../system';

/** What a system is asked to start, so that a file runs with its arguments. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  /** True if Windows passes the arguments on as they are, because they are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

/** The programs of Windows that are started, by where they are in its folder for programs. */
const ofWindows = {
  cmd: ['cmd.exe'],
  taskkill: ['taskkill.exe'],
  powerShell: ['WindowsPowerShell', 'v1.0', 'powershell.exe'],
} as const;

/** Returns the path of a program of Windows: by its name alone, one in the folder that we run in would come first. */
export function programOfWindows(
  name: keyof typeof ofWindows,
  root = process.env['SYSTEMROOT'],
): string {
  return win32.join(root ?? 'C:\\Windows', 'System32', ...ofWindows[name]);
}

/** The longest first line of a script that names what runs it, in bytes. */
const maxFirstLine = 250;

/** The longest path of a program, or of the folder that it runs in, that Windows starts, in characters. */
export const longestStartPath = 259;

/** Returns what to say about a path at which, or in which, Windows starts no program; `undefined` if it is short enough. */
export function pathTooLong(path: string): ((t: Translate) => string) | undefined {
  if (path.length <= longestStartPath) return undefined;
  return (t) =>
    t(
      'The path {0} has {1} characters, and Windows starts programs only at paths, and in folders, of at most {2}. Move it to a folder with a shorter path.',
      path,
      String(path.length),
      String(longestStartPath),
    );
}

/**
 * Returns how a file that was found is started. Only Windows does not start all of them itself: there, what a first line
 * names runs a script, PowerShell runs `.ps1`, and the command prompt all else, such as `.cmd` and `.bat`. Rejects with
 * the system's error if there is no such file, and with a `UserError` if an argument or the folder cannot be passed on.
 */
export async function programStart(
  file: string,
  args: readonly string[],
  env: Environment,
  system: System,
  cwd?: string,
): Promise<ProgramStart> {
  if (system !== 'win32' || /\.(?:exe|com)$/i.test(file)) return { command: file, args };
  const [interpreter, ...options] = interpreterIn(await readStart(file, maxFirstLine));
  const found = interpreter && (await findCommand(interpreter, env, { system }));
  if (found) return programStart(found, [...options, file, ...args], env, system, cwd);
  const root = readVariable(env, 'SYSTEMROOT', system);
  if (/\.ps1$/i.test(file)) {
    const command = programOfWindows('powerShell', root);
    return { command, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-File', file, ...args] };
  }
  // It would say so where nobody reads it, and go on in the folder of Windows.
  if (/^[\\/]{2}/.test(cwd ?? ''))
    throw new UserError((t) =>
      t(
        '"{0}" cannot run in {1}: the command prompt of Windows, which runs it, has no folders of the network or of WSL. Open the folder in WSL, or set "cwd" to a folder on a drive.',
        win32.basename(file),
        cwd ?? '',
      ),
    );
  const tooLong = pathTooLong(file);
  if (tooLong) throw new UserError(tooLong);
  const line = commandPromptLine(file, args);
  return {
    command: programOfWindows('cmd', root),
    // Without `/q`, each line of a script without `@echo off` would stand between the messages of its server.
    args: ['/d', '/q', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** Returns the program that the first line of a script names, without its folder, and the arguments it gets there. */
export function interpreterIn(text: string): readonly string[] {
  const [, line = ''] = /^#!([^\r\n]*)\r?\n/.exec(text) ?? [];
  const [program = '', ...options] = line.split(/[ \t]+/).filter(Boolean);
  const name = program.split('/').at(-1) ?? '';
  if (name !== 'env') return name === '' ? [] : [name, ...options];
  return options[0] === '-S' ? options.slice(1) : options;
}

/**
 * Returns the line with which the command prompt runs a file: no argument ends at a character that means something to it,
 * or becomes the value of a variable, neither there nor in the script, which reads the line once more.
 */
export function commandPromptLine(file: string, args: readonly string[]): string {
  const name = win32.basename(file);
  if ([file, ...args].some((word) => /[\r\n]/.test(word)))
    throw new UserError((t) =>
      t(
        'An argument has more than one line, and "{0}" would get only the first. Give the program that it runs as "command" instead.',
        name,
      ),
    );
  return [inQuotes(file), ...args.map((arg) => (isPlain(arg) ? arg : inQuotes(arg)))].join(' ');
}

function isPlain(arg: string): boolean {
  return /^[\w#$*+./:?@\\-]*[\w#$*+./:?@-]$/.test(arg);
}

function inQuotes(arg: string): string {
  // Two quotes are one for the program, and for the prompt still inside: with a backslash, it would see the end.
  const text = arg.replaceAll(/(?<!\\)(\\*)"/g, '$1$1""').replace(/(?<!\\)\\+$/, '$&$&');
  // A part of the built-in variable of the folder that is empty keeps the prompt from finding a name between two `%`.
  return `"${text.replaceAll('%', '%%cd:~,%')}"`;
}
