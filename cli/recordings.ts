import { spawn } from 'node:child_process';
import { errorMessage, UserError } from '../src/base/errors';
import { parseJson } from '../src/base/json';
import { silentLogger } from '../src/base/log';
import { AnnouncedRefresh, type RefreshPace } from '../src/base/pace';
import type { Mask, SecretMask } from '../src/base/secretMask';
import { looksSecret } from '../src/base/secrets';
import { addressLabel } from '../src/base/text/address';
import { secretsOfArguments } from '../src/mcp/launch/commandArguments';
import { isWorthHiding, namedValues } from '../src/config/launch/launchValues';
import {
  maxRecordedMessages,
  maxRecordingLength,
  type MaskedIds,
  recordedMessage,
  type RecordedMessage,
  recordingExtension,
  type Recording,
  recordingText,
} from '../src/calls/recording/recording';
import { Replay, type ReplayChannel } from '../src/calls/recording/replayRecording';
import { type FileReport, dotOf, exitCodeOf } from '../src/calls/report/report';
import type { StepResult } from '../src/calls/runCalls';
import { httpStatus } from '../src/mcp/protocol/errorFacts';
import { createNodeTransports } from '../src/mcp/node/nodeTransports';
import { locateCommand } from '../src/mcp/node/commands/findCommand';
import { programStart, type ProgramStart } from '../src/mcp/node/processes/programStart';
import type { Environment } from '../src/mcp/platform';
import { type System, thisSystem } from '../src/mcp/node/system';
import { type ServerConfig, defaultLimits } from '../src/mcp/serverConfig';
import { configOfLine, givenSecrets, isExistingPath, openServer } from './launch';
import {
  givenOf,
  type GivenValues,
  type LaunchLine,
  ofServers,
  readArguments,
  reporterOf,
} from './options';
import { tell } from './terminal';
import { ofSignIn, signInAdvice, signInUsage, SignIns } from './signIn';
import { writeOutput } from './givenFiles';
import { markPrinter, writeReports } from './runTest';
import { onLines, readRecording, serveRecording } from './serveRecording';

/** The texts that `--help` prints for the commands that are about recordings. */
export const recordingUsage = {
  record: `Usage: mcp-workbench record [options] -- COMMAND [arguments]

Runs an MCP server, passes everything on unchanged, and saves the session as a recording when it ends.

  --output FILE   the file, replaced if it exists; else a new one in this folder
  --name NAME     the name of the server in the recording

Secrets are masked by their names and forms, as are those that its arguments and variables have; read the file before you share it.
`,
  serve: `Usage: mcp-workbench serve FILE [options]

Answers on stdin and stdout like the server that was recorded.

  --no-delays     answer at once, without the recorded waits
`,
  replay: `Usage: mcp-workbench replay FILE --against COMMAND [options]
       mcp-workbench replay FILE [options] -- COMMAND [arguments]

Sends the requests of a recording to a server, and says which answers are not as recorded.

  --against COMMAND       the command line, or the URL, of the server
  --reporter dot|json|junit
  --output FILE           write the report there, and dots to the terminal
  --summary FILE          add a summary in Markdown
  --env NAME=VALUE        for the server: of the environment here it gets only what starts programs
  --cwd FOLDER            start the server in this folder
  --header "NAME: VALUE"  for a server at a URL
${signInUsage}
Exit code: 0 all answers are as recorded, 1 some are not, 2 it could not be run.
`,
} as const;

/** Runs `record`, `serve` or `replay`; resolves with the exit code. */
export async function runRecordings(
  command: keyof typeof recordingUsage,
  args: readonly string[],
  secrets: SecretMask,
  signal: AbortSignal,
): Promise<number> {
  const { values, positionals, launched } = parse(command, args);
  if (values.help) {
    process.stdout.write(recordingUsage[command]);
    return 0;
  }
  const [file, more] = positionals;
  if (command === 'record') {
    if (file !== undefined || !launched)
      throw new UserError('The command of the server belongs after "--".');
    return record(launched, { ...values, secrets }, signal);
  }
  if (file === undefined || more !== undefined || (launched && command === 'serve'))
    throw new UserError(`${command} needs one FILE.`);
  const recording = await readRecording(file, signal);
  if (command === 'serve') {
    await serveRecording(recording, { delays: !values['no-delays'] }, signal);
    return 0;
  }
  const against = values.against ?? launched;
  if (against === undefined || (values.against !== undefined && launched))
    throw new UserError('replay needs one server: --against COMMAND, or its command after "--".');
  return replay(file, recording, { ...values, against, secrets }, signal);
}

