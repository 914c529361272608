import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const official = 'io.modelcontextprotocol.registry/official';

/** The schema of a page of servers, after the registry's OpenAPI description of 2025-12-01. */
export const pageSchema = {
  type: 'object',
  required: ['servers'],
  properties: {
    servers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['server'],
        properties: {
          server: {
            type: 'object',
            required: ['name', 'description', 'version'],
            properties: {
              name: {
                type: 'string',
                minLength: 3,
                maxLength: 200,
                pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
              },
              description: { type: 'string', minLength: 1, maxLength: 100 },
              title: { type: 'string', minLength: 1, maxLength: 100 },
              version: { type: 'string', maxLength: 255 },
              packages: {
                type: 'array',
                items: { type: 'object', required: ['registryType', 'identifier', 'transport'] },
              },
              remotes: { type: 'array', items: { type: 'object', required: ['type', 'url'] } },
            },
          },
          _meta: {
            type: 'object',
            properties: {
              [official]: {
                type: 'object',
                properties: {
                  status: { enum: ['active', 'deprecated', 'deleted'] },
                  statusMessage: { type: 'string', maxLength: 500 },
                  updatedAt: { type: 'string' },
                  isLatest: { type: 'boolean' },
                },
                additionalProperties: false,
              },
            },
          },
        },
      },
    },
    metadata: {
      type: 'object',
      properties: { nextCursor: { type: 'string' }, count: { type: 'integer' } },
    },
  },
} as const;

/** A server as a test registers it. */
export type Registered = Readonly<Record<string, unknown>> & { readonly name: string };

/** Makes the entry of a server that is run by `npx`; `fields` are added or replaced. */
export function registered(name: string, fields: object = {}): Registered {
  return {
    name,
    description: `What ${name} does`,
    version: '1.0.2',
    packages: [
      {
        registryType: 'npm',
        identifier: `@x/${name}`,
        version: '1.0.2',
        transport: { type: 'stdio' },
      },
    ],
    ...fields,
  };
}

function answerOf(server: Registered): object {
  const said = { status: 'active', updatedAt: '2026-11-02T03:04:05Z', isLatest: true };
  return { server, _meta: { [official]: said } };
}

/** A registry of this machine that speaks version 0.1 of the API, and notes what it was asked. */
export class RegistryServer {
  readonly requests: string[] = [];
  /** How many of the answers said that nothing has changed. */
  unchanged = 0;
  /** Answers in place of the registry; false leaves it to the registry. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** What it has now: a test may publish others. */
  entries: readonly Registered[];
  private readonly pageSize: number;
  private readonly server: Server;

  constructor(entries: readonly Registered[], pageSize = 2) {
    this.entries = entries;
    this.pageSize = pageSize;
    this.server = createServer((request, response) => this.take(request, response));
  }

  /** Listens, and resolves with the address for the setting. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
      });
    });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Returns the page that a request gets. */
  page(query: URLSearchParams): object {
    const text = query.get('search') ?? '';
    const found = this.entries.filter(({ name }) => name.includes(text));
    const size = Math.min(this.pageSize, Number(query.get('limit') ?? this.pageSize));
    const from = Number(query.get('cursor') ?? 0);
    const servers = found.slice(from, from + size).map(answerOf);
    const next = from + size < found.length ? { nextCursor: String(from + size) } : {};
    return { servers, metadata: { ...next, count: servers.length } };
  }

  /** Returns one version of a server, the last entry of its name being the latest; `undefined` if there is none. */
  private one(path: string): object | undefined {
    const [, name = '', version = ''] =
      /^\/v0\.1\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(path) ?? [];
    const [wanted, number] = [name, version].map(decodeURIComponent);
    const all = this.entries.filter((one) => one.name === wanted);
    const found = all.findLast((one) => number === 'latest' || one['version'] === number);
    return found && answerOf(found);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://registry');
    this.requests.push(pathname + search);
    if (this.intercept(request, response)) return;
    const found = pathname === '/v0.1/servers' ? this.page(searchParams) : this.one(pathname);
    if (!found) return void response.writeHead(404).end('{"error":"?"}');
    const body = JSON.stringify(found);
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    if (isKnown) this.unchanged += 1;
    response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/json', etag });
    response.end(isKnown ? undefined : body);
  }
}
