import { posixQuoted } from '../../../base/text/text';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rmdir, unlink } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Timer } from '../../../base/async';
import { Emitter } from '../../../base/event';
import { asRecord } from '../../../base/json';
import { LastMinute } from '../../../base/pace';
import { parseObject } from '../../protocol/parseObject';
import {
  bridgeLine,
  bridgeVersion,
  maxAgentMessageBytes,
  maxAgentSessions,
  maxHttpConnections,
  maxRefusedPerMinute,
  maxUnreadBytes,
  type AgentChannel,
  type AgentDoor,
  type AgentHello,
  type AgentListener,
  type AgentPort,
} from '../../serving/agentPort';
import { realPath } from '../files/fileAccess';
import { LineFramer, writeLine } from '../lineFramer';
import { agentSocketFolder, isAgentSocket, isAlive, ownRuntime, thisSystem } from '../system';
import { makePrivateFolder, privateProgram, writePrivateFile } from '../files/privateFiles';
import { HeldRequests } from './bridgeSession';
import { readWindows, removeWindow, writeWindow } from './windowFiles';

/** A program that has not introduced itself by then is not one of ours. */
const helloMs = 5000;
/** An introduction has at most this many bytes. */
const maxHelloBytes = 8000;
/** The only path at which agents are answered over HTTP. */
const httpPath = '/mcp';

/** The longest that an agent may say of its own program, in UTF-16 units. */
const maxUserAgent = 200;

/** The longest path that every system takes for a socket. */
const longestSocketPath = 100;

/** Agents come through a socket in a folder that only this account can look into; on Windows, through a named pipe. */
export const agentPort: AgentPort = {
  async listen(folder, facts, door) {
    const agents = folder.fsPath;
    await makePrivateFolder(agents);
    await removeDead(agents);
    const id = randomUUID();
    const socket = await socketPath(id);
    const server = await open(socket, door);
    let latest = facts;
    const write = async () => {
      const folders = await Promise.all(latest.folders.map(realPath));
      await writeWindow(agents, id, { ...latest, folders, socket, pid: process.pid });
    };
    await write();
    return {
      update(now) {
        latest = now;
        return write();
      },
      dispose() {
        server.dispose();
        void removeWindow(agents, id).then(() => removeSocket(socket));
      },
    } satisfies AgentListener;
  },
  async listenHttp(wanted, door) {
    const refusals = new LastMinute(Date.now);
    const strangers = new Set<Socket>();
    const server = createHttpServer((message, response) => {
      const { port } = server.address() as AddressInfo;
      // Whoever asks has gone, or has not said all: there is nobody to tell.
      answerHttp(message, response, { door, refusals, port, strangers }).catch(() =>
        response.destroy(),
      );
    });
    keepRoom(server, strangers);
    await listening(server, wanted ?? 0);
    const { port } = server.address() as AddressInfo;
    return {
      port,
      url: `http://127.0.0.1:${port}${httpPath}`,
      dispose() {
        server.close();
        server.closeAllConnections();
      },
    };
  },
  async installBridge({ fsPath }, program) {
    await makePrivateFolder(fsPath);
    const bridge = join(fsPath, 'bridge.cjs');
    await writePrivateFile(bridge, program);
    const { command, env } = ownRuntime();
    if (thisSystem() === 'win32') return { command, args: [bridge], env };
    // The editor's own Node has another path after an update where it runs remotely, so that a script names it.
    const script = join(fsPath, 'mcp-workbench');
    const variables = Object.entries(env).map(([name, value]) => `${name}=${posixQuoted(value)} `);
    const text = `#!/bin/sh\n${variables.join('')}exec ${posixQuoted(command)} ${posixQuoted(bridge)} "$@"\n`;
    await writePrivateFile(script, text, privateProgram);
    return { command: script, args: [], env: {} };
  },
};

async function socketPath(id: string): Promise<string> {
  if (thisSystem() === 'win32') return `\\\\.\\pipe\\mcp-workbench-${id}`;
  const roomy =
    tmpdir().length + agentSocketFolder.length + 10 > longestSocketPath ? '/tmp' : tmpdir();
  // Made anew, under a name that nobody can know beforehand, and for this account alone.
  const folder = await mkdtemp(join(roomy, agentSocketFolder));
  await chmod(folder, 0o700);
  return join(folder, 's');
}

