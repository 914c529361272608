import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { UserError, errorMessage } from '../src/base/errors';
import type { SecretMask } from '../src/base/secretMask';
import { redactText } from '../src/base/secrets';
import { inEnglish } from '../src/base/translate';
import { comparedPath } from '../src/base/uri/fileAddress';
import type { CallsServer } from '../src/calls/format/calls';
import { appMimeType } from '../src/contracts/toolApps';
import { rulesOf } from '../src/config/launch/kinds/rulesOf';
import { launchSecrets } from '../src/config/launch/launch';
import { mapTexts } from '../src/config/launch/launchTexts';
import { createExpand } from '../src/config/launch/variables';
import { folderFiles, maxConfigBytes } from '../src/config/places/folderFiles';
import { parseMcpJson } from '../src/config/places/mcpJson';
import { kindOf, parseServerConfig } from '../src/mcp/launch/launchKinds';
import { type ServerConfig, type ServerLimits, defaultLimits } from '../src/mcp/serverConfig';
import { isServerAddress } from '../src/mcp/transport/socketAddress';
import { readOwnFile } from '../src/mcp/node/files/fileAccess';
import { thisSystem } from '../src/mcp/node/system';
import { createNodePrograms } from '../src/mcp/node/nodePrograms';
import { readServerLimits } from '../src/mcp/launch/ownEntry';
import { createLimiter, neverAborted } from '../src/base/async';
import { type Logger, silentLogger } from '../src/base/log';
import type { CallsSession } from '../src/calls/session';
import { ConfiguredServer } from '../src/mcp/configuredServer';
import type { SessionWatch } from '../src/mcp/createServers';
import { signInAndStart } from '../src/mcp/auth/signIn';
import {
  RequestRefused,
  type ServerRequestHandlers,
  withUsualRoots,
} from '../src/mcp/protocol/serverRequests';
import { defaultRestarts } from '../src/mcp/lifecycle';
import { noMemory } from '../src/mcp/lists/catalog';
import { createNodeTransports } from '../src/mcp/node/nodeTransports';
import { version } from '../package.json';
import {
  type Given,
  givenOf,
  type GivenValues,
  type LaunchLine,
  type Manner,
  type Options,
  serversOf,
} from './options';
import { splitCommand, tell } from './terminal';
import { readGiven } from './givenFiles';
import { asOptions, signInAdvice, SignIns } from './signIn';

/** The options of a start. */
interface Opening {
  readonly verbose: boolean;
  /** Is told of what the server is given. */
  readonly secrets: SecretMask;
  /** Cancels the start. */
  readonly signal: AbortSignal;
  /** If omitted, nobody is asked to sign in. */
  readonly signIns?: SignIns;
  readonly watch?: SessionWatch;
  readonly manner?: Manner;
}

const noRoots: ServerRequestHandlers = { listRoots: () => Promise.resolve([]) };

/** Starts a server for one session only; rejects with a `UserError` that says why it is not running. */
export async function openServer(
  { name, config, limits }: LaunchableServer,
  {
    verbose,
    secrets,
    signal,
    signIns = new SignIns({ asks: false, secrets }),
    watch,
    manner = {},
  }: Opening,
): Promise<CallsSession> {
  secrets.hide(givenSecrets(config));
  const source = { label: 'command line' };
  const { declared = [], connectMs: initialize, ...spoken } = manner;
  const deadlines = { ...limits.deadlines, ...(initialize !== undefined && { initialize }) };
  const limited = { ...limits, deadlines };
  const definition = { id: name, name, config, limits: limited, source, ...spoken };
  const log = verbose ? terminalLogger(name, secrets) : silentLogger;
  const authorization = signIns.of(definition, log);
  const usual = { ...unanswered(declared), ...noRoots };
  const server = new ConfiguredServer(definition, {
    client: { name: 'mcp-workbench', version },
    requests: usual,
    openTransport: createNodeTransports(),
    launches: { prepare: () => Promise.resolve({ config }) },
    limiter: createLimiter(1),
    restarts: { ...defaultRestarts, maxRestarts: 0 },
    memory: noMemory,
    log,
    authorization,
    tracing: () => false,
    ...watch,
    ...(watch?.requests && {
      requests: { ...usual, ...withUsualRoots(watch.requests, noRoots) },
    }),
  });
  const end = async () => {
    await server.stop();
    server.dispose();
  };
  const start = () => server.start(signal);
  let outcome = await start();
  if (outcome.kind === 'needsSignIn' && authorization)
    outcome = await signInAndStart({ start }, authorization, { signal });
  if (outcome.kind === 'running')
    return {
      server,
      call: (tool, args, { signal: stop, meta, asTask }) =>
        server.callTool(tool, args, { signal: stop, meta, asTask }),
      end,
    };
  const { state } = server;
  const detail = state.kind === 'failed' && state.detail ? `\n${state.detail}` : '';
  await end();
  const reason = 'message' in outcome ? outcome.message : `It needs a sign-in. ${signInAdvice}`;
  throw new UserError(`The server "${name}" does not run: ${asOptions(reason)}${detail}`);
}

