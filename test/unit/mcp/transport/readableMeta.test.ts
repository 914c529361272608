import assert from 'node:assert/strict';
import {
  encryptEndpoint,
  fetchReadableMeta,
  fetchReadableType,
} from '../../../../src/mcp/http/readableMeta';
import { inEnglish } from '../../../../src/base/translate';

const json = 'application/json; charset=utf-8';
const stream = 'text/event-stream';

/** Reads a response with these chunks through the code that repairs it. */
async function read(pieces: readonly Uint8Array[], type: string, status = 200): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const response = new Response(body, { status, headers: { 'content-type': type } });
  const mended = await fetchReadableMeta(() => Promise.resolve(response))('https://a.example/mcp');
  return mended.text();
}

const bytes = (text: string) => new TextEncoder().encode(text);
const byByte = (text: string) => Array.from(bytes(text), (byte) => Uint8Array.of(byte));
const event = (text: string) => `event: message\nid: 1\ndata: ${text}\n\n`;
const result = (fields: string) => `{"jsonrpc":"2.0","id":1,"result":{${fields}}}`;

describe('metadata of a message over HTTP', () => {
  const unreadable: readonly (readonly [what: string, value: string])[] = [
    ['a text', '"x"'],
    ['an empty text', '""'],
    ['a text of signs', String.raw`"{\"_meta\":7}\\"`],
    ['a number', '-7.5'],
    ['a list', '[{"_meta":7}]'],
    ['nothing', 'null'],
    ['a yes', 'true'],
  ];
  for (const [what, value] of unreadable)
    for (const separator of [':', ' : ', '\n\n:\n'])
      it(`that is ${what} after ${JSON.stringify(separator)} is empty, and the rest is as it was`, async () => {
        const text = result(`"content":["_meta"],"_meta"${separator}${value},"isError":false`);
        const expected = {
          content: ['_meta'],
          _meta: {},
          _unreadableMeta: JSON.parse(value) as unknown,
          isError: false,
        };
        for (const pieces of [[bytes(text)], byByte(text)])
          assert.deepEqual(JSON.parse(await read(pieces, json)).result, expected);
        if (separator.includes('\n')) return;
        const events = event(text) + event(text);
        for (const pieces of [[bytes(events)], byByte(events)]) {
          const datas = (await read(pieces, stream)).matchAll(/^data: (.*)$/gm);
          const results = [...datas].map(([, data = '']) => JSON.parse(data).result as unknown);
          assert.deepEqual(results, [expected, expected]);
        }
      });

  for (const type of ['Application/JSON', 'Text/Event-Stream ; charset=utf-8'])
    it(`is also found in a response of the type ${type}`, async () => {
      const mended = result('"_meta":{},"_unreadableMeta":7');
      assert.equal(await read([bytes(result('"_meta":7'))], type), mended);
    });

  const sound: readonly (readonly [what: string, text: string])[] = [
    ['an object', result('"_meta":{"a":[1]}')],
    ['an object far from its name', result('"_meta" \n : \n {}')],
    ['none', result('"content":[]')],
    ['that of something inside', result('"structuredContent":{"_meta":"mine"}')],
    ['a value and not a name', result('"a":"_meta","b":["_meta","_meta"]')],
    ['a longer name', result('"_metadata":7,"a_meta":7,"_meta ":7, "_met":7')],
    ['a name with signs that are escaped', result(String.raw`"\"_meta":7,"_meta\\":7`)],
  ];
  for (const [what, text] of sound)
    it(`that is ${what} stays as it is`, async () => {
      for (const pieces of [[bytes(text)], byByte(text)])
        assert.equal(await read(pieces, json), text);
      for (const pieces of [[bytes(event(text))], byByte(event(text))])
        assert.equal(await read(pieces, stream), event(text));
    });

  for (const lineEnd of ['\n', '\r\n', '\r'])
    it(`is found behind an event that is broken, with ${JSON.stringify(lineEnd)} at the ends of lines`, async () => {
      const broken = ['{"a":{"b":"c', '{"a":{"_meta":'].map(
        (data) => `data: ${data}${lineEnd}${lineEnd}`,
      );
      const text = (value: string) =>
        `${broken.join('')}data: ${result(`"_meta":${value}`)}${lineEnd}${lineEnd}`;
      for (const pieces of [[bytes(text('7'))], byByte(text('7'))])
        assert.equal(await read(pieces, stream), text('{},"_unreadableMeta":7'));
    });

  it('is left alone in what is no message', async () => {
    const text = result('"_meta":7');
    assert.equal(await read([bytes(text)], 'text/plain'), text);
    assert.equal(await read([bytes(text)], json, 404), text);
  });
});

