import { toHex } from '../base/bytes';
import { Timer } from '../base/async';
import { causesOf, isTimeout } from '../base/errors';
import { asRecord } from '../base/json';
import { addressLabel } from '../base/text/address';
import { truncate } from '../base/text/text';
import type { LocalizableMessage } from '../base/translate';
import type { Span, SpanAttributes, SpanEnd, SpanStart, Tracer } from '../base/tracing';
import type { Fetch } from './http/secureUrl';
import { parseObject } from './protocol/parseObject';

/** So many spans wait to be sent; the latest are lost beyond. */
export const maxQueuedSpans = 2048;
/** So many spans are sent at a time. */
export const maxBatchSpans = 512;
/** A longer text of an attribute is cut, in UTF-16 units. */
export const maxAttributeLength = 1000;
/** So many series of figures are kept; what would be another one is counted together. */
export const maxFigureSeries = 200;
/** What is taken down is sent after so many milliseconds, if it is not enough for a batch before. */
const sendEveryMs = 5000;
/** A collector has so long to answer, in milliseconds. */
export const collectorAnswerMs = 10_000;

/** The boundaries that the conventions for MCP advise, in seconds. */
const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The attributes of a request that its time is counted by. */
const countedBy = [
  'mcp.method.name',
  'error.type',
  'gen_ai.tool.name',
  'gen_ai.prompt.name',
  'gen_ai.operation.name',
  'mcp.protocol.version',
  'network.transport',
  'network.protocol.name',
  'server.address',
  'server.port',
  'rpc.response.status_code',
];

/** Where traces go, and from whom. */
export interface OtlpTarget {
  /** The address of a collector, checked, to which `/v1/traces` and `/v1/metrics` are added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a request there, and follows no redirect to another place. */
  readonly send: Fetch;
  readonly service: { readonly name: string; readonly version: string };
  /** Called once for all that is sent together: with what failed, and with nothing if it works. */
  readonly onFailure: (problem: LocalizableMessage | undefined) => void;
  /** See {@link Tracer.content}. */
  readonly content?: Tracer['content'];
}

/** The two things that are sent, each to its own path. */
type Kind = 'traces' | 'metrics';

interface Series {
  readonly attributes: SpanAttributes;
  readonly counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Sends spans, and how long requests took, over OTLP/HTTP in JSON. */
export class OtlpTracer implements Tracer {
  readonly content: Tracer['content'];
  private readonly target: OtlpTarget;
  private readonly answerMs: number;
  private readonly startedAt = nanosNow();
  /** Keeps the totals of this window apart from those of others. */
  private readonly instanceId = crypto.randomUUID();
  private queue: object[] = [];
  private readonly series = new Map<string, Series>();
  private isCounted = false;
  /** What went wrong with each kind when it was last sent. */
  private readonly problems = new Map<Kind, LocalizableMessage>();
  private hasNoMetrics = false;
  private isEnded = false;
  private readonly timer = new Timer(() => void this.flush());
  private sending: Promise<void> = Promise.resolve();

  constructor(target: OtlpTarget, answerMs = collectorAnswerMs) {
    this.target = target;
    this.content = target.content;
    this.answerMs = answerMs;
  }

  begin(start: SpanStart): Span {
    const context = {
      traceId: start.parent?.traceId ?? randomId(16),
      spanId: randomId(8),
    };
    const from = nanosNow();
    const began = performance.now();
    let isOver = false;
    return {
      context,
      end: (how = {}) => {
        if (isOver || this.isEnded) return;
        isOver = true;
        const seconds = (performance.now() - began) / 1000;
        const to = from + BigInt(Math.round(seconds * 1e6)) * 1000n;
        const attributes = {
          ...start.attributes,
          ...how.attributes,
          'error.type': how.error,
        };
        if (start.kind === 'client') this.count(seconds, attributes);
        this.enqueue(jsonSpan(start, how, { ...context, from, to, attributes }));
      },
    };
  }

  /** Sends all that has ended; never rejects. */
  flush(): Promise<void> {
    this.timer.dispose();
    this.sending = this.sending.then(async () => {
      if (this.queue.length === 0 && !this.isCounted) return;
      await this.sendAll();
      this.target.onFailure(this.problems.get('traces') ?? this.problems.get('metrics'));
      // There is no more to be said of what is not sent again.
      if (this.hasNoMetrics) this.problems.delete('metrics');
    });
    return this.sending;
  }

  /** Sends what has ended once, whatever comes of it, and takes nothing more; never rejects. */
  end(): Promise<void> {
    this.isEnded = true;
    return this.flush();
  }

  private enqueue(span: object): void {
    if (this.queue.length < maxQueuedSpans) this.queue.push(span);
    if (this.queue.length === maxBatchSpans) void this.flush();
    else if (!this.timer.pending) this.timer.start(sendEveryMs);
  }

  private count(seconds: number, attributes: SpanAttributes): void {
    const by = Object.fromEntries(countedBy.map((key) => [key, attributes[key]]));
    const known = this.series.get(JSON.stringify(by));
    const isFull = this.series.size >= maxFigureSeries;
    const own: SpanAttributes = isFull && !known ? { 'otel.metric.overflow': true } : by;
    const key = JSON.stringify(own);
    const series = this.series.get(key) ?? newSeries(own);
    this.series.set(key, series);
    const at = boundaries.findIndex((boundary) => seconds <= boundary);
    const bucket = at < 0 ? boundaries.length : at;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
    series.min = Math.min(series.min, seconds);
    series.max = Math.max(series.max, seconds);
    this.isCounted = !this.hasNoMetrics;
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.slice(0, maxBatchSpans);
      this.queue = this.queue.slice(batch.length);
      const failed = await this.post('traces', {
        resourceSpans: [
          { resource: this.resource, scopeSpans: [{ scope: this.scope, spans: batch }] },
        ],
      });
      if (failed !== 'later') continue;
      if (this.isEnded) return this.drop();
      // What a collector cannot take now, it may take later.
      this.queue = [...batch, ...this.queue].slice(0, maxQueuedSpans);
      this.timer.start(sendEveryMs * 4);
      return;
    }
    if (!this.isCounted) return;
    this.isCounted = false;
    const failed = await this.post('metrics', { resourceMetrics: [this.figures()] });
    // They are totals: the next ones say the same, and more.
    if (failed === 'later' && !this.isEnded) this.isCounted = true;
  }

