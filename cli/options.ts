import { statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorMessage, UserError } from '../src/base/errors';
import { ownValue } from '../src/base/json';
import { inEnglish } from '../src/base/translate';
import { findInexactNumber, inexactNumberText } from '../src/mcp/protocol/inexactNumber';
import { spokenRevisions } from '../src/mcp/protocol/revisions';
import {
  type ClientAbility,
  clientAbilities,
  readAbilities,
} from '../src/mcp/protocol/serverRequests';
import type { OAuthConfig, ServerDefinition } from '../src/mcp/serverConfig';
import type { Json } from '../src/mcp/protocol/types';
import { clientOf, ofSignIn, signInUsage, type SignInValues } from './signIn';

/** What reports can be written as. */
export const reporters = ['dot', 'json', 'junit'] as const;

/** What launches a server: a command line or a URL, or the words that stand behind `--`. */
export type LaunchLine = string | readonly string[];

/** How servers are spoken to: in one revision alone, or as by a client that can do less, or says that it can do more. */
export interface Manner extends Pick<ServerDefinition, 'revision' | 'without'> {
  /** What is declared to servers although nothing here can do it. */
  readonly declared?: readonly DeclarableAbility[];
  /** How long a server may take to start, or to be connected to. */
  readonly connectMs?: number;
}

/** What the command line gives servers: variables for processes, headers and a client for those at a URL. */
export type Given = Pick<Options, 'env' | 'headers' | 'oauth' | 'config' | 'cwd'>;

/** What the command line asks for. */
export interface Options {
  readonly files: readonly string[];
  readonly reporter: (typeof reporters)[number];
  /** The file that the report is written to; the terminal if `undefined`. */
  readonly output: string | undefined;
  /** The file that a summary in Markdown is appended to. */
  readonly summary: string | undefined;
  /** The launches, or `undefined` for the configured one, by the names of servers. */
  readonly servers: ReadonlyMap<string, LaunchLine | undefined>;
  readonly variables: Readonly<Record<string, Json>>;
  readonly update: boolean;
  /** True if the servers are checked against the specification, instead of running steps. */
  readonly check: boolean;
  /** True if what a server should do counts like what it must. */
  readonly strict: boolean;
  /** True if a check may call tools that say that they only read. */
  readonly callTools: boolean;
  /** Variables of the environment for the launches of the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** HTTP headers for the servers of the command line. */
  readonly headers: Readonly<Record<string, string>>;
  /** The folder in which the processes of the command line start. */
  readonly cwd?: string | undefined;
  /** The file that configures the servers without a launch; if omitted, those here and above are searched. */
  readonly config?: string | undefined;
  /** The client that the servers of the command line are signed in to as, if it is known to their authorization server. */
  readonly oauth: OAuthConfig;
  /** True if whoever runs this may be asked to sign in to servers. */
  readonly signIn: boolean;
  readonly manner: Manner;
  readonly verbose: boolean;
}

/** What `--help` of each command that reaches servers says of how they are started. */
export const startUsage = `  --cwd FOLDER            start the server in this folder
  --connect-timeout TIME  give up a server that takes longer to start or to be connected to, such as 10s
`;

/** What `--help` of each command that reaches servers says of declaring more to them. */
export const withUsage = `  --with ABILITY          say to be a client with apps, sampling or elicitation: nothing is shown or answered, but
                          servers offer what they have for such clients
`;

const shared = `  --config FILE           the servers of this file, such as that of another client, in place of .vscode/mcp.json and .mcp.json
  --env NAME=VALUE        for the servers of --server: of the environment here they get only what starts
                          programs, such as PATH and HOME
${startUsage}  --header "NAME: VALUE"  for the servers of --server that are at a URL
${signInUsage}  --reporter dot|json|junit
  --output FILE           write the report there, and marks to the terminal
  --summary FILE          add a summary in Markdown, such as "$GITHUB_STEP_SUMMARY"
  --protocol-version V    speak this revision of the protocol alone, such as 2025-06-18
  --without ABILITY       be a client without roots, sampling, elicitation, tasks, apps or extensions
${withUsage}  --verbose               show what the servers log

HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY apply to servers at a URL, in capital or small letters;
servers on this machine are reached directly.

Exit code: 0 all passed, 1 something failed, 2 something could not be run.
`;

/** The texts that `--help` prints, for each command that is about saved calls. */
export const usage = {
  test: `Usage: mcp-workbench test [files] [options]
       mcp-workbench send|check|surface|skills|record|serve|replay --help
       mcp-workbench completion bash|zsh|fish
       mcp-workbench --version

Runs saved calls (*.mcp-calls.jsonc) against MCP servers. Without files, all below this folder.

  --server NAME=COMMAND   launch this for files that are "from" NAME; a URL connects instead
  --variable NAME=VALUE   in place of a variable of the files
  --update                write snapshots that differ or do not exist yet
${shared}`,
  check: `Usage: mcp-workbench check [options] -- COMMAND [arguments]
       mcp-workbench check --server NAME=COMMAND [options]
       mcp-workbench check [files] [options]

Checks servers against the specification: that after "--", those of --server, or of files with saved calls.

  --server NAME=COMMAND   check this; a URL connects instead, and without "=" it is that of .vscode/mcp.json or .mcp.json
  --strict                fail for what a server should do, too, not only for what it must
  --call-tools            call tools that say that they only read and that need no arguments
${shared}`,
} as const;

