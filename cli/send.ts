import { createInterface } from 'node:readline';
import { errorMessage, isCancellation, UserError } from '../src/base/errors';
import type { Mask, SecretMask } from '../src/base/secretMask';
import { asRecord, isList, type JsonRecord, ownValue, recordsOf } from '../src/base/json';
import { inEnglish } from '../src/base/translate';
import type { CallsSession } from '../src/calls/session';
import { maxCursorLength, maxListLength, maxPages } from '../src/mcp/lists/loadList';
import { readWrittenObject } from '../src/mcp/protocol/inexactNumber';
import { findRpcError } from '../src/mcp/protocol/rpcError';
import {
  entryNamed,
  metaProblem,
  type Json,
  type JsonObject,
  type Progress,
} from '../src/mcp/protocol/types';
import type { Server } from '../src/mcp/server';
import { sessionInfo } from '../src/mcp/serverState';
import { longestTtl, needsTask } from '../src/mcp/session/session';
import { TrafficRecorder } from '../src/mcp/traffic/trafficRecorder';
import { launchOfServer, openServer } from './launch';
import { loadOf, measure, ofLoad } from './load';
import {
  durationOf,
  jsonOrText,
  mannerOf,
  ofOneServer,
  ofServers,
  pair,
  readArguments,
  startUsage,
  withUsage,
} from './options';
import { jsonOf, splitCommand, tell, tellJson } from './terminal';
import { signInUsage, SignIns } from './signIn';

/** The text that `send --help` prints. */
export const sendUsage = `Usage: mcp-workbench send METHOD [NAME] [options] -- COMMAND [arguments]
       mcp-workbench send METHOD [NAME] --server NAME[=COMMAND] [options]

Sends one request to a server and prints the result as JSON, as it came but for secrets that the server was given.

  mcp-workbench send tools/list -- node server.js
  mcp-workbench send tools/call add --arg a=1 --arg b=2 -- node server.js
  mcp-workbench send prompts/get greet --arg name=Ada --server demo="node server.js"
  mcp-workbench send resources/read note://1 --server demo
  mcp-workbench send completion/complete greet --arg name=A --server demo
  mcp-workbench send - --server demo < requests.txt
  mcp-workbench send my/method --params '{"key": 1}' --server demo=https://example.com/mcp

METHOD is any method, also one that only the server knows; one that begins with "notifications/" is sent without waiting.
The pages of a list are put together. "initialize" prints what the server said of itself at its start.
NAME is the tool, the prompt or the URI that the method is about.
With "-" in their place, each line of stdin is a request (METHOD [NAME] and the options of a request), all in one session.

  --server NAME=COMMAND   the server; a URL connects instead, and without "=" it is that of .vscode/mcp.json or
                          .mcp.json of this folder or one above
  --arg NAME=VALUE        an argument: JSON, or text where it is none or the tool's schema has text
  --meta NAME=VALUE       a field of "_meta": JSON, or text where it is none
  --params JSON           further parameters
  --raw                   print texts, or the bytes of one image, sound or file, as they are
  --repeat TIMES          send it so often and print how long that took, and what failed, in place of the result
  --for TIME              the same for so long, such as 30s or 5m, and a million times at most; with --repeat, until the first
  --at-once COUNT         with these: so many at a time, in place of one after another
  --rate COUNT            with these: no more than so many a second, such as 20 or 0.5
  --task-ttl TIME         for tools/call as a task (2025-11-25): how long the server is to keep the result, such as 60s
  --config FILE           the servers of this file, in place of .vscode/mcp.json and .mcp.json
  --env NAME=VALUE        for the server: of the environment here it gets only what starts programs
${startUsage}  --header "NAME: VALUE"  for a server at a URL
${signInUsage}  --protocol-version V    speak this revision of the protocol alone
  --without ABILITY       be a client without roots, tasks, apps or extensions
${withUsage}  --verbose               show what the server logs, and its progress

Nothing is asked: what the server asks for is refused. Exit code: 0 there is a result, 1 the server or the tool says that it
failed, 2 it could not be sent.
`;

