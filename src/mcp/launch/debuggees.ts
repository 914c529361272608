import { maskedArguments } from './commandArguments';
import { plainLabel } from '../../base/text/text';
import { UserError } from '../../base/errors';
import { type Translate, inEnglish, listText } from '../../base/translate';
import { type DebugType, type StdioServerConfig, debugTypes } from '../serverConfig';
import type { DebugPlace } from '../transport/serverTransport';

/** The address at which a process listens for a debugger; other machines cannot reach it. */
export const debugHost = '127.0.0.1';

/** What is different about a launch that waits at a port for a debugger: its arguments, or also Node's options. */
interface Waiting {
  readonly args: readonly string[];
  readonly nodeOption?: string;
}

/** Says how a program with these arguments waits at a port; `undefined` if it cannot. */
type WaitAt = (args: readonly string[], place: DebugPlace) => Waiting | undefined;

/** Programs that run Node below themselves, and so with the options in its variable. */
const overNode = /^(?:npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack|tsx|ts-node)$/;

/** The programs that can be debugged, by the type of debugger; what cannot be told from its arguments is left out. */
const debuggees: {
  readonly [T in DebugType]: {
    readonly names: readonly string[];
    readonly waits: (program: string) => WaitAt | undefined;
  };
} = {
  node: {
    names: ['node', 'npx', 'npm', 'pnpm', 'yarn', 'tsx', 'ts-node', 'deno run'],
    waits(program) {
      if (/^node(?:js)?[\d.]*$/.test(program))
        return (args, { port }) => ({ args: [inspectedAt(port), ...args] });
      if (overNode.test(program))
        return (args, { port }) => ({ args, nodeOption: `--import=${waitingModule(port)}` });
      return program === 'deno' ? denoWaits : undefined;
    },
  },
  debugpy: {
    names: ['python', 'uv run'],
    waits(program) {
      if (/^pythonw?[\d.]*$/.test(program))
        return (args, { port }) => ({ args: pythonArguments(args, port) });
      return program === 'uv' ? uvWaits : undefined;
    },
  },
  bun: {
    names: ['bun'],
    waits: (program) =>
      program === 'bun'
        ? (args, place) => ({ args: [`--inspect-wait=${bunAddress(place)}`, ...args] })
        : undefined,
  },
};

/** The option by which Node and Deno wait at a port before their first line. */
function inspectedAt(port: number): string {
  return `--inspect-brk=${debugHost}:${port}`;
}

/** The address at which Bun's debugger finds a process. */
export function bunAddress({ port, path }: DebugPlace): string {
  return `ws://${debugHost}:${port}/${path}`;
}

/** To find out whether there is a way at all. */
const anyPlace: DebugPlace = { port: 0, path: '' };

type Launch = Pick<StdioServerConfig, 'command' | 'args'>;

/** Returns the debuggers that can be attached to a launch: one at most, or any where variables leave open what it runs. */
export function debugTypesOf(launch: Launch): readonly DebugType[] {
  const type = debugTypes.find((one) => waitingAt(launch, one, anyPlace) !== undefined);
  if (type) return [type];
  return isOpen(launch) ? debugTypes : [];
}

function isOpen({ command, args }: Launch): boolean {
  return [command, ...args].some((word) => word.includes('${'));
}

/** Throws a `UserError` if it is clear before its variables have values that a server cannot be debugged as it should. */
export function checkDebuggable(config: StdioServerConfig, t: Translate): void {
  if (config.debug && !isOpen(config)) debuggedLaunch(config, config.debug, anyPlace, { t });
}

/** The programs that can be debugged, for sentences about others. */
export const debuggedPrograms = debugTypes.flatMap((type) => debuggees[type].names);

/**
 * Returns the launch with which a server waits at a place for the debugger that its configuration wants; `nodeOptions`
 * are those that it inherits. Throws a `UserError` if it cannot.
 */
export function debuggedLaunch(
  config: StdioServerConfig,
  type: DebugType,
  place: DebugPlace,
  {
    t = inEnglish,
    nodeOptions,
  }: { readonly t?: Translate | undefined; readonly nodeOptions?: string | undefined } = {},
): StdioServerConfig {
  const waiting = waitingAt(config, type, place);
  if (!waiting)
    throw new UserError(
      t(
        '"debug" of type "{0}" cannot be attached to "{1}", only to: {2}.',
        type,
        shownLine(config),
        listText(debuggees[type].names, t),
      ),
    );
  if (config.confinement?.hasNetwork === false)
    throw new UserError(
      t(
        'No debugger can reach the server: its sandbox has no network. Allow it one, or remove "debug".',
      ),
    );
  const { args, nodeOption } = waiting;
  if (nodeOption === undefined) return { ...config, args };
  const { env } = config;
  const name = Object.keys(env).find((one) => one.toUpperCase() === 'NODE_OPTIONS');
  const before = name === undefined ? nodeOptions : env[name];
  const options = [before, nodeOption].filter(Boolean).join(' ');
  return { ...config, args, env: { ...env, [name ?? 'NODE_OPTIONS']: options } };
}