/** Returns what declares abilities that nothing here has; what a server then asks for is refused. */
function unanswered(declared: NonNullable<Manner['declared']>): ServerRequestHandlers {
  const has = (ability: (typeof declared)[number]) => declared.includes(ability);
  return {
    ...(has('apps') && { appTypes: () => [appMimeType] }),
    ...(has('sampling') && {
      createMessage: () => Promise.reject(new RequestRefused('Nobody is asked in a terminal.')),
    }),
    ...(has('elicitation') && { elicit: () => Promise.resolve({ action: 'cancel' as const }) }),
  };
}

/** True for the path of something that exists, which is no secret, and which a server says in many answers. */
export function isExistingPath(value: string): boolean {
  return isAbsolute(value) && existsSync(value);
}

/** Returns what a server is given that nobody may read in what it repeats. */
export function givenSecrets(config: ServerConfig): readonly string[] {
  return launchSecrets(config, config, process.env).filter((value) => !isExistingPath(value));
}

function terminalLogger(name: string, secrets: SecretMask): Logger {
  const write = (message: string) => tell(`[${name}] ${redactText(secrets.apply(message))}`);
  return { trace() {}, debug() {}, info: write, warn: write, error: write };
}

/** A server that can be launched, with nothing left to fill in. */
export interface LaunchableServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly limits: ServerLimits;
}

/** The closest first. */
const configurations = folderFiles(['mcpJson', 'vscode'], undefined).toReversed();

/** Finds out how to launch the server of a file; rejects with a `UserError` if nothing says so. */
export async function launchOf(
  server: CallsServer,
  folder: string,
  { servers, ...given }: Pick<Options, 'servers'> & Given,
): Promise<LaunchableServer> {
  if (server.kind === 'own') {
    const { config, limits } = server;
    return { name: 'server', config: await complete(config, folder), limits };
  }
  const { name } = server;
  const line = servers.get(name);
  if (line !== undefined) return { name, config: configOfLine(line, given), limits: defaultLimits };
  const { config } = given;
  const found = await (config === undefined
    ? findConfigured(name, folder)
    : findGiven(name, config));
  const isGiven = servers.has(name);
  return isGiven ? { ...found, config: withGiven(found.config, given) } : found;
}

/** Returns the configuration for what launches a server; throws a `UserError` if that is empty, or more than a URL. */
export function configOfLine(
  line: LaunchLine,
  given: Given = { env: {}, headers: {}, oauth: {} },
): ServerConfig {
  const isAddress = typeof line === 'string' && isServerAddress(line);
  const words = typeof line === 'string' && !isAddress ? splitCommand(line) : [line].flat();
  const [command = '', ...args] = words;
  if (command === '') throw new UserError('A server needs a command or a URL.');
  if (!isServerAddress(command))
    return withGiven({ type: 'stdio', command, args, env: {}, cwd: process.cwd() }, given);
  if (args.length > 0)
    throw new UserError(
      'Nothing may stand behind the URL of a server: options belong before "--".',
    );
  return withGiven({ type: 'http', url: command, headers: {} }, given);
}

/** Adds what the command line gives a server, headers and a client at a URL, and variables and a folder to a process. */
export function withGiven(config: ServerConfig, { env, headers, oauth, cwd }: Given): ServerConfig {
  if (!('url' in config)) return { ...config, env: { ...config.env, ...env }, ...(cwd && { cwd }) };
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = Object.entries(config.headers).filter(([name]) => !given.has(name.toLowerCase()));
  const isClient = Object.keys(oauth).length > 0;
  return {
    ...config,
    headers: { ...Object.fromEntries(others), ...headers },
    ...(isClient && { oauth: { ...config.oauth, ...oauth } }),
  };
}

/**
 * Finds out how to launch the one server that a command is about; rejects with a `UserError` if it names none or several,
 * or one that is not configured, or gives headers to a process.
 */
export async function launchOfServer(
  command: string,
  given: GivenValues & {
    readonly server?: string[];
    readonly launched?: readonly string[] | undefined;
  },
): Promise<LaunchableServer> {
  const { server, launched } = given;
  const [named, ...more] = serversOf(server, launched);
  if (!named || more.length > 0)
    throw new UserError(
      `${command} needs one server: --server NAME=COMMAND, or its command after "--".`,
    );
  const [name, line] = named;
  if (given.config !== undefined && line !== undefined)
    throw new UserError('--config is for --server NAME, without a command or a URL.');
  const options = { servers: new Map([[name, line]]), ...givenOf(given) };
  const launch = await launchOf({ kind: 'named', name }, process.cwd(), options);
  const option = (['header', 'sign-in', 'client-id'] as const).find((one) => given[one]);
  if (option && !('url' in launch.config))
    throw new UserError(`--${option} is for servers at a URL, and "${name}" is a process.`);
  if (given.cwd !== undefined && 'url' in launch.config)
    throw new UserError(`--cwd is for servers that are processes, and "${name}" is at a URL.`);
  return launch;
}