async function removeSocket(path: string): Promise<void> {
  if (thisSystem() === 'win32' || !isAgentSocket(path)) return;
  await unlink(path).catch(() => {});
  await rmdir(dirname(path)).catch(() => {});
}

/** Removes what windows left that were killed. */
async function removeDead(agents: string): Promise<void> {
  for (const { id, window } of await readWindows(agents)) {
    if (isAlive(window.pid)) continue;
    await removeWindow(agents, id);
    await removeSocket(window.socket);
  }
}

/** Listens at a path; those that are let in are served, all others are told so and hung up on. */
async function open(path: string, door: AgentDoor) {
  const refusals = new LastMinute(Date.now);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    // Whoever guesses secrets gets no further answers, and whoever floods no further sessions.
    if (refusals.count >= maxRefusedPerMinute || sockets.size >= maxAgentSessions)
      return void socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    receive(socket, door, () => void refusals.add());
  });
  await listening(server, path);
  return {
    dispose() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Listens at a path, or at a port of this machine. */
function listening(server: Server, at: string | number): Promise<void> {
  const where = typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' };
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(where, resolve);
    // An error later on must not end the process: agents look for another window.
    server.on('error', () => {});
  });
}

/** Waits for the introduction of a program, and hands over the connection of one that is let in. */
function receive(socket: Socket, door: AgentDoor, refused: () => void): void {
  const lines = new Emitter<string>();
  const closed = new Emitter<void>();
  const late = new Timer(() => refuse('late'));
  let state: 'waiting' | 'deciding' | 'open' = 'waiting';
  const held = new HeldRequests((line) => channel.send(line));
  const refuse = (why: string) => {
    refused();
    socket.end(`${JSON.stringify({ mcpWorkbench: bridgeVersion, refused: why })}\n`);
    socket.destroySoon();
  };
  const channel: AgentChannel = {
    onLine: lines.event,
    onDidClose: closed.event,
    send(...parts) {
      // An agent that does not read is not served any longer, rather than all that it should read kept.
      if (socket.writableLength > maxUnreadBytes) socket.destroy();
      if (!socket.destroyed) writeLine(socket, parts);
    },
    hold: (request) => held.hold(request),
    release: (request) => held.release(request),
    dispose: () => socket.destroy(),
  };
  const decide = async (line: string) => {
    state = 'deciding';
    late.dispose();
    const hello = readHello(line);
    const isIn = hello !== undefined && (await door.admits(hello).catch(() => false));
    if (socket.destroyed) return;
    if (!isIn) return refuse('unknown');
    socket.write(`${JSON.stringify({ mcpWorkbench: bridgeVersion, welcome: true })}\n`);
    if (hello.keepsHeld) held.begin();
    door.serve(hello, channel);
    state = 'open';
  };
  const onLine = (line: string) => {
    if (state === 'open') {
      if (line.startsWith(bridgeLine)) held.noteReleased(line);
      else lines.fire(line);
    } else if (state === 'waiting') void decide(line);
    else refuse('early');
  };
  const framer = new LineFramer(maxAgentMessageBytes, onLine, () => socket.destroy());
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // Nothing but an introduction is taken from somebody who has not been let in.
    if (state !== 'open' && bytes > maxHelloBytes) return refuse('long');
    framer.push(chunk);
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    late.dispose();
    closed.fire();
    held.end();
  });
  late.start(helloMs);
}

function readHello(line: string): AgentHello | undefined {
  const { mcpWorkbench, entry, secret, folder, program, pid, keepsHeld } = asRecord(
    parseObject(line),
  );
  if (mcpWorkbench !== bridgeVersion) return undefined;
  if (typeof entry !== 'string' || typeof secret !== 'string') return undefined;
  return {
    entry,
    secret,
    folder: typeof folder === 'string' ? folder : '',
    program: typeof program === 'string' ? program : '',
    pid: typeof pid === 'number' ? pid : 0,
    ...(keepsHeld === true && { keepsHeld }),
  };
}