  private drop(): void {
    this.queue = [];
    this.isCounted = false;
  }

  private get resource() {
    const { name, version } = this.target.service;
    return {
      attributes: jsonAttributes({
        'service.name': name,
        'service.version': version,
        'service.instance.id': this.instanceId,
      }),
    };
  }

  private get scope() {
    return this.target.service;
  }

  private figures() {
    const points = [...this.series.values()].map(
      ({ attributes, counts, count, sum, min, max }) => ({
        attributes: jsonAttributes(attributes),
        startTimeUnixNano: String(this.startedAt),
        timeUnixNano: String(nanosNow()),
        count: String(count),
        sum,
        min,
        max,
        bucketCounts: counts.map(String),
        explicitBounds: boundaries,
      }),
    );
    const metric = {
      name: 'mcp.client.operation.duration',
      unit: 's',
      histogram: { aggregationTemporality: cumulative, dataPoints: points },
    };
    return {
      resource: this.resource,
      scopeMetrics: [{ scope: this.scope, metrics: [metric] }],
    };
  }

  /** Sends a body; resolves with `later` if it may be accepted later, and with `never` if not. */
  private async post(kind: Kind, body: object): Promise<'later' | 'never' | 'done'> {
    const { endpoint, headers, send } = this.target;
    const collector = addressLabel(new URL(endpoint).host);
    try {
      const response = await send(`${endpoint}/v1/${kind}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        credentials: 'omit',
        signal: AbortSignal.timeout(this.answerMs),
      });
      const { status } = response;
      const text = await response.text();
      if (status >= 200 && status < 300) {
        const rejected = rejectedText(text);
        if (rejected === undefined) this.problems.delete(kind);
        else
          this.problems.set(kind, (t) =>
            t('The collector at {0} did not accept all traces: {1}', collector, rejected),
          );
        return 'done';
      }
      this.hasNoMetrics ||= kind === 'metrics' && isNoPath(status);
      this.problems.set(kind, (t) =>
        this.hasNoMetrics && kind === 'metrics'
          ? t(
              'The collector at {0} takes no figures of how long requests take (HTTP {1}), and gets traces alone.',
              collector,
              String(status),
            )
          : t('The collector at {0} refused traces with HTTP {1}.', collector, String(status)),
      );
      return [429, 502, 503, 504].includes(status) ? 'later' : 'never';
    } catch (error) {
      const reason = isTimeout(error)
        ? undefined
        : (causesOf(error).at(-1)?.message ?? String(error));
      this.problems.set(kind, (t) =>
        reason === undefined
          ? t('The collector at {0} did not answer in time.', collector)
          : t('Traces could not be sent to {0}: {1}', collector, reason),
      );
      return 'later';
    }
  }
}

/** The number of `AGGREGATION_TEMPORALITY_CUMULATIVE`. */
const cumulative = 2;
/** The numbers of `SPAN_KIND_INTERNAL` and `SPAN_KIND_CLIENT`. */
const kinds = { internal: 1, client: 3 } as const;
/** The number of `STATUS_CODE_ERROR`. */
const failedStatus = 2;

/** True for an answer of a collector that has nothing at this path, and will not get it by itself. */
function isNoPath(status: number): boolean {
  return status === 404 || status === 405 || status === 501;
}

function newSeries(attributes: SpanAttributes): Series {
  const counts = Array.from({ length: boundaries.length + 1 }, () => 0);
  return { attributes, counts, count: 0, sum: 0, min: Infinity, max: -Infinity };
}

/** Says what a collector did not take, of the answer to a request that it took; `undefined` if it took all. */
function rejectedText(text: string): string | undefined {
  const partial = asRecord(parseObject(text)?.['partialSuccess']);
  const { rejectedSpans, rejectedDataPoints, errorMessage } = partial;
  const count = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
  if (!(count > 0)) return undefined;
  return typeof errorMessage === 'string' && errorMessage !== '' ? errorMessage : String(count);
}

function jsonSpan(
  { name, kind, parent }: SpanStart,
  { error }: SpanEnd,
  made: {
    readonly traceId: string;
    readonly spanId: string;
    readonly from: bigint;
    readonly to: bigint;
    readonly attributes: SpanAttributes;
  },
): object {
  return {
    traceId: made.traceId,
    spanId: made.spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    name: sendable(name),
    kind: kinds[kind],
    startTimeUnixNano: String(made.from),
    endTimeUnixNano: String(made.to),
    attributes: jsonAttributes(made.attributes),
    status: error === undefined ? {} : { code: failedStatus },
  };
}

function jsonAttributes(attributes: SpanAttributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: jsonValue(value) }],
  );
}

function jsonValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: sendable(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Half of a character is no text in Protocol Buffers. */
function sendable(text: string): string {
  return truncate(text, maxAttributeLength).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** The time in nanoseconds since the epoch, by the clock, as a count that began earlier stands still while a computer sleeps. */
function nanosNow(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

function randomId(bytes: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)));
}