/** The command line for a sentence, without what looks like a secret. */
function shownLine({ command, args }: Launch): string {
  return plainLabel([programOf(command), ...maskedArguments(args, command)].join(' '), 200);
}

function waitingAt(
  { command, args }: Launch,
  type: DebugType,
  place: DebugPlace,
): Waiting | undefined {
  const program = programOf(command);
  const [flag, inner, ...rest] = args;
  // What Windows needs to run a script of commands.
  if (program === 'cmd' && flag !== undefined && /^\/c$/i.test(flag) && inner !== undefined) {
    const waiting = debuggees[type].waits(programOf(inner))?.(rest, place);
    return waiting && { ...waiting, args: [flag, inner, ...waiting.args] };
  }
  return debuggees[type].waits(program)?.(args, place);
}

function programOf(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}

/**
 * The address of a module with which each Node below a launcher of packages begins: the first that is no launcher, and
 * installs nothing, waits for the debugger, and takes the option away from those below itself.
 */
function waitingModule(port: number): string {
  const source = `
    import { open } from 'node:inspector';
    import { isMainThread } from 'node:worker_threads';
    const [, main] = process.argv;
    const launcher = /[\\\\/](?:npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack)(?:-cli|-prefix|-[\\d.]+)?(?:\\.[cm]?js)?$|[\\\\/]tsx$|[\\\\/]tsx[\\\\/]dist[\\\\/]cli\\.[cm]js$/;
    const installs = /install|prepare/.test(process.env.npm_lifecycle_event ?? '');
    if (isMainThread && main !== undefined && !launcher.test(main) && !installs) {
      process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/ ?--import=data:\\S*/, '');
      open(${port}, '${debugHost}', true);
    }`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

const denoWaits: WaitAt = ([command = '', ...args], { port }) =>
  /^(?:run|serve)$/.test(command) ? { args: [command, inspectedAt(port), ...args] } : undefined;

/** Options of `uv run` that take the next argument as their value. */
const uvValues =
  /^(?:-p|-w|--(?:with|with-editable|with-requirements|python|directory|project|env-file|extra|group|only-group|no-group|package|index|default-index|index-url|extra-index-url|find-links|cache-dir|config-file|color|refresh-package|upgrade-package|reinstall-package))$/;

const uvWaits: WaitAt = (args, { port }) => {
  const run = args.indexOf('run');
  if (run < 0) return undefined;
  let at = run + 1;
  for (; args[at]?.startsWith('-') && args[at] !== '--'; at += 1) {
    const option = args[at] ?? '';
    if (option === '-m' || option === '--module') break;
    if (uvValues.test(option)) at += 1;
  }
  const options = args.slice(run + 1, at);
  const program = args.slice(args[at] === '--' ? at + 1 : at);
  const python = pythonOf(program, port);
  return (
    python && { args: [...args.slice(0, run + 1), '--with', 'debugpy', ...options, ...python] }
  );
};

/** Returns what `uv run` has to run for a program to wait; `undefined` if that is not Python, as far as one can tell. */
function pythonOf([program = '', ...args]: readonly string[], port: number) {
  if (program === '-m' || program === '--module')
    return ['python', ...pythonArguments(['-m', ...args], port)];
  if (/^pythonw?[\d.]*$/.test(programOf(program))) return [program, ...pythonArguments(args, port)];
  if (/\.pyw?$/i.test(program)) return ['python', ...pythonArguments([program, ...args], port)];
  if (!/^\w[\w.-]*$/.test(program)) return undefined;
  // A program that a package of Python installs is a function that its metadata names.
  const code = `import sys; from importlib.metadata import entry_points; sys.argv[0] = "${program}"; [one] = entry_points(group="console_scripts", name="${program}"); sys.exit(one.load()())`;
  return ['python', ...pythonArguments(['-c', code, ...args], port)];
}

/** The options that come first are for the interpreter and unknown to debugpy. */
function pythonArguments(args: readonly string[], port: number): readonly string[] {
  const own = interpreterOptions(args);
  const listen = ['-m', 'debugpy', '--listen', `${debugHost}:${port}`, '--wait-for-client'];
  return [...args.slice(0, own), ...listen, ...args.slice(own)];
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
