import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ScriptedError, silence, type Script, type WireMessage } from './scriptedTransport';

/** A request as it arrived. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly message?: WireMessage;
}

/** Answers an HTTP request in place of the server; false leaves it to the server. */
export type Intercept = (
  request: HttpRequest,
  response: ServerResponse,
) => boolean | Promise<boolean>;

/** A server over HTTP that follows a script: streamable HTTP with sessions, or HTTP+SSE. */
export class ScriptedHttpServer {
  readonly requests: HttpRequest[] = [];
  /** The open streams that carry the server's own messages. */
  readonly streams = new Set<ServerResponse>();
  scripts: Readonly<Record<string, Script>>;
  /** How answers are sent: as JSON, or as a stream of events. */
  answers: 'json' | 'stream' = 'json';
  intercept: Intercept = () => false;
  /** The response to an unknown session. */
  unknownSession: { readonly status: number; readonly body: string } = { status: 404, body: '' };

  private readonly kind: 'streamable' | 'sse';
  private readonly sessions = new Set<string>();
  private readonly waiting = new Set<() => void>();
  private server: Server | undefined;
  private count = 0;

  constructor(
    scripts: Readonly<Record<string, Script>>,
    kind: 'streamable' | 'sse' = 'streamable',
  ) {
    this.scripts = scripts;
    this.kind = kind;
  }

  /** Listens on `port`, or on a free port if it is 0, and resolves with the URL. */
  start(port = 0): Promise<string> {
    const server = createServer((request, response) => {
      void this.take(request, response);
    });
    this.server = server;
    return new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${this.port}/mcp`));
    });
  }

  get port(): number {
    const address = this.server?.address() as AddressInfo | null | undefined;
    if (!address) throw new Error('The server does not listen.');
    return address.port;
  }

  /** Closes every connection and stops listening. */
  stop(): Promise<void> {
    const { server } = this;
    return new Promise((resolve) => {
      if (!server) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Forgets every session, like a server that was restarted. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  /** Breaks off the streams that carry the server's own messages. */
  breakStreams(): void {
    for (const stream of this.streams) stream.destroy();
  }

  /** Sends a message over every stream, with an id if one is given. */
  notify(message: object, id?: string): void {
    for (const stream of this.streams) stream.write(event({ jsonrpc: '2.0', ...message }, id));
  }

  /** Returns the requests whose messages have this method, in order. */
  received(method: string): readonly HttpRequest[] {
    return this.requests.filter(({ message }) => message?.method === method);
  }

  /** Resolves as soon as `check` returns true; it is called now, and before and after each request is answered. */
  until(check: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!check()) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  private look(): void {
    for (const look of this.waiting) look();
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const request: HttpRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      ...(text && { message: JSON.parse(text) as WireMessage }),
    };
    this.requests.push(request);
    this.look();
    if (!(await this.intercept(request, response))) await this.answer(request, response);
    this.look();
  }

  private async answer(request: HttpRequest, response: ServerResponse): Promise<void> {
    const session = String(request.headers['mcp-session-id']);
    const isNew = this.kind === 'sse' || request.message?.method === 'initialize';
    if (!isNew && !this.sessions.has(session)) {
      response.writeHead(this.unknownSession.status).end(this.unknownSession.body);
      return;
    }
    if (request.method === 'GET') return this.openStream(response);
    if (request.method === 'DELETE') {
      this.sessions.delete(session);
      response.writeHead(200).end();
      return;
    }
    if (request.method !== 'POST' || !request.message) {
      response.writeHead(405).end();
      return;
    }
    if (this.kind === 'sse' && request.path === '/mcp') {
      response.writeHead(405).end();
      return;
    }
    await this.follow(request.message, response);
  }

  private openStream(response: ServerResponse): void {
    this.streams.add(response);
    response.once('close', () => this.streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (this.kind === 'sse') {
      this.count += 1;
      response.write(`event: endpoint\ndata: /messages?session=${this.count}\n\n`);
    }
  }

  private async follow(message: WireMessage, response: ServerResponse): Promise<void> {
    const { id, method = '', params = {} } = message;
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const answer = await run(this.scripts[method], params, { ...message, id });
    if (this.kind === 'sse') {
      response.writeHead(202).end();
      if (answer) this.notify(answer);
      return;
    }
    if (!answer) return;
    const headers: Record<string, string> = {};
    if (method === 'initialize') {
      this.count += 1;
      this.sessions.add(`session-${this.count}`);
      headers['mcp-session-id'] = `session-${this.count}`;
    }
    if (this.answers === 'json') {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(answer));
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      response.end(event(answer));
    }
  }
}

/** Formats a message as an event of a stream. */
export function event(message: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

async function run(
  script: Script | undefined,
  params: Readonly<Record<string, unknown>>,
  message: WireMessage & { readonly id: number | string },
): Promise<object | undefined> {
  const { id } = message;
  try {
    if (!script) throw new ScriptedError(-32601, 'Method not found');
    const result = await script(params, message);
    return result === silence ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (!(error instanceof ScriptedError)) throw error;
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
  }
}