/**
 * Returns the folders that are searched, the closest first, and which of them are of the project: the first one, and those
 * up to the root of its repository. Windows tells of no owner, so above what is neither in a repository nor in the home
 * folder, nothing is searched there.
 */
export function searchedFolders(
  start: string,
  home = homedir(),
  isRepository = (folder: string) => existsSync(join(folder, '.git')),
  system = thisSystem(),
): readonly { readonly folder: string; readonly isOfProject: boolean }[] {
  const platform = system === 'win32' ? win32 : posix;
  const isHome = (folder: string) => comparedPath(folder) === comparedPath(home);
  const folders = [start];
  let top = start;
  while (!isRepository(top) && !isHome(top) && top !== platform.dirname(top)) {
    top = platform.dirname(top);
    folders.push(top);
  }
  const isInRepository = isRepository(top);
  if (system === 'win32' && !isInRepository && !isHome(top)) folders.length = 1;
  return folders.map((folder) => ({ folder, isOfProject: isInRepository || folder === start }));
}

/**
 * Looks for the server in the configuration files of a folder and the folders above it, up to that of the repository or
 * of the user.
 */
async function findConfigured(name: string, start: string): Promise<LaunchableServer> {
  for (const { folder, isOfProject } of searchedFolders(start)) {
    const project = isOfProject ? start : undefined;
    for (const file of configurations) {
      const path = join(folder, file.path);
      const text = await readFound(folder, file.path, name, project);
      if (text === undefined) continue;
      const found = await configuredIn(text, { ...file, name, path, folder });
      if (found) return found;
    }
  }
  const shown = redactText(name);
  throw new UserError(
    `No server is called "${shown}": it is in no ${configurations.map(({ path }) => path).join(' or ')} here or above, up to the root of the repository. Add it, or pass --server ${shown}="command".`,
  );
}

/** Reads a server of the configuration that the caller named; what it says of this folder is the working folder. */
async function findGiven(name: string, path: string): Promise<LaunchableServer> {
  const text = await readGiven(path, maxConfigBytes, neverAborted());
  const folder = process.cwd();
  const found = await configuredIn(text, { name, path, folder, timeUnit: 'ms' });
  if (!found) throw new UserError(`No server is called "${redactText(name)}" in ${path}.`);
  return found;
}

/** Reads a server of a configuration; `undefined` if it has none of this name. */
async function configuredIn(
  text: string,
  {
    name,
    path,
    folder,
    ...how
  }: Parameters<typeof parseMcpJson>[1] & {
    readonly name: string;
    readonly path: string;
    readonly folder: string;
  },
): Promise<LaunchableServer | undefined> {
  const { entries, problems } = parseMcpJson(text, how);
  const [problem] = problems;
  if (problem) throw new UserError(`${path} cannot be read: ${problem.message}`);
  const entry = entries.find((one) => one.name === name);
  if (!entry) return undefined;
  const parsed = parseServerConfig(entry.value);
  if ('problem' in parsed) throw new UserError(`${path}: "${name}": ${parsed.problem}`);
  const limits = readServerLimits(entry.value);
  return { name, config: await complete(parsed.config, folder), limits };
}

/** Reads a file of configuration that nobody has named: another account would decide by it what runs as this one. */
async function readFound(
  folder: string,
  path: string,
  name: string,
  project: string | undefined,
): Promise<string | undefined> {
  try {
    return await readOwnFile(folder, path, maxConfigBytes, { project });
  } catch (error) {
    throw new UserError(
      `${join(folder, path)} was not read: ${errorMessage(error)} Move it to a folder of your own, or pass --server ${name}="command".`,
      { cause: error },
    );
  }
}

/** Fills in variables and makes paths absolute. */
async function complete(config: ServerConfig, folder: string): Promise<ServerConfig> {
  const programs = createNodePrograms(() => Promise.resolve(process.env));
  const rules = rulesOf(config);
  const expand = createExpand({
    env: process.env,
    userHome: programs.home,
    pathSeparator: programs.separator,
    workspaceFolder: () => folder,
    input: (id) => Promise.resolve(inputOf(id)),
  });
  const completed = await rules.complete(await mapTexts(config, expand), {
    surroundings: { programs, inheritance: 'safe', isTrusted: true, folders: [] },
    base: () => folder,
    isOpen: () => false,
  });
  // No one can be asked here, but a lack of confinement must not go unmentioned.
  if (['none', 'part'].includes(kindOf(completed).confinement(completed) ?? ''))
    for (const warning of rules.warnings(completed, inEnglish)) tell(warning);
  return completed;
}

function inputOf(id: string): string {
  const variable = `MCP_INPUT_${id.replaceAll(/\W/g, '_').toUpperCase()}`;
  const value = process.env[variable];
  if (value === undefined)
    throw new UserError(
      `The input "${id}" has no value: set the environment variable ${variable}.`,
    );
  return value;
}
