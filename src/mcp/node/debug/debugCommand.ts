import { UserError } from '../../../base/errors';
import { inEnglish, type Translate } from '../../../base/translate';
import type { DebugType, StdioServerConfig } from '../../serverConfig';

/** The address at which a process listens for a debugger; other machines cannot reach it. */
export const debugHost = '127.0.0.1';

/** How a process is made to wait for a debugger, by the type of debugger. */
const debuggees: {
  readonly [T in DebugType]: {
    readonly program: RegExp;
    readonly name: string;
    readonly args: (args: readonly string[], port: number) => readonly string[];
  };
} = {
  node: {
    program: /^node(?:js)?[\d.]*$/i,
    name: 'node',
    args: (args, port) => [`--inspect-brk=${debugHost}:${port}`, ...args],
  },
  debugpy: {
    program: /^pythonw?[\d.]*$/i,
    name: 'python',
    args(args, port) {
      // The options that come first are for the interpreter and unknown to debugpy.
      const own = interpreterOptions(args);
      const listen = ['-m', 'debugpy', '--listen', `${debugHost}:${port}`, '--wait-for-client'];
      return [...args.slice(0, own), ...listen, ...args.slice(own)];
    },
  },
};

/**
 * Returns the arguments with which a server waits at `port` for the debugger that its configuration wants.
 * Throws a `UserError` if it cannot.
 */
export function debugArguments(
  { command, args, confinement }: StdioServerConfig,
  type: DebugType,
  port: number,
  t: Translate = inEnglish,
): readonly string[] {
  const { program, name, args: withPort } = debuggees[type];
  const file = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.exe$/i, '');
  if (!program.test(file))
    throw new UserError(
      t(
        '"dev.debug" of type "{0}" needs "{1}" as the server\'s command, not "{2}".',
        type,
        name,
        file,
      ),
    );
  if (confinement?.hasNetwork === false)
    throw new UserError(
      t(
        'No debugger can reach the server: its sandbox has no network. Allow it one, or remove "dev.debug".',
      ),
    );
  return withPort(args, port);
}

/** Counts the arguments of a Python interpreter that come before what it runs. */
function interpreterOptions(args: readonly string[]): number {
  let count = 0;
  for (; count < args.length; count += 1) {
    const arg = args[count] ?? '';
    if (!arg.startsWith('-') || /^-[a-zA-Z]*[cm]/.test(arg) || arg === '-') break;
    if (/^-[XW]$/.test(arg)) count += 1;
  }
  return Math.min(count, args.length);
}