interface HttpDoor {
  readonly door: AgentDoor;
  /** The bearers of the last minute that were none. */
  readonly refusals: LastMinute;
  readonly port: number;
  /** The connections that have shown no bearer of an entry, the oldest first. */
  readonly strangers: Set<Socket>;
}

/** Hangs up on the oldest stranger for a connection too many: no other account keeps agents out by connections of its own. */
function keepRoom(server: Server, strangers: Set<Socket>): void {
  const reached = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    for (const all of [reached, strangers]) {
      all.add(socket);
      socket.once('close', () => all.delete(socket));
    }
    if (reached.size <= maxHttpConnections) return;
    const [oldest = socket] = strangers;
    for (const all of [reached, strangers]) all.delete(oldest);
    oldest.destroy();
  });
}

/**
 * Answers one request over HTTP: of a program on this machine that names it as the host, is no page of another site, and
 * has the bearer of an entry. No page may read an answer, as no header of CORS is ever sent.
 */
async function answerHttp(
  message: IncomingMessage,
  response: ServerResponse,
  { door, refusals, port, strangers }: HttpDoor,
): Promise<void> {
  const { headers, method = '' } = message;
  if (!isOfThisMachine(headers, port)) return turnAway(message, response, 403);
  if (message.url !== httpPath) return turnAway(message, response, 404);
  if (!/^(?:GET|POST|DELETE)$/.test(method)) return turnAway(message, response, 405);
  const hello = readBearer(headers);
  if (!hello) return turnAway(message, response, 401);
  // Any account of this machine reaches the port: whoever has a bearer is not locked out by those who have none.
  if (!(await door.admits(hello).catch(() => false)))
    return turnAway(message, response, refusals.take(maxRefusedPerMinute) ? 401 : 429);
  strangers.delete(message.socket);
  const text = await readBody(message);
  if (text === undefined) return turnAway(message, response, 413);
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const request = new Request(`http://127.0.0.1:${port}${httpPath}`, {
    method,
    headers: plainHeaders(headers),
    signal: ended.signal,
    ...(method === 'POST' && { body: text }),
  });
  const asked = { request, body: parsed(text), ended: ended.signal };
  await send(await door.respond(hello, asked), response);
}

/** A page of another site that reaches this machine by a name of its own says so in one of these. */
function isOfThisMachine({ host = '', origin }: IncomingHttpHeaders, port: number): boolean {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  const isOwn = (one: string) => own.includes(one.toLowerCase());
  return isOwn(host) && (origin === undefined || isOwn(origin.replace(/^http:\/\//, '')));
}

function readBearer(headers: IncomingHttpHeaders): AgentHello | undefined {
  const { authorization = '', 'user-agent': program = '' } = headers;
  const [, entry, secret] = /^Bearer ([\da-f-]{36})\.([\w-]{1,100})$/i.exec(authorization) ?? [];
  if (entry === undefined || secret === undefined) return undefined;
  const claim = program.slice(0, maxUserAgent);
  return { entry, secret, folder: '', program: claim, pid: 0, isHttp: true };
}

/** Answers with a status alone; what else was sent is not kept, and read so that whoever sends it reads the answer. */
function turnAway(message: IncomingMessage, response: ServerResponse, status: number): void {
  response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end();
  message.resume();
}

/** Reads all that is sent; `undefined` if it is too much. */
async function readBody(message: IncomingMessage): Promise<string | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > maxAgentMessageBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = message.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const chunk of read) {
    bytes += chunk.length;
    if (bytes > maxAgentMessageBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function plainHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const { status, headers } = answer;
  const body: ReadableStream<Uint8Array> | null = answer.body;
  response.writeHead(status, Object.fromEntries(headers));
  response.flushHeaders();
  if (!body) return void response.end();
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  if (response.destroyed) return stop();
  response.once('close', stop);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // An agent that does not read is not served any longer, rather than all that it should read kept.
    if (response.writableLength > maxUnreadBytes) return void response.destroy();
    response.write(value);
  }
  response.end();
}