function parse(command: keyof typeof recordingUsage, args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const all = {
    help: { ...flag, short: 'h' },
    output: text,
    name: text,
    'no-delays': flag,
    against: text,
    reporter: { ...text, default: 'dot' },
    summary: text,
    env: ofServers.env,
    header: ofServers.header,
    cwd: ofServers.cwd,
    ...ofSignIn,
  } as const;
  const given = ['env', 'header', 'cwd', ...Object.keys(ofSignIn)];
  const known = {
    record: ['help', 'output', 'name'],
    serve: ['help', 'no-delays'],
    replay: ['help', 'against', 'reporter', 'output', 'summary', ...given],
  }[command];
  const parsed = readArguments(args, {
    allowPositionals: true,
    options: all,
    tokens: true,
  } as const);
  const other = parsed.tokens.find((one) => one.kind === 'option' && !known.includes(one.name));
  if (other?.kind === 'option') throw new UserError(`${command} has no option --${other.name}.`);
  return parsed;
}

/** Collects the messages of a session, as far as they fit into a recording. */
class Recorder {
  readonly messages: RecordedMessage[] = [];
  private readonly began = performance.now();
  private length = 0;
  /** How many lines are missing because they were no messages or too much. */
  left = 0;
  private readonly mask: Mask;
  private readonly ids: MaskedIds = new Map();

  /** @param mask removes the known secrets */
  constructor(mask: Mask) {
    this.mask = mask;
  }

  take(from: RecordedMessage['from'], line: string): void {
    const message = parseJson(line);
    this.length += line.length;
    for (const one of Array.isArray(message) ? message : [message]) {
      const fits =
        this.messages.length < maxRecordedMessages && this.length < maxRecordingLength / 2;
      const ms = performance.now() - this.began;
      const recorded = fits ? recordedMessage(from, ms, one, this.mask, this.ids) : undefined;
      if (recorded) this.messages.push(recorded);
      else if (line.trim() !== '') this.left += 1;
    }
  }

  /** Counts a line that is too long to be recorded. */
  leaveOut(): void {
    this.left += 1;
  }
}

/** Returns what the system is asked to start, so that also a script such as `npx.cmd` runs with its arguments. */
export async function startOf(
  command: string,
  args: readonly string[],
  env: Environment,
  system: System,
): Promise<ProgramStart> {
  return programStart(await locateCommand({ command }, env, env, system), args, env, system);
}

/** The shortest word or number that is masked: a shorter one may be in any message. */
const shortestSecret = 8;

/**
 * Returns the secrets in the command line and the variables of a server, as far as they can be told from the other texts
 * of its messages; variables are only those that look like secrets, and not such as `isPath` knows.
 */
export function launchSecrets(
  [command = '', ...args]: readonly string[],
  env: Environment,
  isPath = isExistingPath,
): readonly string[] {
  const given = secretsOfArguments(args, command).filter(
    (value) => value.length >= shortestSecret || isWorthHiding('', value),
  );
  const inherited = namedValues(
    env,
    (name, value) => looksSecret(name) && value.length >= shortestSecret && !isPath(value),
  );
  return [...given, ...inherited];
}

/** How long a server that is recorded has to end after an interrupt, in milliseconds. */
const endMs = 5000;

/** How soon what was recorded is in the file: whoever runs this may end it without notice, as clients do on Windows. */
const keepPace: RefreshPace = {
  quiet: { firstMs: 500, longestMs: 10_000 },
  stormMs: 5000,
  restlessMs: 500,
};

async function record(
  [command = '', ...args]: readonly string[],
  {
    output,
    name = command,
    secrets,
  }: {
    readonly output?: string | undefined;
    readonly name?: string | undefined;
    readonly secrets: SecretMask;
  },
  signal: AbortSignal,
): Promise<number> {
  const recorded = new Date().toISOString();
  secrets.hide(launchSecrets([command, ...args], process.env));
  const recorder = new Recorder((text) => secrets.apply(text));
  const { messages } = recorder;
  const file = output ?? `${recorded.replaceAll(/[:.]/g, '-')}${recordingExtension}`;
  const write = () =>
    writeOutput(file, recordingText({ server: name, recorded, rules: [], messages }), 'replace');
  let kept = Promise.resolve();
  // What fails is said at the end, where it fails again.
  const keep = new AnnouncedRefresh(() => (kept = write().catch(() => {})), keepPace);
  const take = (from: RecordedMessage['from']) => (line: string) => {
    recorder.take(from, line);
    keep.announce();
  };
  const start = await startOf(command, args, process.env, thisSystem());
  const child = spawn(start.command, start.args, {
    windowsVerbatimArguments: start.windowsVerbatimArguments,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const leaveOut = () => recorder.leaveOut();
  const endInput = onLines(process.stdin, take('client'), leaveOut);
  onLines(child.stdout, take('server'), leaveOut);
  process.stdin.once('end', () => void keep.refresh());
  process.stdin.pipe(child.stdin);
  child.stdout.pipe(process.stdout);
  // Whoever is gone no longer listens: the other end says why.
  for (const stream of [child.stdin, process.stdout]) stream.on('error', () => {});
  const end = () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), endMs).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit ?? 1));
  });
  process.stdin.destroy();
  endInput();
  keep.dispose();
  await kept;
  await write();
  const { left } = recorder;
  const missing = left > 0 ? ` ${left} lines are not in it.` : '';
  tell(`Recorded ${messages.length} messages in ${file}.${missing}`);
  return code;
}