describe('a result over HTTP', () => {
  const answer = (value: string) => `{"jsonrpc":"2.0","id":1,"result":${value},"_meta":7}`;
  const rows: readonly (readonly [value: string, read: string])[] = [
    ['[]', '{"_unreadableResult":[]}'],
    ['[ ]', '{"_unreadableResult":[ ]}'],
    ['[{"result":[]},["]"]]', '{"_unreadableResult":[{"result":[]},["]"]]}'],
    ['{}', '{}'],
    ['{"result":[]}', '{"result":[]}'],
    ['"result"', '"result"'],
    ['7', '7'],
  ];
  for (const [value, mended] of rows)
    it(`that is ${value} reaches its request as an object`, async () => {
      const [text, expected] = [answer(value), answer(mended)];
      for (const pieces of [[bytes(text)], byByte(text)])
        assert.equal(await read(pieces, json), expected);
      const events = event(text) + event(text);
      for (const pieces of [[bytes(events)], byByte(events)])
        assert.equal(await read(pieces, stream), event(expected) + event(expected));
    });

  it('that is a list in an event that breaks off leaves the next one as it is', async () => {
    const broken = `data: {"result":[{"a":1\n\n`;
    const text = broken + event(answer('{}'));
    const mended = broken.replace('[', '{"_unreadableResult":[') + event(answer('{}'));
    assert.equal(await read([bytes(text)], stream), mended);
  });
});

/** Returns a response that comes in these pieces. */
function responseOf(
  pieces: readonly Uint8Array[],
  type: string | undefined,
  status = 200,
): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}

describe('the content type of an answer', () => {
  const request = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  const answer = result('"content":[]');
  for (const [body, type, status, expected] of [
    [answer, 'text/plain', 200, 'application/json'],
    [answer, undefined, 200, 'application/json'],
    [`[${answer}]`, 'text/json', 200, 'application/json'],
    [` \r\n\t${answer}`, 'application/json-rpc', 201, 'application/json'],
    [event(answer), 'application/octet-stream', 200, stream],
    [`: hello\n\n${event(answer)}`, undefined, 200, stream],
    [answer, json, 200, json],
    [event(answer), stream, 200, stream],
    ['<html>{"a":1}', 'text/html', 200, 'text/html'],
    [`id: 1\nretry: 5\ndata:\n\n${event(answer)}`, 'text/plain', 200, stream],
    [`data: ${answer}\n\n`, 'text/plain', 200, stream],
    ['[]', 'text/plain', 200, 'application/json'],
    ['[ info ] started', 'text/plain', 200, 'text/plain'],
    ['id: 7', 'text/plain', 200, 'text/plain'],
    ['id: 7\nname: a\n', 'text/plain', 200, 'text/plain'],
    ['data: none', 'text/plain', 200, 'text/plain'],
    ['datas: 1', 'text/plain', 200, 'text/plain'],
    ['', 'text/plain', 200, 'text/plain'],
    [answer, 'text/plain', 202, 'text/plain'],
    [answer, 'text/plain', 500, 'text/plain'],
  ] as const)
    it(`is ${expected} for ${JSON.stringify(body.slice(0, 20))} as ${type ?? 'nothing'} with ${status}`, async () => {
      for (const pieces of [[bytes(body)], byByte(body)]) {
        const faults: string[] = [];
        const send = fetchReadableType(
          () => Promise.resolve(responseOf(pieces, type, status)),
          (sentence) => faults.push(sentence(inEnglish)),
        );
        const mended = await send('https://a.example/mcp', request);
        assert.equal(mended.headers.get('content-type'), expected);
        assert.equal(mended.status, status);
        assert.equal(await mended.text(), body);
        assert.equal(faults.length, expected === type ? 0 : 1);
      }
    });

  it('is not looked for in what is no answer to a message', async () => {
    const send = fetchReadableType(
      () => Promise.resolve(responseOf([bytes('{}')], 'text/plain')),
      () => assert.fail('told'),
    );
    const notification = { method: 'POST', body: '{"jsonrpc":"2.0","method":"notifications/a"}' };
    for (const init of [{ method: 'GET' }, notification]) {
      const response = await send('https://a.example/mcp', init);
      assert.equal(response.headers.get('content-type'), 'text/plain');
    }
  });

  it('is looked for in a bounded beginning', async () => {
    const spaces = Array.from({ length: 100 }, () => bytes(' '.repeat(1000)));
    const send = fetchReadableType(
      () => Promise.resolve(responseOf([...spaces, bytes('{}')], undefined)),
      () => assert.fail('told'),
    );
    const response = await send('https://a.example/mcp', request);
    assert.equal((await response.text()).length, 100_002);
  });
});

