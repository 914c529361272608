import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import { HostileServer, type Asked } from '../../fixtures/hostile/answer';

/** A transport and era to reach the hostile server with. */
export interface Way {
  readonly name: string;
  /** The expected revision. */
  readonly revision: string;
  /** @param handshake the name of a hostile handshake. */
  start(env: Readonly<Record<string, string>>, handshake?: string): Promise<Started>;
}

interface Started {
  readonly config: ServerConfig;
  readonly stop: () => Promise<void>;
}

const program = join(__dirname, '..', '..', 'fixtures', 'hostile', 'main.js');
const legacy = '2025-11-25';
const modern = '2026-07-28';

function stdio(revision: string): Way {
  const args = [program, revision === modern ? 'modern' : 'legacy'];
  return {
    name: `stdio, ${revision}`,
    revision,
    start: (env, handshake = '') =>
      Promise.resolve({
        config: { type: 'stdio', command: process.execPath, args: [...args, handshake], env },
        stop: () => Promise.resolve(),
      }),
  };
}

type Serve = (request: IncomingMessage, response: ServerResponse, asked: Asked | undefined) => void;

function http(
  name: string,
  revision: string,
  type: 'http' | 'sse',
  make: (handshake?: string) => Serve,
): Way {
  return {
    name: `${name}, ${revision}`,
    revision,
    async start(_env, handshake) {
      const serve = make(handshake);
      const server = createServer((request, response) => {
        void (async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of request) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString();
          serve(request, response, text ? (JSON.parse(text) as Asked) : undefined);
        })();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return {
        config: { type, url: `http://127.0.0.1:${port}/mcp`, headers: {} },
        stop: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      };
    },
  };
}

const event = (text: string): string => `event: message\ndata: ${text}\n\n`;

/** Streamable HTTP without sessions: each answer is in its own stream. */
function streamable(revision: string): Way {
  return http('HTTP', revision, 'http', (handshake) => {
    const server = new HostileServer(revision === modern, handshake);
    let open: ServerResponse | undefined;
    return ({ method }, response, asked) => {
      if (method !== 'POST' || !asked) return response.writeHead(405).end();
      if (asked.id === undefined) return response.writeHead(202).end();
      const text = server.answer(asked).map(event).join('');
      if (asked.method === undefined) {
        response.writeHead(202).end();
        return open?.end(text);
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (!server.asks) return response.end(text);
      open = response;
      return response.write(text);
    };
  });
}

/** HTTP+SSE: all answers come over the same stream. */
function sse(): Way {
  return http('SSE', legacy, 'sse', (handshake) => {
    const server = new HostileServer(false, handshake);
    let stream: ServerResponse | undefined;
    return ({ method }, response, asked) => {
      if (method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream.write('event: endpoint\ndata: /messages\n\n');
        return;
      }
      response.writeHead(202).end();
      stream?.write(
        server
          .answer(asked ?? {})
          .map(event)
          .join(''),
      );
    };
  });
}

/** Every transport in every era that it supports. */
export const ways: readonly Way[] = [
  stdio(legacy),
  stdio(modern),
  streamable(legacy),
  streamable(modern),
  sse(),
];