interface Request {
  readonly method: string;
  /** The tool, the prompt or the URI. */
  readonly name: string | undefined;
  /** For how many milliseconds the result of a task is to be kept. */
  readonly taskTtl?: number | undefined;
  readonly args: readonly (readonly [name: string, value: string])[];
  readonly params: JsonObject;
}

/** Runs `send`; resolves with the exit code. */
export async function runSend(
  args: readonly string[],
  secrets: SecretMask,
  signal: AbortSignal,
): Promise<number> {
  const { values, positionals, launched } = parse(args);
  if (values.help) {
    process.stdout.write(sendUsage);
    return 0;
  }
  const request = positionals[0] === '-' ? undefined : requestOf(positionals, values);
  const manner = mannerOf(values);
  const load = loadOf(values);
  if (load && !request) throw new UserError('With "-", leave out --repeat and --for.');
  const ofLines = [positionals[1], values.arg, values.meta, values.params, values['task-ttl']];
  if (!request && ofLines.some((one) => one !== undefined))
    throw new UserError(
      'With "-", each line has its own NAME, --arg, --meta, --params and --task-ttl.',
    );
  const { verbose, raw } = values;
  const launch = await launchOfServer('send', { ...values, launched });
  const mask = (text: string) => secrets.apply(text);
  const traffic = new TrafficRecorder((text) => text);
  const session = await openServer(launch, {
    verbose,
    secrets,
    signal,
    signIns: new SignIns({ asks: values['sign-in'], secrets }),
    manner,
    // What would be kept of thousands of requests takes time of its own.
    ...(!load && { watch: { traffic } }),
  });
  const onProgress = verbose
    ? (one: Progress) => tell(mask(progressText(launch.name, one)))
    : undefined;
  const options = { signal, ...(onProgress && { onProgress }) };
  const sendOne = (one: Request) => send(session, one, traffic, options);
  const printOne = (one: Request, isRaw: boolean) => print(() => sendOne(one), isRaw, mask);
  try {
    if (!request) return await sendLines(raw, printOne, mask, signal);
    if (!load) return await printOne(request, raw);
    const { figures, isCut } = await measure(load, session, () => sendOne(request), signal);
    process.stdout.write(`${jsonOf(figures, mask)}\n`);
    return figures.failed > 0 || isCut ? 1 : 0;
  } finally {
    await session.end();
  }
}

/** Sends a request and prints what came; resolves with the exit code, and rejects if nothing came back. */
async function print(
  sendOne: () => Promise<JsonRecord | undefined>,
  isRaw: boolean,
  mask: Mask,
): Promise<number> {
  try {
    const result = await sendOne();
    if (result === undefined) return 0;
    process.stdout.write(isRaw ? rawOf(result, mask) : `${jsonOf(result, mask)}\n`);
    return result['isError'] === true ? 1 : 0;
  } catch (error) {
    const answered = isCancellation(error) ? undefined : findRpcError(error);
    if (!answered) throw error;
    tell(mask(`${errorMessage(error)} (${answered.code})`));
    if (answered.data !== undefined) tellJson({ data: answered.data }, mask);
    return 1;
  }
}

