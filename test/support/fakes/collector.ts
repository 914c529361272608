import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Emitter, once } from '../../../src/base/event';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface TracesBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A collector of this machine that speaks OTLP/HTTP in JSON, and notes what it got. */
export class Collector {
  readonly posts: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: unknown;
  }[] = [];
  /** Answers in place of the collector; false leaves it to the collector. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  private readonly received = new Emitter<void>();
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!this.intercept(request, response)) {
        const body: unknown = JSON.parse(Buffer.concat(parts).toString());
        this.posts.push({ path: request.url ?? '', headers: request.headers, body });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      }
      this.received.fire();
    });
  });

  /** Listens, and resolves with the address for the setting. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`),
      );
    });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get spans(): readonly ReceivedSpan[] {
    return this.posts
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => (body as TracesBody).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans);
  }

  /** Resolves with the first span of this name, once there is one. */
  async span(name: string, signal = AbortSignal.timeout(20_000)): Promise<ReceivedSpan> {
    for (;;) {
      const found = this.spans.find((one) => one.name === name);
      if (found) return found;
      await once(this.received.event, () => true, signal);
    }
  }
}

/** Returns the attributes of a span, or of a point of figures, by their keys. */
export function attributesOf({
  attributes,
}: Pick<ReceivedSpan, 'attributes'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
