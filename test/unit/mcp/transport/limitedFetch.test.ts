import assert from 'node:assert/strict';
import { limitedFetch } from '../../../../src/mcp/http/limitedFetch';

const maxBytes = 100;

/** Reads a response with these chunks through the limit. */
async function read(
  pieces: readonly string[],
  headers: Record<string, string>,
  most = maxBytes,
  init?: RequestInit,
): Promise<string> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  const send = () => Promise.resolve(new Response(body, { headers }));
  const response = await limitedFetch(most, send)('https://example.com/mcp', init);
  return response.text();
}

const request = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'a' }) };

/** Returns the message about a body over the limit: from the error or, for a stream, from the answer to the request. */
async function refusal(...[pieces, headers, most]: Parameters<typeof read>): Promise<unknown> {
  try {
    const text = await read(pieces, headers, most, request);
    const [answer = '{}'] = text.match(/\{"jsonrpc.*\}/) ?? [];
    return (JSON.parse(answer) as { error?: { message: string } }).error?.message;
  } catch (error) {
    assert.equal((error as Error).name, 'UserError');
    return (error as Error).message;
  }
}

const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream; charset=utf-8' };
const event = (length: number, lineEnd = '\n') => `data: ${'x'.repeat(length)}${lineEnd}${lineEnd}`;

describe('the body of a response', () => {
  const passed: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
    ['of one message within the limit', ['x'.repeat(60), 'x'.repeat(40)], json],
    ['of many events that are each within the limit', [event(80), event(80) + event(80)], stream],
    ['of events whose lines end as on Windows', [event(80, '\r\n'), event(80, '\r\n')], stream],
    ['of events that are cut at their end', [event(80).slice(0, -1), `\n${event(80)}`], stream],
    [
      'of events whose last line ends are cut in two',
      [event(80, '\r\n').slice(0, -1), `\n${event(80, '\r\n')}`],
      stream,
    ],
    [
      'of events as on Windows that come byte by byte',
      Array.from(event(80, '\r\n') + event(80, '\r\n')),
      stream,
    ],
    ['of events that come byte by byte', Array.from(event(80) + event(80)), stream],
    [
      'of events whose type is written in another case',
      [event(80), event(80)],
      { 'content-type': 'Text/Event-Stream' },
    ],
  ];
  for (const [what, pieces, headers] of passed)
    it(`${what} is as it was sent`, async () =>
      assert.equal(await read(pieces, headers), pieces.join('')));

  const refused: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
    ['of one message over the limit', ['x'.repeat(60), 'x'.repeat(41)], json],
    ['whose lines do not make it events', ['x\n\n'.repeat(40)], json],
    ['of an event over the limit', [event(50), `data: ${'x'.repeat(60)}`, 'x'.repeat(60)], stream],
    ['of an event of endless lines', Array.from({ length: 20 }, () => 'data: x\n'), stream],
    [
      'of an event whose line ends are all cut in two',
      Array.from({ length: 20 }, (_, line) => `${line === 0 ? '' : '\n'}data: x\r`),
      stream,
    ],
    [
      'that is longer than what was packed',
      ['x'.repeat(101)],
      { ...json, 'content-length': '10', 'content-encoding': 'x' },
    ],
  ];
  for (const [what, pieces, headers] of refused)
    it(`${what} fails with the limit`, async () =>
      assert.equal(
        await refusal(pieces, headers),
        'The server sent a message of more than the limit of 100 B.',
      ));

  const many = Array.from({ length: 6 }, () => '{},'.repeat(90_000));
  const manyHeaders: readonly (readonly [string, Record<string, string>])[] = [
    ['one message', json],
    ['one message of a known length', { ...json, 'content-length': '1620000' }],
    ['an event', stream],
  ];
  for (const [what, headers] of manyHeaders)
    it(`of ${what} of too many parts fails with that limit`, async () => {
      assert.equal(
        await refusal(many, headers, 64_000_000),
        'The server sent a message of more than the limit of 1,000,000 names and values.',
      );
      const text = many.slice(0, 5);
      assert.equal(await read(text, headers, 64_000_000), text.join(''));
    });

  const names = Array.from({ length: 10 }, (_, piece) =>
    Array.from({ length: 16_000 }, (_one, at) => `"name ${piece} ${at}":0,`).join(''),
  );
  for (const [what, headers] of [...manyHeaders.slice(0, 1), ...manyHeaders.slice(2)])
    it(`of ${what} of too many different names fails with that limit`, async () => {
      assert.equal(
        await refusal(['{', ...names], headers, 64_000_000),
        'The server sent a message of more than the limit of 120,000 different names and short texts.',
      );
      const text = ['{', ...names.slice(0, 7), ...names.slice(0, 7)];
      assert.equal(await read(text, headers, 64_000_000), text.join(''));
    });

  it('of many events that have few parts each is as it was sent', async () => {
    const events = many.map((data) => `data: ${data}\n\n`);
    assert.equal(await read(events, stream, 64_000_000), events.join(''));
  });

  it('that answers a request as a stream ends with an answer that says so', async () => {
    const body = `data: ${'x'.repeat(200)}`;
    const send = () => Promise.resolve(new Response(body, { headers: stream }));
    const response = await limitedFetch(maxBytes, send)('https://example.com/mcp', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' }),
    });
    const [answer = ''] = (await response.text()).match(/\{.*\}/) ?? [];
    assert.deepEqual(JSON.parse(answer), {
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32603,
        message: 'The server sent a message of more than the limit of 100 B.',
      },
    });
  });

  const long = 'x'.repeat(2000);
  const unasked: readonly (readonly [string, string, boolean])[] = [
    ['an answer', `{"jsonrpc":"2.0","id":7,"result":"${long}"}`, true],
    ['an answer with its id at the end', `{"jsonrpc":"2.0","result":"${long}","id":7}`, true],
    ['a question', `{"jsonrpc":"2.0","id":7,"method":"a","params":"${long}"}`, false],
    ['a question with its id at the end', `{"method":"a","params":"${long}","id":7}`, false],
    ['a notification', `{"jsonrpc":"2.0","method":"a","params":"${long}"}`, false],
  ];
  for (const [what, message, isAnswered] of unasked)
    for (const size of [1, 50, 10_000])
      it(`that answers no request goes on behind ${what} over the limit, in pieces of ${size}`, async () => {
        const sent = `${event(20)}id: e-2\nevent: message\ndata: ${message}\n\n${event(30)}${event(40)}`;
        const pieces = sent.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const text = await read([...pieces, ...(size > sent.length ? [event(50)] : [])], stream);
        assert.equal(text.startsWith(`${event(20)}id: e-2\n`), true);
        assert.ok(text.includes(`${event(30)}${event(40)}`));
        // A message that begins and ends in the same chunk is not checked against the limit.
        const answers = text.match(/"error":/g) ?? [];
        assert.equal(answers.length, isAnswered && size < sent.length ? 1 : 0);
      });

  it('of a known length within the limit is not looked at', async () => {
    const response = new Response('x', { headers: { 'content-length': '1' } });
    const same = await limitedFetch(maxBytes, () => Promise.resolve(response))('https://a.b');
    assert.equal(same, response);
  });

  it('that is none stays none', async () => {
    const response = new Response(null, { status: 202 });
    const same = await limitedFetch(maxBytes, () => Promise.resolve(response))('https://a.b');
    assert.equal(same, response);
  });
});