describe('the address that a stream of HTTP+SSE names for messages', () => {
  const rest = event(result('"content":[]'));
  for (const [at, begin, expected] of [
    ['https://a.example/sse', 'event: endpoint\ndata: http://a.example/m?s=1\n\n', true],
    ['https://a.example/sse', 'event:endpoint\r\ndata:http://a.example/m?s=1\r\n\r\n', true],
    ['https://a.example/sse', ': hi\n\nevent: endpoint\ndata: http://A.example/m?s=1\n\n', true],
    ['https://a.example:8443/sse', 'event: endpoint\ndata: http://a.example:8443/m\n\n', true],
    ['https://a.example/sse', 'event: endpoint\ndata: http://a.example:443/m\n\n', true],
    ['https://a.example/sse', 'event: endpoint\ndata: https://a.example/m?s=1\n\n', false],
    ['https://a.example/sse', 'event: endpoint\ndata: /m?u=http://a.example/\n\n', false],
    ['https://a.example/sse', 'event: endpoint\ndata: http://b.example/m\n\n', false],
    ['https://a.example/sse', 'event: endpoint\ndata: http://a.example:8080/m\n\n', false],
    ['https://a.example/sse', 'event: endpoint\ndata: http://a.example.evil.example/m\n\n', false],
    ['https://a.example/sse', 'event: endpoint\ndata: http://a.example@evil.example/m\n\n', false],
    ['http://a.example/sse', 'event: endpoint\ndata: http://a.example/m\n\n', false],
    ['https://a.example/sse', 'data: http://a.example/m\n\n', false],
  ] as const)
    it(`is ${expected ? 'encrypted as the server is' : 'left'} at ${at}: ${JSON.stringify(begin)}`, async () => {
      const text = begin + rest + event('"http://a.example/é"');
      for (const pieces of [[bytes(text)], byByte(text)]) {
        const send = encryptEndpoint(
          () => Promise.resolve(responseOf(pieces, stream)),
          new URL(at),
        );
        const said = await (await send(at, {})).text();
        assert.equal(said, expected ? text.replace('http:', 'https:') : text);
      }
    });

  it('is not waited for without end', async () => {
    const text = ': wait\n\n'.repeat(10_000);
    const send = encryptEndpoint(
      () => Promise.resolve(responseOf([bytes(text)], stream)),
      new URL('https://a.example/sse'),
    );
    assert.equal(await (await send('https://a.example/sse', {})).text(), text);
  });
});