/**
 * Reads the command line; returns the command whose `help` it asks for, or that of `test` if it is empty. Throws a
 * `UserError` if it makes no sense.
 */
export function readOptions(
  args: readonly string[],
): Options | { readonly help: keyof typeof usage } {
  const [first = 'test'] = args;
  if (!first.startsWith('-') && !isCommand(first))
    throw new UserError(
      `There is no command "${first}", only "test", "send", "check", "surface", "skills", "record", "serve", "replay" and "completion".`,
    );
  const { values, command, files, launched } = parse(args);
  if (values.help || args.length === 0) return { help: command };
  if (launched && command === 'test')
    throw new UserError(
      'test takes the servers of its files from --server NAME=COMMAND, not after "--".',
    );
  const servers =
    command === 'check'
      ? serversOf(values.server, launched)
      : (values.server ?? []).map((text) => pair('--server', text));
  const twice = servers.find(([name], at) => servers.findIndex((one) => one[0] === name) < at);
  if (twice) throw new UserError(`Two servers are called "${twice[0]}": give one another name.`);
  if (command === 'check' && servers.length > 0 && files.length > 0)
    throw new UserError(`check takes servers or files, not both: "${files[0]}" is a file.`);
  const reporter = reporterOf(values.reporter);
  return {
    files,
    reporter,
    output: values.output,
    summary: values.summary,
    servers: new Map(servers),
    variables: Object.fromEntries((values.variable ?? []).map((text) => pair('--variable', text))),
    update: values.update,
    check: command === 'check',
    strict: values.strict,
    callTools: values['call-tools'],
    ...givenOf(values),
    signIn: values['sign-in'],
    manner: mannerOf(values),
    verbose: values.verbose,
  };
}

/** Returns the reporter of a name; throws a `UserError` if there is none. */
export function reporterOf(name: string): Options['reporter'] {
  const reporter = reporters.find((one) => one === name);
  if (!reporter) throw new UserError(`--reporter must be one of: ${reporters.join(', ')}.`);
  return reporter;
}

/** Reads an option that is a number of things; throws a `UserError` for none and for too many. */
export function countOf(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max)
    throw new UserError(`${option} must be a whole number from 1 to ${max}.`);
  return count;
}

const units = { ms: 1, s: 1000, m: 60_000, h: 60 * 60_000 } as const;

/** Reads an option that is a time with its unit, in ms; throws a `UserError` for anything else and for too long a one. */
export function durationOf(option: string, text: string, longestMs: number): number {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|[smh])$/.exec(text) ?? [];
  const ms = Math.round(Number(count) * (ownValue(units, unit) ?? NaN));
  if (!(ms >= 1 && ms <= longestMs))
    throw new UserError(
      `${option} must be a time such as 500ms, 30s or 5m, up to ${longestMs / units.h}h.`,
    );
  return ms;
}

/** Reads a value as JSON, or as text where it is none; throws a `UserError` for a number that would change on its way. */
export function jsonOrText(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return text;
  }
  const inexact = findInexactNumber(text);
  if (inexact) throw new UserError(inexactNumberText(inexact, inEnglish));
  return value;
}

const longestConnectMs = units.h;

/** Returns how options say that servers are spoken to; throws a `UserError` for a revision or an ability that this client has not. */
export function mannerOf({
  'protocol-version': name,
  without: lacking = [],
  with: more = [],
  'connect-timeout': connect,
}: {
  readonly 'protocol-version'?: string | undefined;
  readonly without?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly 'connect-timeout'?: string | undefined;
}): Manner {
  const revision = spokenRevisions.find((one) => one === name);
  if (name !== undefined && !revision)
    throw new UserError(`--protocol-version must be one of: ${spokenRevisions.join(', ')}.`);
  const names = lacking.flatMap((one) => one.split(','));
  const without = readAbilities(names);
  if (names.some((one) => !without.some((ability) => ability === one)))
    throw new UserError(`--without must be one of: ${clientAbilities.join(', ')}.`);
  const added = more.flatMap((one) => one.split(','));
  const declared = declarableAbilities.filter((ability) => added.includes(ability));
  if (added.some((one) => !declared.some((ability) => ability === one)))
    throw new UserError(`--with must be one of: ${declarableAbilities.join(', ')}.`);
  const both = declared.find((ability) => without.includes(ability));
  if (both) throw new UserError(`Leave out one of --with ${both} and --without ${both}.`);
  return {
    ...(revision && { revision }),
    ...(without.length > 0 && { without }),
    ...(declared.length > 0 && { declared }),
    ...(connect !== undefined && {
      connectMs: durationOf('--connect-timeout', connect, longestConnectMs),
    }),
  };
}