async function replay(
  path: string,
  recording: Recording,
  options: GivenValues & {
    readonly against: LaunchLine;
    readonly reporter: string;
    readonly output?: string | undefined;
    readonly summary?: string | undefined;
    readonly secrets: SecretMask;
  },
  signal: AbortSignal,
): Promise<number> {
  const { output, summary, secrets } = options;
  const reporter = reporterOf(options.reporter);
  const printMark = markPrinter({ reporter, output });
  const began = performance.now();
  const results: StepResult[] = [];
  const report = (): FileReport => ({
    path,
    results,
    problems: [],
    durationMs: performance.now() - began,
  });
  const take = (result: StepResult) => {
    results.push(result);
    printMark(dotOf(result));
  };
  let files: readonly FileReport[];
  try {
    const config = configOfLine(options.against, givenOf(options));
    secrets.hide(givenSecrets(config));
    const signIns = new SignIns({ asks: options['sign-in'] === true, secrets });
    if (signIns.asks) await signInFirst(config, { verbose: false, secrets, signal, signIns });
    const refused = new AbortController();
    const either = AbortSignal.any([signal, refused.signal]);
    await withServer(config, signIns, (channel) =>
      new Replay(recording, signedIn(channel, config, refused)).run(either, take),
    );
    files = [report()];
  } catch (error) {
    files = [{ ...report(), error: errorMessage(error) }];
  }
  await writeReports(files, { reporter, output, summary, secrets });
  return signal.aborted ? 2 : exitCodeOf(files);
}

/** Gives up a server that needs a sign-in at its first refusal: it would refuse everything. */
function signedIn(
  channel: ReplayChannel,
  config: ServerConfig,
  refused: AbortController,
): ReplayChannel {
  const send = channel.send.bind(channel);
  return Object.assign(channel, {
    send: (message: Parameters<typeof send>[0]) =>
      send(message).catch((error: unknown) => {
        if (httpStatus(error) !== 401) throw error;
        const where = 'url' in config ? addressLabel(config.url) : 'The server';
        refused.abort(new UserError(`${where} needs a sign-in. ${signInAdvice}`));
        return new Promise<void>(() => {});
      }),
  });
}

/** Signs in to a server in a session of its own: that of a recording has no requests but its own. */
async function signInFirst(
  config: ServerConfig,
  how: Parameters<typeof openServer>[1],
): Promise<void> {
  const session = await openServer({ name: 'server', config, limits: defaultLimits }, how);
  await session.end();
}

/** Opens a connection to a server, and ends it when what is done with it has ended. */
async function withServer(
  config: ServerConfig,
  signIns: SignIns,
  use: (channel: ReplayChannel) => Promise<unknown>,
): Promise<void> {
  const definition = {
    id: 'server',
    name: 'server',
    config,
    limits: defaultLimits,
    source: { label: 'command line' },
  };
  const open = createNodeTransports();
  const maxMessageBytes = defaultLimits.maxMessageBytes;
  const authorization = signIns.of(definition, silentLogger);
  const context = { definition, log: silentLogger, maxMessageBytes, authorization };
  const [way] = await open(config, context);
  if (!way) throw new UserError('The server cannot be reached.');
  const transport = way();
  const { channel } = transport;
  const used: ReplayChannel = {
    send: (message) => channel.send(message as Parameters<typeof channel.send>[0]),
    onMessage: () => {},
    onEnd: () => {},
    setProtocolVersion: (version) => channel.setProtocolVersion?.(version),
  };
  channel.onmessage = (message) => used.onMessage(message);
  channel.onclose = () => used.onEnd();
  await channel.start();
  try {
    await use(used);
  } finally {
    await transport.close();
  }
}
