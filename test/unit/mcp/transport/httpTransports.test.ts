import assert from 'node:assert/strict';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { inEnglish } from '../../../../src/base/translate';
import type { ServerTransport } from '../../../../src/mcp/transport/serverTransport';
import { httpTransports } from '../../../../src/mcp/transport/httpTransports';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';

const minute = 60_000;
const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
};

describe('the stream of the server’s own messages', () => {
  const clock = useFakeClock();
  const { fetch } = globalThis;
  const opened: ServerTransport[] = [];
  /** Set if the server does not answer the request that ends a session. */
  let isDeaf = false;

  afterEach(async () => {
    isDeaf = false;
    for (const one of opened.splice(0)) await one.close();
    globalThis.fetch = fetch;
  });

  /** Opens a session whose streams are answered in turn, repeating the last answer. */
  async function open(...answers: readonly (() => Response)[]) {
    const asked: RequestInit[] = [];
    globalThis.fetch = (_url, init = {}) => {
      if (init.method === 'DELETE' && isDeaf) return new Promise(() => {});
      if (init.method !== 'GET')
        return Promise.resolve(
          (init.body as string).includes('"id"')
            ? Response.json(
                { jsonrpc: '2.0', id: 0, result: {} },
                { headers: { 'mcp-session-id': 's' } },
              )
            : new Response(null, { status: 202 }),
        );
      asked.push(init);
      const answer = answers[asked.length - 1] ?? answers.at(-1);
      return Promise.resolve().then(() => answer?.() ?? new Response(null, { status: 405 }));
    };
    const { streamable } = await httpTransports(
      { type: 'http', url: 'http://127.0.0.1/mcp', headers: {} },
      { authorization: undefined, maxMessageBytes: 1000, t: inEnglish },
    );
    const transport = streamable();
    opened.push(transport);
    const said: string[] = [];
    transport.onListening = (listening) => said.push(listening ? 'heard' : 'not heard');
    transport.onResumed = () => said.push('resumed');
    transport.channel.onerror = ({ message }) => said.push(message);
    await transport.channel.start();
    await transport.channel.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await transport.channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await settled();
    return { asked, said, transport };
  }

  const headers = { 'content-type': 'text/event-stream' };
  const ends = (text: string) => () => new Response(text, { headers });
  const refuses = (status: number) => () => new Response(null, { status });

  const pauses: readonly (readonly [string, string, readonly number[]])[] = [
    ['says nothing', ': hello\n\n', [1000, 2000, 4000, 8000]],
    ['asks for a tenth of a second', 'retry: 100\n\n', [100, 2000, 4000, 8000]],
    ['asks for none', 'retry: 0\n\n', [100, 2000, 4000]],
    ['asks for five seconds', 'retry: 5000\n\n', [5000, 5000, 5000, 8000, 16_000, 32_000, minute]],
    ['asks for ten minutes', 'retry: 600000\n\n', [10 * minute, 10 * minute, 10 * minute]],
    ['asks for all eternity', 'retry: 99999999999\n\n', [60 * minute, 60 * minute]],
  ];
  for (const [what, text, expected] of pauses)
    it(`is opened again, later and later, where a server that goes down ${what}`, async () => {
      const { asked } = await open(ends(text), refuses(503));
      assert.equal(asked.length, 1);
      for (const [before, pause] of expected.entries()) {
        await clock.tick(pause - 1);
        assert.equal(asked.length, before + 1, `sooner than ${pause} ms`);
        await clock.tick(1);
        assert.equal(asked.length, before + 2, `later than ${pause} ms`);
      }
    });

  const endless: readonly (readonly [string, string, readonly number[]])[] = [
    ['says nothing', ': hello\n\n', [1000, 2000, 4000, 8000, 16_000, 32_000, minute, minute]],
    ['sends an event', 'data: {}\n\n', [1000, 2000, 4000, 8000]],
    ['sends nothing at all', '', [1000, 2000, 4000, 8000]],
    ['asks for a tenth of a second', 'retry: 100\n\n', [100, 200, 400, 800, 1000, 1000]],
    ['asks for none', 'retry: 0\n\n', [100, 200, 400, 800, 1000]],
    ['asks for half a second', 'retry: 500\n\n', [500, 1000, 1000]],
    ['asks for five seconds', 'retry: 5000\n\n', [5000, 5000, 5000]],
  ];
  for (const [what, text, expected] of endless)
    it(`is opened again, later and later, where it ends each time and ${what}`, async () => {
      const { asked } = await open(ends(text));
      for (const [before, pause] of expected.entries()) {
        await clock.tick(pause - 1);
        assert.equal(asked.length, before + 1, `sooner than ${pause} ms`);
        await clock.tick(1);
        assert.equal(asked.length, before + 2, `later than ${pause} ms`);
      }
    });

  const yet = "The stream of the server's own messages cannot be opened yet";
  const firsts: readonly (readonly [string, () => Response, string])[] = [
    ['overloaded', refuses(503), `${yet}: HTTP status 503`],
    ['asked too often', refuses(429), `${yet}: HTTP status 429`],
    ['behind a gateway', refuses(504), `${yet}: HTTP status 504`],
    [
      'not reached',
      () => {
        throw new TypeError('fetch failed');
      },
      `${yet}: fetch failed`,
    ],
  ];
  for (const [how, answer, sentence] of firsts)
    it(`is asked for until it opens where the server is ${how} at first, which is said once`, async () => {
      const { asked, said } = await open(answer, answer, answer, ends(': hello\n\n'));
      assert.deepEqual([asked.length, said], [1, [sentence]]);
      for (const [before, pause] of [1000, 2000, 4000].entries()) {
        await clock.tick(pause - 1);
        assert.equal(asked.length, before + 1, `sooner than ${pause} ms`);
        await clock.tick(1);
        assert.equal(asked.length, before + 2, `later than ${pause} ms`);
      }
      assert.deepEqual(said, [sentence, 'resumed']);
    });

  it('is asked for once a minute at most, however long it does not open', async () => {
    const { asked, said } = await open(refuses(502));
    for (let minutes = 0; minutes < 10; minutes += 1) await clock.tick(minute);
    const { length } = asked;
    for (let minutes = 0; minutes < 10; minutes += 1) await clock.tick(minute);
    assert.equal(asked.length - length, 10);
    assert.equal(said.length, 1);
  });

  for (const status of [400, 401, 403, 404, 405, 500, 501])
    it(`is not asked for again where the server refuses it with ${status}`, async () => {
      const { asked, said } = await open(refuses(status));
      await clock.tick(60 * minute);
      assert.equal(asked.length, 1);
      assert.ok(!said.includes('not heard'));
    });

  it('is not asked for again where a page for people stands in its place', async () => {
    const page = () => new Response('<p>Hello', { headers: { 'content-type': 'text/html' } });
    const { asked, said } = await open(page);
    await clock.tick(60 * minute);
    assert.deepEqual([asked.length, said], [1, []]);
  });

  it('counts as none, and not as lost, once the server says that it has none', async () => {
    const { asked, said } = await open(refuses(503), refuses(405));
    await clock.tick(1000);
    await clock.tick(60 * minute);
    assert.equal(asked.length, 2);
    assert.ok(!said.includes('not heard'));
  });

  it('is not taken for open where the answer to a request goes on', async () => {
    const { asked, said, transport } = await open(refuses(503), ends(': hello\n\n'));
    const channel = transport.channel as StreamableHTTPClientTransport;
    await channel.resumeStream('e-1');
    assert.equal(asked.length, 2);
    assert.ok(!said.includes('resumed'));
  });

  it('is not asked for again after the end', async () => {
    const { asked, said, transport } = await open(refuses(503));
    isDeaf = true;
    const closed = transport.close();
    await clock.tick(1000);
    await closed;
    await clock.tick(60 * minute);
    assert.equal(asked.length, 1);
    assert.equal(said.length, 1);
  });

  it('is not opened again after the end, though it ends with that', async () => {
    let end = () => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('retry: 100\n\n'));
        end = () => controller.close();
      },
    });
    const { asked, transport } = await open(() => new Response(body, { headers }));
    isDeaf = true;
    const closed = transport.close();
    end();
    await clock.tick(100);
    assert.equal(asked.length, 1);
    await clock.tick(900);
    await closed;
    await clock.tick(60 * minute);
    assert.equal(asked.length, 1);
  });
});
