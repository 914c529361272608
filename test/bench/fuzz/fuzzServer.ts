// A standalone program, `fuzzServer.js <stdio|json|stream> <seed>`: a server that sends mutated frames around its
// valid answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createRandom, mutatedFrame } from './fuzzFrames';

interface Call {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly arguments?: { readonly batch: number; readonly frames: number };
    readonly protocolVersion?: string;
    readonly _meta?: { readonly progressToken?: number };
  };
}

const [way = 'stdio', seed = '1'] = process.argv.slice(2);
const tool = { name: 'fuzz', inputSchema: { type: 'object' } };

const honest: Readonly<Record<string, (call: Call) => unknown>> = {
  initialize: ({ params }) => ({
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'fuzz', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ params }) => ({
    content: [{ type: 'text', text: `honest ${params?.arguments?.batch}` }],
  }),
  'logging/setLevel': () => ({}),
  ping: () => ({}),
};

/** Returns the answer to a request; `undefined` if the message is not a request. */
function answer(call: Call): string | undefined {
  const { id, method } = call;
  if (id === undefined || method === undefined) return undefined;
  const result = honest[method]?.(call);
  const unknown = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: unknown }) });
}

/** Returns the frames to send before the valid answer; none of them answers a pending request. */
function framesBefore(call: Call): string[] {
  const { batch, frames } = call.params?.arguments ?? { batch: 0, frames: 0 };
  const random = createRandom(Number(seed) * 1_000_003 + batch);
  const token = call.params?._meta?.progressToken ?? 5;
  return Array.from({ length: frames }, () => mutatedFrame(random, token)).filter(
    (frame) => !mayAnswer(frame),
  );
}

function mayAnswer(frame: string): boolean {
  return frame.split(/\r\n|\r|\n/).some((line) => {
    try {
      const read = JSON.parse(line) as { id?: unknown } | { id?: unknown }[] | null;
      return [read].flat().some((one) => Number.isInteger(one?.id) && Number(one?.id) >= 1_000_000);
    } catch {
      return false;
    }
  });
}

/** Returns a body with the id of its request, so that nothing waits for another one. */
function mutatedBody(call: Call): string {
  const [frame = ''] = framesBefore(call);
  try {
    const { method: _method, ...read } = JSON.parse(frame) as Record<string, unknown>;
    const body = { jsonrpc: '2.0', result: {}, ...read, id: call.id };
    return JSON.stringify(body);
  } catch {
    return frame;
  }
}

function serveStdio(): void {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const call = JSON.parse(line) as Call;
      const own = answer(call);
      if (own === undefined) return;
      const before = call.method === 'tools/call' ? framesBefore(call) : [];
      process.stdout.write([...before, own].map((text) => `${text}\n`).join(''));
    })
    .on('close', () => process.exit(0));
}

function serveHttp(): void {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      const call = JSON.parse(body) as Call;
      const own = answer(call);
      if (own === undefined) return response.writeHead(202).end();
      const isCall = call.method === 'tools/call';
      if (way === 'json' || !isCall) {
        const isMutated = isCall && (call.params?.arguments?.frames ?? 0) > 0;
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(isMutated ? mutatedBody(call) : own);
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const frames = [...framesBefore(call), own];
      return response.end(frames.map((text) => `event: message\ndata: ${text}\n\n`).join(''));
    });
  });
  // On a busy machine, a connection closed by the server would look like a lost answer.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  });
  // The parent process ends the server by closing its input.
  process.stdin.resume().once('end', () => process.exit(0));
}

if (way === 'stdio') serveStdio();
else serveHttp();