/** What a terminal cannot do, and may say to servers that it can. */
export const declarableAbilities = [
  'apps',
  'sampling',
  'elicitation',
] as const satisfies readonly ClientAbility[];

type DeclarableAbility = (typeof declarableAbilities)[number];

const single = { type: 'string' } as const;
const several = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

/** The options of each command about how its servers are spoken to, and what they are given. */
export const ofServers = {
  config: single,
  env: several,
  header: several,
  cwd: single,
  'connect-timeout': single,
  ...ofSignIn,
  verbose: flag,
  'protocol-version': single,
  without: several,
  with: several,
} as const;

/** The options of a command that asks one server and may compare what it says, as `parseArgs` takes them. */
export const ofOneServer = {
  help: { ...flag, short: 'h' },
  server: several,
  ...ofServers,
  against: single,
  output: single,
  reporter: { ...single, default: 'dot' },
  summary: single,
} as const;

const ofOne: Readonly<Record<keyof typeof usage, readonly string[]>> = {
  test: ['update', 'variable'],
  check: ['strict', 'call-tools'],
};

function isCommand(text: string): text is keyof typeof usage {
  return Object.hasOwn(usage, text);
}

/** Options may stand before the command. */
function parse(args: readonly string[]) {
  const { values, positionals, tokens, launched } = readArguments(args, {
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      reporter: { type: 'string', default: 'dot' },
      output: { type: 'string' },
      summary: { type: 'string' },
      server: { type: 'string', multiple: true },
      variable: { type: 'string', multiple: true },
      update: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      'call-tools': { type: 'boolean', default: false },
      ...ofServers,
    },
    tokens: true,
  } as const);
  const [first = '', ...more] = positionals;
  const named = isCommand(first) ? first : undefined;
  const command = named ?? 'test';
  const other = command === 'test' ? ofOne.check : ofOne.test;
  const wrong = tokens.find((one) => one.kind === 'option' && other.includes(one.name));
  if (wrong?.kind === 'option') throw new UserError(`${command} has no option --${wrong.name}.`);
  return { values, command, files: named ? more : positionals, launched };
}

/** Splits the value of an option at its first `=`; throws a `UserError` if there is none. */
export function pair(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  // A value that is shown may be a secret.
  if (at <= 0) throw new UserError(`${option} needs NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Reads arguments up to the first `--`, behind which the command of a server stands; throws a `UserError` if they are not
 * what `config` says.
 */
export function readArguments<T extends ParseArgsConfig>(
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T>> & { readonly launched: readonly string[] | undefined } {
  const at = args.indexOf('--');
  const launched = at < 0 ? undefined : args.slice(at + 1);
  if (launched?.length === 0) throw new UserError('The command of the server belongs after "--".');
  try {
    return { ...parseArgs<T>({ ...config, args: args.slice(0, launched && at) }), launched };
  } catch (cause) {
    // What else Node says is of arguments that stand behind `--`.
    throw new UserError(errorMessage(cause).replace(/\. To specify .*/s, '.'), { cause });
  }
}

/**
 * Returns the names and launches of the servers that `--server` names, for which a name alone is that of a configured
 * one, and of the one behind `--`, which goes by the name of its program.
 */
export function serversOf(
  named: readonly string[] = [],
  launched?: readonly string[],
): [name: string, line: LaunchLine | undefined][] {
  const servers = named.map((text): [string, LaunchLine | undefined] =>
    text.includes('=') ? pair('--server', text) : [text, undefined],
  );
  const [program] = launched ?? [];
  if (program !== undefined) servers.push([basename(program, extname(program)), launched]);
  return servers;
}

/** What the command line says of what its servers are given. */
export type GivenValues = SignInValues & {
  readonly [K in 'env' | 'header']?: readonly string[] | undefined;
} & { readonly [K in 'config' | 'cwd']?: string | undefined };

function folderOf(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UserError(`--cwd must be a folder: ${path}`);
}

/** Reads what the command line gives its servers; throws a `UserError` if it is not written as it should be. */
export function givenOf({ env = [], header = [], config, cwd, ...signIn }: GivenValues): Given {
  const headers = header.map((text) => {
    const at = text.indexOf(':');
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    // A value that is shown may be a secret.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new UserError('--header needs "NAME: VALUE".');
    return [name, value] as const;
  });
  return {
    env: Object.fromEntries(env.map((text) => pair('--env', text))),
    headers: Object.fromEntries(headers),
    oauth: clientOf(signIn),
    config,
    ...(cwd !== undefined && { cwd: folderOf(cwd) }),
  };
}
