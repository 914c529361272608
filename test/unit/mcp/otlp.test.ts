import assert from 'node:assert/strict';
import { inEnglish, type LocalizableMessage } from '../../../src/base/translate';
import type { SpanStart } from '../../../src/base/tracing';
import {
  maxAttributeLength,
  maxBatchSpans,
  maxFigureSeries,
  maxQueuedSpans,
  OtlpTracer,
} from '../../../src/mcp/otlp';
import { collectorFetch } from '../../../src/config/switches/traces';
import { attributesOf, Collector } from '../../support/fakes/collector';
import { otlpProblems } from '../../support/protoJson';

const inner: SpanStart = { name: 'inner', kind: 'internal', attributes: {} };
const call = (tool: string, more: SpanStart['attributes'] = {}): SpanStart => ({
  name: `tools/call ${tool}`,
  kind: 'client',
  attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool, ...more },
});

interface Figures {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly unit: string;
        readonly histogram: {
          readonly dataPoints: readonly {
            readonly attributes: Parameters<typeof attributesOf>[0]['attributes'];
            readonly count: string;
            readonly sum: number;
            readonly bucketCounts: readonly string[];
          }[];
        };
      }[];
    }[];
  }[];
}

describe('traces over OTLP', () => {
  let collector: Collector;
  let endpoint = '';
  let told: (string | undefined)[] = [];
  const open = (address = endpoint, answerMs?: number) =>
    new OtlpTracer(
      {
        endpoint: address,
        headers: { 'x-key': 'secret' },
        send: collectorFetch,
        service: { name: 'test', version: '1' },
        onFailure: (problem: LocalizableMessage | undefined) => told.push(problem?.(inEnglish)),
      },
      answerMs,
    );
  const metrics = () =>
    collector.posts
      .filter(({ path }) => path === '/v1/metrics')
      .flatMap(({ body }) => (body as Figures).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((one) => one.metrics);
  const points = () => metrics().at(-1)?.histogram.dataPoints ?? [];

  beforeEach(async () => {
    told = [];
    collector = new Collector();
    endpoint = await collector.start();
  });
  afterEach(() => collector.stop());

  it('are valid by the official schema, spans and figures', async () => {
    const tracer = open();
    const outer = tracer.begin({
      ...inner,
      name: 'outer',
      attributes: { n: 1, half: 0.5, on: true },
    });
    const request = tracer.begin({ ...call('echo'), parent: outer.context });
    request.end({ error: '-32602', attributes: { 'rpc.response.status_code': '-32602' } });
    outer.end();
    await tracer.flush();
    assert.deepEqual(
      collector.posts.map(({ path }) => path),
      ['/v1/traces', '/v1/metrics'],
    );
    const [traces, figures] = collector.posts.map(({ body }) => body);
    assert.deepEqual(otlpProblems('trace', traces), []);
    assert.deepEqual(otlpProblems('metrics', figures), []);
    const [first, second] = collector.spans;
    assert.ok(first && second);
    assert.equal(first.parentSpanId, second.spanId);
    assert.equal(first.traceId, second.traceId);
    assert.equal(second.parentSpanId, undefined);
    assert.deepEqual([first.kind, second.kind], [3, 1]);
    assert.deepEqual([first.status, second.status], [{ code: 2 }, {}]);
    assert.ok(BigInt(first.endTimeUnixNano) >= BigInt(first.startTimeUnixNano));
    assert.deepEqual(attributesOf(second), { n: '1', half: 0.5, on: true });
    assert.equal(collector.posts[0]?.headers['x-key'], 'secret');
    assert.deepEqual(told, [undefined]);
  });

  it('have what the schema checks: it finds what is wrong', () => {
    const span = (more: object) => ({ resourceSpans: [{ scopeSpans: [{ spans: [more] }] }] });
    for (const wrong of [
      { traceId: 'zz' },
      { kind: 'CLIENT' },
      { kind: 9 },
      { startTimeUnixNano: 1 },
      { attributes: [{ key: 'a', value: { stringValue: '', intValue: '1' } }] },
      { attributes: { a: 1 } },
      { start_time: '1' },
      { name: '\uD800' },
    ])
      assert.equal(otlpProblems('trace', span(wrong)).length, 1, JSON.stringify(wrong));
  });

  it('count how long requests took, by what they were about', async () => {
    const tracer = open();
    for (const tool of ['a', 'a', 'b'])
      tracer.begin(call(tool, { 'jsonrpc.request.id': '7' })).end();
    tracer.begin(call('a')).end({ error: 'tool_error' });
    tracer.begin(inner).end();
    await tracer.flush();
    const [metric] = metrics();
    assert.deepEqual([metric?.name, metric?.unit], ['mcp.client.operation.duration', 's']);
    assert.deepEqual(
      points().map((point) => [attributesOf(point), point.count, point.bucketCounts.length]),
      [
        [{ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'a' }, '2', 15],
        [{ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'b' }, '1', 15],
        [
          { 'mcp.method.name': 'tools/call', 'error.type': 'tool_error', 'gen_ai.tool.name': 'a' },
          '1',
          15,
        ],
      ],
    );
    for (const { bucketCounts, count } of points())
      assert.equal(
        bucketCounts.reduce((sum, one) => sum + Number(one), 0),
        Number(count),
      );
  });

  it('name the window that they come from, as the totals of several windows are not the same', async () => {
    for (const tracer of [open(), open()]) {
      tracer.begin(call('a')).end();
      await tracer.flush();
    }
    interface Body {
      readonly [resources: string]: readonly {
        readonly resource: Parameters<typeof attributesOf>[0];
      }[];
    }
    const instances = collector.posts.flatMap(({ body }) =>
      Object.values(body as Body)
        .flat()
        .map(({ resource }) => attributesOf(resource)['service.instance.id']),
    );
    const [first, , second] = instances;
    assert.match(String(first), /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.notEqual(first, second);
    assert.deepEqual(instances, [first, first, second, second]);
  });

  it('begin when the clock says so, also of a computer that slept, and take as long as it was', async () => {
    const { now } = Date;
    const hour = 3_600_000;
    const tracer = open();
    Date.now = () => now() + hour;
    let span;
    try {
      span = tracer.begin(call('a'));
    } finally {
      Date.now = now;
    }
    const begun = now() + hour;
    span.end();
    await tracer.flush();
    const [sent] = collector.spans;
    assert.ok(sent);
    const [from, to] = [sent.startTimeUnixNano, sent.endTimeUnixNano].map(
      (nanos) => Number(nanos) / 1e6,
    );
    assert.ok(from !== undefined && to !== undefined);
    assert.ok(Math.abs(from - begun) < hour / 2);
    assert.ok(to >= from && to - from < hour / 2);
    assert.ok((points()[0]?.sum ?? -1) >= 0);
  });

  it('count what would be too many series together', async () => {
    const tracer = open();
    for (let at = 0; at < maxFigureSeries + 5; at += 1) tracer.begin(call(`t${at}`)).end();
    await tracer.flush();
    assert.equal(points().length, maxFigureSeries + 1);
    const last = points().at(-1);
    assert.deepEqual(last && [attributesOf(last), last.count], [
      { 'otel.metric.overflow': true },
      '5',
    ]);
  });

  it('go out in batches, and no more wait than so many', async () => {
    collector.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    const tracer = open();
    for (let at = 0; at < maxQueuedSpans + 5; at += 1)
      tracer.begin({ ...inner, name: `${at}` }).end();
    await tracer.flush();
    collector.intercept = () => false;
    await tracer.flush();
    const sizes = collector.posts.map(
      ({ body }) => JSON.stringify(body).split('"spanId"').length - 1,
    );
    assert.ok(sizes.every((size) => size <= maxBatchSpans));
    assert.equal(collector.spans.length, maxQueuedSpans);
    assert.equal(collector.spans[0]?.name, '0');
  });

  it('cut long texts, and have no half characters', async () => {
    const tracer = open();
    const text = 'x'.repeat(maxAttributeLength + 10);
    tracer.begin({ ...inner, name: text, attributes: { text, odd: 'a\uDC00b' } }).end();
    await tracer.flush();
    const [span] = collector.spans;
    assert.ok(span);
    assert.deepEqual(otlpProblems('trace', collector.posts[0]?.body), []);
    assert.deepEqual(
      [span.name.length, String(attributesOf(span)['text']).length],
      [maxAttributeLength, maxAttributeLength],
    );
    assert.equal(attributesOf(span)['odd'], 'a\uFFFDb');
  });

  const failures: readonly [
    what: string,
    answer: (response: Parameters<Collector['intercept']>[1]) => void,
    told: RegExp,
    isSentAgain: boolean,
  ][] = [
    [
      'is busy',
      (response) => response.writeHead(503).end(),
      /refused traces with HTTP 503\.$/,
      true,
    ],
    [
      'refuses them',
      (response) => response.writeHead(401).end(),
      /refused traces with HTTP 401\.$/,
      false,
    ],
    ['breaks off', (response) => response.destroy(), /^Traces could not be sent to 127/, true],
    ['does not answer', () => {}, /did not answer in time\.$/, true],
    [
      'takes a part of them',
      (response) =>
        response
          .writeHead(200)
          .end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no room"}}'),
      /did not accept all traces: no room$/,
      false,
    ],
    [
      'leads elsewhere',
      (response) => response.writeHead(307, { location: 'http://localhost:1/' }).end(),
      /redirects to another place/,
      true,
    ],
  ];
  for (const [what, answer, said, isSentAgain] of failures)
    it(`say what failed where a collector ${what}, and are ${isSentAgain ? '' : 'not '}sent again`, async () => {
      collector.intercept = (_, response) => {
        answer(response);
        return true;
      };
      const tracer = open(endpoint, 200);
      tracer.begin(inner).end();
      await tracer.flush();
      assert.match(told[0] ?? '', said);
      collector.intercept = () => false;
      await tracer.flush();
      assert.equal(collector.spans.length, isSentAgain ? 1 : 0);
      if (isSentAgain) assert.equal(told.at(-1), undefined);
    });

  for (const isUnderWay of [false, true])
    it(`are sent once more as they are ended, and never again${isUnderWay ? ', even those under way' : ''}`, async () => {
      let attempts = 0;
      collector.intercept = (_, response) => {
        attempts += 1;
        response.writeHead(503).end();
        return true;
      };
      const tracer = open();
      const late = tracer.begin(call('late'));
      tracer.begin(call('a')).end();
      if (isUnderWay) void tracer.flush();
      await tracer.end();
      assert.equal(attempts, 1);
      collector.intercept = () => false;
      late.end();
      await tracer.flush();
      assert.deepEqual(collector.posts, []);
    });

  const partly: readonly [
    what: string,
    status: number,
    body: string,
    told: RegExp,
    isMetricsSentAgain: boolean,
    isStillSo: boolean,
  ][] = [
    ['has no place for figures', 404, '', /takes no figures .*\(HTTP 404\)/, false, false],
    ['refuses figures', 403, '', /refused traces with HTTP 403\.$/, true, true],
    [
      'takes a part of the figures',
      200,
      '{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"old"}}',
      /did not accept all traces: old$/,
      true,
      true,
    ],
  ];
  for (const [what, status, body, said, isMetricsSentAgain, isStillSo] of partly)
    it(`say one thing for all that is sent together where a collector ${what}`, async () => {
      let metricsSent = 0;
      collector.intercept = ({ url }, response) => {
        if (url !== '/v1/metrics') return false;
        metricsSent += 1;
        response.writeHead(status).end(body);
        return true;
      };
      const tracer = open();
      for (const start of [call('a'), inner, call('a')]) {
        tracer.begin(start).end();
        await tracer.flush();
      }
      await tracer.flush();
      assert.equal(collector.spans.length, 3);
      assert.equal(metricsSent, isMetricsSentAgain ? 2 : 1);
      assert.equal(told.length, 3);
      assert.match(told[0] ?? '', said);
      for (const later of told.slice(1)) assert.equal(later, isStillSo ? told[0] : undefined);
    });

  it('end once, whatever is called again', async () => {
    const tracer = open();
    const span = tracer.begin(call('a'));
    span.end();
    span.end({ error: 'late' });
    await tracer.flush();
    assert.equal(collector.spans.length, 1);
    assert.equal(points()[0]?.count, '1');
  });
});