/** Sends the requests on stdin, one a line, in one session; resolves with the worst exit code of all. */
async function sendLines(
  raw: boolean,
  printOne: (request: Request, isRaw: boolean) => Promise<number>,
  mask: Mask,
  signal: AbortSignal,
): Promise<number> {
  let worst = 0;
  let at = 0;
  for await (const line of createInterface({ input: process.stdin, signal })) {
    at += 1;
    if (/^\s*(?:#|$)/.test(line)) continue;
    try {
      const { values, positionals } = readArguments(splitCommand(line), {
        allowPositionals: true,
        options: ofRequest,
      });
      worst = Math.max(worst, await printOne(requestOf(positionals, values), values.raw || raw));
    } catch (error) {
      signal.throwIfAborted();
      tell(mask(`Line ${at}: ${errorMessage(error)}`));
      worst = 2;
    }
  }
  signal.throwIfAborted();
  return worst;
}

/** The options of one request, as `parseArgs` takes them. */
const ofRequest = {
  arg: { type: 'string', multiple: true },
  meta: { type: 'string', multiple: true },
  params: { type: 'string' },
  raw: { type: 'boolean', default: false },
  'task-ttl': { type: 'string' },
} as const;

function parse(args: readonly string[]) {
  const { help, server } = ofOneServer;
  const options = { help, server, ...ofServers, ...ofRequest, ...ofLoad } as const;
  return readArguments(args, { allowPositionals: true, options });
}

/** What each method calls the thing that it is about. */
const subjects: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
  'skills/get': 'uri',
  'logging/setLevel': 'level',
  'completion/complete': 'ref',
};

function requestOf(
  [method, name, more]: readonly string[],
  {
    arg = [],
    meta = [],
    params,
    'task-ttl': ttl,
  }: {
    readonly arg?: string[];
    readonly meta?: string[];
    readonly params?: string | undefined;
    readonly 'task-ttl'?: string | undefined;
  },
): Request {
  if (method === undefined || more !== undefined)
    throw new UserError('send needs one METHOD, and at most one NAME after it.');
  const subject = ownValue(subjects, method);
  if (name !== undefined && subject === undefined)
    throw new UserError(`${method} has no NAME: write its parameters with --params.`);
  const read =
    params === undefined
      ? { object: {} }
      : readWrittenObject(params, inEnglish, '--params must be a JSON object.');
  if ('problem' in read) throw new UserError(read.problem);
  const isNamed = name !== undefined || (subject !== undefined && subject in read.object);
  if (subject !== undefined && !isNamed) throw new UserError(`${method} needs a NAME.`);
  const args = arg.map((text) => pair('--arg', text));
  if (ttl !== undefined && method !== 'tools/call')
    throw new UserError('--task-ttl is for tools/call.');
  const taskTtl = ttl === undefined ? undefined : durationOf('--task-ttl', ttl, longestTtl);
  return { method, name, args, taskTtl, params: withMeta(read.object, meta) };
}

/** Adds fields to the `_meta` of parameters, none of which is the client's own. */
function withMeta(params: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return params;
  const given = fields.map((text): readonly [string, Json] => {
    const [name, value] = pair('--meta', text);
    return [name, jsonOrText(value)];
  });
  const problem = metaProblem(Object.fromEntries(given), inEnglish);
  if (problem !== undefined) throw new UserError(problem);
  const { _meta = {} } = params;
  return { ...params, _meta: { ...(asRecord(_meta) as JsonObject), ...Object.fromEntries(given) } };
}

type Sending = Parameters<Server['sendRequest']>[2] & { readonly signal: AbortSignal };

/** Sends a request and returns its result as it came; `undefined` for a notification. */
async function send(
  { server }: CallsSession,
  request: Request,
  traffic: TrafficRecorder,
  options: Sending,
): Promise<JsonRecord | undefined> {
  const { method } = request;
  const params = paramsOf(request, server);
  if (method === 'initialize') {
    const { implementation: serverInfo, ...info } = asRecord(sessionInfo(server.state));
    return { ...info, serverInfo };
  }
  if (method.startsWith('notifications/')) {
    await server.sendNotification(method, params);
    return undefined;
  }
  if (method !== 'tools/call') return wholeList(server, method, params, options);
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== 'string') throw new UserError('The name of a tool must be text.');
  const { taskTtl } = request;
  if (taskTtl !== undefined && !runsAsTask(server, name))
    throw new UserError(`"${name}" does not run as a task here: leave out --task-ttl.`);
  const given = {
    ...options,
    asTask: taskTtl,
    ...(meta !== undefined && { meta: asRecord(meta) }),
  };
  const read = await server.callTool(name, asRecord(args) as JsonObject, given);
  const sent = traffic.entries.findLast((one) => one.method === method);
  const answer = sent?.answer && !sent.answer.isCut ? asRecord(sent.answer.value) : {};
  const result = asRecord(answer['result']);
  // What became a task has its result elsewhere.
  return isList(result['content']) ? result : { ...read };
}

