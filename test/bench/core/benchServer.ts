/*
 * A server that does next to no work, so that a benchmark measures the client: it answers with texts prepared in
 * advance. It is called with a JSON object of options, over stdio or HTTP.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

/** How many entries each list has, how large its pages are, and what else is served. */
export interface BenchServerOptions {
  readonly tools?: number;
  readonly prompts?: number;
  readonly resources?: number;
  readonly page?: number;
  readonly outputSchemas?: boolean;
  /** The size of the blob that `resources/read` answers with, in bytes. */
  readonly blobBytes?: number;
  /** How long a call takes, in milliseconds. */
  readonly callMs?: number;
  /** Serves HTTP on a free loopback port, printed on the first line of stdout. */
  readonly http?: boolean;
}

const options = JSON.parse(process.argv[2] ?? '{}') as BenchServerOptions;

const makers: Readonly<Record<string, (index: number) => object>> = {
  tools: (index) => ({
    name: `tool_${index}`,
    title: `Tool ${index}`,
    description: `Does the thing number ${index} to the text it is given, and says so.`,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
      required: ['text'],
    },
    ...(options.outputSchemas && {
      outputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          items: { type: 'array', items: { type: 'number' } },
        },
        required: ['text'],
      },
    }),
  }),
  prompts: (index) => ({
    name: `prompt_${index}`,
    title: `Prompt ${index}`,
    description: `Asks for the thing number ${index}.`,
    arguments: [{ name: 'text', required: true }],
  }),
  resources: (index) => ({
    uri: `bench://server/folder${index % 100}/file${index}.txt`,
    name: `file${index}.txt`,
    mimeType: 'text/plain',
    size: index,
  }),
  resourceTemplates: () => ({}),
};

const pages = new Map<string, readonly string[]>();
for (const [kind, make] of Object.entries(makers)) {
  const count = (options as Readonly<Record<string, unknown>>)[kind];
  const total = typeof count === 'number' ? count : 0;
  const size = options.page ?? 1000;
  const texts: string[] = [];
  for (let start = 0; start < total || start === 0; start += size) {
    const length = Math.min(size, total - start);
    const entries = Array.from({ length }, (_unused, index) => make(start + index));
    const more = start + size < total ? { nextCursor: String(texts.length + 1) } : {};
    texts.push(JSON.stringify({ [kind]: entries, ...more }));
  }
  pages.set(kind, texts);
}
const blob = JSON.stringify({
  contents: [
    {
      uri: 'bench://blob',
      mimeType: 'application/octet-stream',
      blob: 'QUFB'.repeat(Math.ceil((options.blobBytes ?? 0) / 4)),
    },
  ],
});
const initialized = JSON.stringify({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'bench', version: '1' },
});
const called = JSON.stringify({
  content: [{ type: 'text', text: 'done' }],
  structuredContent: { text: 'done' },
});

function resultOf(method: string, params: Readonly<Record<string, unknown>> | undefined): string {
  const page = (kind: string) => pages.get(kind)?.[Number(params?.['cursor'] ?? 0)] ?? '{}';
  switch (method) {
    case 'initialize':
      return initialized;
    case 'tools/list':
      return page('tools');
    case 'prompts/list':
      return page('prompts');
    case 'resources/list':
      return page('resources');
    case 'resources/templates/list':
      return page('resourceTemplates').replace('[{}]', '[]');
    case 'resources/read':
      return blob;
    case 'tools/call':
      return called;
    default:
      return '{}';
  }
}

function answer(line: string): string | undefined {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number | string;
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  if (id === undefined) return undefined;
  if (method === 'server/discover')
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultOf(method, params)}}`;
}

if (options.http) {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = answer(Buffer.concat(chunks).toString());
      if (text === undefined) response.writeHead(202).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    return undefined;
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
  });
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const text = answer(line);
    if (text === undefined) return;
    const send = () => void process.stdout.write(`${text}\n`);
    if (options.callMs !== undefined && line.includes('"tools/call"'))
      setTimeout(send, options.callMs);
    else send();
  });
}