function runsAsTask({ tools, state }: Server, name: string): boolean {
  const [tool, info] = [entryNamed(tools, name), sessionInfo(state)];
  return tool !== undefined && info !== undefined && needsTask(tool, info);
}

/** Sends a request, and again for each further page of a list. */
async function wholeList(
  server: Server,
  method: string,
  params: JsonObject,
  options: Sending,
): Promise<JsonRecord> {
  const first = await server.sendRequest(method, params, options);
  if (!method.endsWith('/list') || 'cursor' in params) return first;
  const whole = new Map<string, unknown>();
  const add = (page: JsonRecord) => {
    whole.delete('nextCursor');
    for (const [field, value] of Object.entries(page)) {
      const list = whole.get(field);
      if (!isList(value)) whole.set(field, value);
      else if (Array.isArray(list)) for (const one of value) list.push(one);
      else whole.set(field, [...value]);
    }
  };
  add(first);
  const seen = new Set<string>();
  let length = 0;
  for (;;) {
    const cursor = whole.get('nextCursor');
    if (typeof cursor !== 'string' || cursor === '') break;
    const isEndless = seen.has(cursor) || seen.size >= maxPages || length > maxListLength;
    if (isEndless || cursor.length > maxCursorLength) {
      tell(`The list does not end: cut after ${seen.size + 1} pages.`);
      break;
    }
    seen.add(cursor);
    const page = await server.sendRequest(method, { ...params, cursor }, options);
    length += JSON.stringify(page).length;
    add(page);
  }
  return Object.fromEntries(whole);
}

function paramsOf({ method, name, args, params }: Request, server: Server): JsonObject {
  const subject = ownValue(subjects, method);
  const about = subject !== undefined && name !== undefined ? { [subject]: name } : {};
  if (method === 'completion/complete') return { ...completionOf(name, args), ...params };
  if (args.length === 0) return { ...about, ...params };
  const tool = method === 'tools/call' && name !== undefined && entryNamed(server.tools, name);
  const properties = asRecord(tool ? tool.inputSchema['properties'] : undefined);
  const valueOf = (one: string, text: string): Json =>
    // Arguments of prompts are always texts.
    method === 'prompts/get' || asRecord(ownValue(properties, one))['type'] === 'string'
      ? text
      : jsonOrText(text);
  const values = Object.fromEntries(args.map(([one, text]) => [one, valueOf(one, text)]));
  const takesArguments = method === 'tools/call' || method === 'prompts/get';
  return takesArguments
    ? { ...about, arguments: values, ...params }
    : { ...about, ...values, ...params };
}

/** The last argument is completed, those before it are known already. */
function completionOf(name: string | undefined, args: Request['args']): JsonObject {
  const [argument, value = ''] = args.at(-1) ?? [];
  const known = Object.fromEntries(args.slice(0, -1));
  const isUri = name !== undefined && /[{:]/.test(name);
  return {
    ...(name !== undefined && {
      ref: isUri ? { type: 'ref/resource', uri: name } : { type: 'ref/prompt', name },
    }),
    ...(argument !== undefined && { argument: { name: argument, value } }),
    ...(args.length > 1 && { context: { arguments: known } }),
  };
}

/** Returns the texts of a result, or the bytes of its only block; throws a `UserError` if there is neither. */
function rawOf(result: JsonRecord, mask: Mask): string | Buffer {
  const { content, contents, messages } = result;
  const blocks = [content, contents, recordsOf(messages).map((one) => one['content'])]
    .flatMap(recordsOf)
    .map((block) => (block['type'] === 'resource' ? asRecord(block['resource']) : block));
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const bytes = blocks.flatMap(({ data, blob }) => [data, blob]).filter(isText);
  const [only] = bytes;
  if (texts.length === 0 && bytes.length === 1 && only !== undefined)
    return Buffer.from(only, 'base64');
  if (texts.length === 0 || bytes.length > 0)
    throw new UserError('With --raw, a result must be texts alone, or one image, sound or file.');
  const text = mask(texts.join('\n'));
  return text.endsWith('\n') ? text : `${text}\n`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function progressText(name: string, { progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `[${name}] ${amount}${message === undefined ? '' : ` · ${message}`}`;
}
