import assert from 'node:assert/strict';
import { nextTurn } from '../../../../src/base/async';
import { CancelledError } from '../../../../src/base/errors';
import { type Mask, SecretMask } from '../../../../src/base/secretMask';
import { redacted } from '../../../../src/base/secrets';
import { inEnglish } from '../../../../src/base/translate';
import { ConfiguredServer } from '../../../../src/mcp/configuredServer';
import {
  type HttpExchange,
  keptExchange,
  maxHeaderLength,
  maxKeptHeaders,
  maxReadAnswer,
  notedFetch,
  notedSignIn,
} from '../../../../src/mcp/traffic/httpExchange';
import { outcomeOfEntry } from '../../../../src/mcp/traffic/trafficEntry';
import {
  TrafficRecorder,
  maxExchanges,
  maxKeptMessage,
  maxTrafficBytes,
  maxTrafficEntries,
} from '../../../../src/mcp/traffic/trafficRecorder';
import { entryDocument, entryLine, recordingOfTraffic } from '../../../../src/traffic/entryJson';
import { factsOfEntry, subjectOfEntry, titleOfEntry } from '../../../../src/traffic/entryTexts';
import { ScriptedHttpServer } from '../../../support/fakes/scriptedHttpServer';
import { define, testDeps } from '../testServers';

const asIs = (text: string) => text;

/** Sends a request through a `fetch` whose answer is given, and returns what is noted of it. */
async function noted(
  init: RequestInit,
  answer: () => Promise<Response> = () => Promise.resolve(new Response('body')),
  url = 'https://example.com/mcp',
  mask: Mask = asIs,
): Promise<HttpExchange> {
  const recorder = new TrafficRecorder(mask);
  const send = notedFetch(answer, (exchange, body) => recorder.noteHttp(exchange, body));
  await send(url, init).catch(() => {});
  const [found, ...others] = recorder.entries.flatMap(({ http }) => http ?? []);
  assert.ok(found && others.length === 0);
  return found;
}

/** Returns a text of which so much is kept that it ends within a secret. */
function cutIn(secret: string): string {
  return `${'x '.repeat(maxHeaderLength / 2 - 4)}${secret}`;
}

function pathOf(text: string): string {
  const url = new URL('https://example.com');
  url.pathname = text;
  return url.href;
}

describe('a message that is kept in part', () => {
  const secret = 'plain value of mine';
  const mask = new SecretMask();
  mask.hide([secret]);
  const long = `${'x '.repeat(4996)}${secret}${' y'.repeat(maxKeptMessage)}`;
  for (const [what, note] of [
    ['a request', (it) => it.note('sent', { id: 1, method: 'tools/call', params: { long } })],
    ['a notification', (it) => it.note('received', { method: 'a', params: [long] })],
    [
      'an answer',
      (it) => (
        it.note('sent', { id: 1, method: 'a' }),
        it.note('received', { id: 1, result: { long } })
      ),
    ],
    [
      'a method',
      (it) =>
        it.note('received', { id: 1, method: `${'m'.repeat(190)}${secret}`, params: { long } }),
    ],
    ['a line', (it) => it.noteStderr(long)],
  ] as readonly (readonly [string, (recorder: TrafficRecorder) => void])[])
    it(`has no part of a stored value where it is cut: ${what}`, () => {
      const recorder = new TrafficRecorder((text) => mask.apply(text));
      note(recorder);
      const text = JSON.stringify(
        recorder.entries.map(({ method, value, answer }) => [method, value, answer?.value]),
      );
      assert.doesNotMatch(text, /plain/);
      assert.ok(text.includes(redacted.slice(0, 4)), text.slice(-300));
    });
});

describe('a request over HTTP in the traffic', () => {
  it('has its method, address, status and headers, and how long it took', async () => {
    const headers = { 'Mcp-Session-Id': 'abc', Accept: 'text/event-stream' };
    const answer = new Response('', { status: 202, headers: { 'Content-Type': 'text/plain' } });
    const exchange = await noted({ method: 'POST', headers }, () => Promise.resolve(answer));
    const { firstByteMs, ...rest } = exchange;
    assert.deepEqual(rest, {
      method: 'POST',
      url: 'https://example.com/mcp',
      requestHeaders: { accept: 'text/event-stream', 'mcp-session-id': 'abc' },
      status: 202,
      responseHeaders: { 'content-type': 'text/plain' },
    });
    assert.ok(firstByteMs >= 0);
  });

  it('says why it has no answer', async () => {
    const { status, error } = await noted({}, () => Promise.reject(new TypeError('refused')));
    assert.deepEqual([status, error], [undefined, 'refused']);
  });

  it('holds no secret, in whatever it is', async () => {
    const secret = 's3cret-value-of-mine';
    const headers = {
      Authorization: `Bearer ${secret}`,
      DPoP: secret,
      'X-Whatever': secret,
      Cookie: secret,
    };
    const answered = new Response('', {
      headers: { 'Set-Cookie': secret, 'X-Api-Key': secret, Location: `/x?token=${secret}` },
    });
    const url = `https://user:${secret}@example.com/mcp?api_key=${secret}&b=1`;
    const body = JSON.stringify({ secret });
    const exchange = await noted({ headers, body }, () => Promise.resolve(answered), url);
    assert.doesNotMatch(JSON.stringify(exchange), /s3cret/);
    assert.deepEqual(Object.keys(exchange.requestHeaders), [
      'authorization',
      'cookie',
      'dpop',
      'x-whatever',
    ]);
    assert.equal(exchange.requestHeaders['authorization'], redacted);
    assert.match(exchange.url, /b=1/);
  });

  const token = `eyJhbGciOiJSUzI1NiJ9.${'s3cret'.repeat(500)}.c2lnbmF0dXJl`;
  for (const [what, text] of [
    ['a token', token],
    ['a token among words', `for ${token} only`],
    ['a token that is cut off', `${'x '.repeat(maxHeaderLength / 2 - 500)}${token}`],
    ['a parameter of a URL', `https://example.com/?token=${'s3cret'.repeat(500)}`],
  ] as const)
    it(`holds no secret that is longer than what is kept: ${what}`, async () => {
      const answered = new Response('', { headers: { 'X-Echo': text } });
      const url = text.startsWith('https:') ? text : `https://example.com/${text}`;
      const sent = await noted({ headers: { Accept: text } }, () => Promise.resolve(answered), url);
      const failed = await noted({}, () => Promise.reject(new TypeError(text)));
      const shown = JSON.stringify([sent, failed]);
      assert.doesNotMatch(shown, /s3cret/);
      assert.ok(shown.split(redacted).length >= 5);
    });

  /** What no form tells for a secret. */
  const plain = 'K&p 7/ü#x:9@?end';
  const stored = new SecretMask();
  stored.hide([plain]);
  const ok = () => Promise.resolve(new Response('body'));
  const answered = (headers: Record<string, string>) => () =>
    Promise.resolve(new Response(undefined, { status: 307, headers }));
  const far = 'https://example.com';
  for (const [where, init, answer, url] of [
    ['the address', {}, ok, `${far}/${encodeURIComponent(plain)}?q=${encodeURIComponent(plain)}`],
    ['the query, as a form has it', {}, ok, `${far}/?${String(new URLSearchParams({ q: plain }))}`],
    ['the path, as an address has it', {}, ok, pathOf(plain)],
    ['the beginning of the address', {}, ok, `https://${encodeURIComponent(plain)}@example.com/`],
    ['a header', { headers: { 'Mcp-Name': encodeURIComponent(plain) } }, ok, far],
    ['the name of a header', { headers: { 'X-short-Wq77': 'a' } }, ok, far],
    ['a header that is cut', { headers: { Accept: cutIn(encodeURIComponent(plain)) } }, ok, far],
    ['a header of the answer', {}, answered({ 'X-Echo': encodeURI(plain) }), far],
    [
      'a redirect',
      {},
      answered({ Location: `${far}/?${String(new URLSearchParams({ q: plain }))}` }),
      far,
    ],
    ['an error', {}, () => Promise.reject(new TypeError(`No such host: ${plain}`)), far],
    ['an error that is cut', {}, () => Promise.reject(new TypeError(cutIn(plain))), far],
    [
      'what a sign-in sends',
      { method: 'POST', body: `code=${plain}` },
      ok,
      `${far}/?code=${encodeURIComponent(plain)}`,
    ],
  ] as readonly (readonly [string, RequestInit, () => Promise<Response>, string])[])
    it(`holds no value that is stored for its server, whatever it looks like: ${where}`, async () => {
      stored.hide(['x-short-wq77']);
      const text = JSON.stringify(await noted(init, answer, url, (one) => stored.apply(one)));
      assert.ok(text.includes(redacted.slice(0, 4)), text);
      assert.doesNotMatch(text, /K&p|K%26p|K%26P|wq77|7\/ü/i);
    });

  for (const [what, form, parameters] of [
    [
      'for a token',
      'grant_type=authorization_code&code=c0de&code_verifier=v3r&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F&resource=https%3A%2F%2Fa.b%2Fmcp',
      {
        grant_type: 'authorization_code',
        code: redacted,
        code_verifier: redacted,
        redirect_uri: 'http://127.0.0.1:1/',
        resource: 'https://a.b/mcp',
      },
    ],
    [
      'for a new token',
      'grant_type=refresh_token&refresh_token=r&client_id=me&client_secret=s&scope=a+b',
      {
        grant_type: 'refresh_token',
        refresh_token: redacted,
        client_id: 'me',
        client_secret: redacted,
        scope: 'a b',
      },
    ],
    [
      'to register',
      JSON.stringify({ client_name: 'Me', redirect_uris: ['http://a/'], software_statement: 'x' }),
      { client_name: 'Me', redirect_uris: '["http://a/"]', software_statement: redacted },
    ],
    ['with a secret in a field that has none', 'scope=short-Wq77', { scope: redacted }],
  ] as const)
    it(`says which parameters a sign-in sends, and their values only where they hold no secret: ${what}`, async () => {
      stored.hide(['short-Wq77']);
      const recorder = new TrafficRecorder((one) => stored.apply(one));
      const send = notedFetch(ok, (sent, body) =>
        recorder.noteHttp({ ...sent, form: body }, undefined),
      );
      for (const body of [form, ...(form.startsWith('{') ? [] : [new URLSearchParams(form)])]) {
        await send(`${far}/token`, { method: 'POST', body });
        const entry = recorder.entries.at(-1);
        assert.deepEqual(entry?.http?.[0]?.parameters, parameters);
        const facts = factsOfEntry(entry, asIs, inEnglish);
        assert.equal(facts.includes(String(Object(parameters).grant_type)), form.includes('grant'));
      }
    });

  /** Returns what is kept of the answer to a request of a sign-in, once whoever sent it has read all of it. */
  async function keptAnswer(
    body: string | ReadableStream<Uint8Array>,
    status = 200,
    form = '',
  ): Promise<HttpExchange['answer']> {
    const kept = await new Promise<HttpExchange>((resolve) => {
      const send = notedSignIn(
        () => Promise.resolve(new Response(body, { status })),
        (sent) => resolve(keptExchange(sent, (text) => stored.apply(text))),
      );
      const read = send(`${far}/token`, { method: 'POST', body: form });
      void read.then((response) => response.text()).catch(() => {});
    });
    return kept.answer;
  }

  const tokens = { access_token: 'a-t0ken', refresh_token: 'r', token_type: 'Bearer' };
  for (const [what, body, status, answer] of [
    [
      'tokens',
      { ...tokens, id_token: 'i', expires_in: 9, scope: 'a b', pin: 7 },
      200,
      {
        access_token: redacted,
        refresh_token: redacted,
        token_type: 'Bearer',
        id_token: redacted,
        expires_in: 9,
        scope: 'a b',
        pin: redacted,
      },
    ],
    [
      'a client',
      { client_id: 'me', client_secret: 's', client_secret_expires_at: 0, redirect_uris: ['a:b'] },
      201,
      {
        client_id: 'me',
        client_secret: redacted,
        client_secret_expires_at: 0,
        redirect_uris: ['a:b'],
      },
    ],
    [
      'metadata',
      {
        issuer: far,
        token_endpoint: `${far}/token`,
        token_endpoint_auth_methods_supported: ['none'],
        authorization_servers: [far],
        note: 'anything',
      },
      200,
      {
        issuer: far,
        token_endpoint: `${far}/token`,
        token_endpoint_auth_methods_supported: ['none'],
        authorization_servers: [far],
        note: redacted,
      },
    ],
    [
      'an error, which may have any form',
      { detail: 'no code c0de-1 here', inner: { token: 'x', why: ['short-Wq77'] } },
      400,
      { detail: `no code ${redacted} here`, inner: { token: redacted, why: [redacted] } },
    ],
    [
      'an error under a status that says otherwise',
      { error: 'invalid_grant', error_description: 'PKCE', access_token: 'a' },
      200,
      { error: 'invalid_grant', error_description: 'PKCE', access_token: redacted },
    ],
    [
      'an error in a word that was sent',
      { error: 'consent_required', error_description: 'You have to consent' },
      400,
      { error: 'consent_required', error_description: 'You have to consent' },
    ],
    ['an error that is no JSON', 'no code c0de-1 here', 500, `no code ${redacted} here`],
    [
      'codes beside an error',
      { error: 'x', code: 'c1', device_code: 'c2', userCode: 'c3', error_code: 'E7' },
      400,
      { error: 'x', code: redacted, device_code: redacted, userCode: redacted, error_code: 'E7' },
    ],
    ['a page', '<html>Not here</html>', 200, '<html>Not here</html>'],
    ['a page with its type', '\n<!DOCTYPE html><p>No</p>', 200, '\n<!DOCTYPE html><p>No</p>'],
    ['tokens in marks', '<access_token>a-t0ken</access_token>', 200, undefined],
    ['tokens as a form', new URLSearchParams(tokens).toString(), 200, undefined],
    ['a token alone', '"a-t0ken"', 200, undefined],
    ['nothing', '', 401, undefined],
  ] as const)
    it(`says what a sign-in was answered, without what may hold a secret: ${what}`, async () => {
      stored.hide(['short-Wq77']);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      assert.deepEqual(
        await keptAnswer(text, status, 'code=c0de-1&scope=a&prompt=consent'),
        answer,
      );
    });

  it('bounds what is read and kept of the answer to a sign-in', async () => {
    const long = await keptAnswer('x '.repeat(maxReadAnswer), 500);
    assert.equal(typeof long === 'string' && long.length, maxHeaderLength);
    const wide = await keptAnswer(
      JSON.stringify({ error: Array.from({ length: 15_000 }, () => 'a') }),
      400,
    );
    assert.ok(JSON.stringify(wide).length <= maxReadAnswer);
    const deep = `{"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    assert.ok(JSON.stringify(await keptAnswer(deep, 400)).length < 1000);
    let left = 2 * maxReadAnswer;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        if ((left -= 1000) > 0) return controller.enqueue(new Uint8Array(1000).fill(120));
        return new Promise(() => {});
      },
    });
    assert.ok(await keptAnswer(endless, 500));
  });

  it('has what came of an answer to a sign-in that broke off', async () => {
    let pieces = 0;
    const broken = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if ((pieces += 1) === 1) return controller.enqueue(new TextEncoder().encode('half of'));
        await nextTurn();
        controller.error(new TypeError('gone'));
      },
    });
    assert.equal(await keptAnswer(broken, 500), 'half of');
  });

  it('keeps so many parameters of a sign-in at most, each of a bounded length', async () => {
    const recorder = new TrafficRecorder(asIs);
    const names = Array.from({ length: maxKeptHeaders + 5 }, (_, at) => [`x-${at}`, 'a']);
    const form = JSON.stringify({ scope: 'x'.repeat(9000), ...Object.fromEntries(names) });
    recorder.noteHttp({ ...(await noted({})), form }, undefined);
    const { parameters = {} } = recorder.entries[0]?.http?.[0] ?? {};
    assert.equal(Object.keys(parameters).length, maxKeptHeaders);
    assert.equal(parameters['scope']?.length, maxHeaderLength);
  });

  it('has so many headers at most, each of a bounded length', async () => {
    const many = Array.from({ length: maxKeptHeaders + 5 }, (_, at) => [`x-${at}`, 'a'] as const);
    const headers = [...many, ['a-long', 'x'.repeat(maxHeaderLength * 2)] as [string, string]];
    const answer = new Response('', { headers: headers as [string, string][] });
    const { responseHeaders = {} } = await noted({}, () => Promise.resolve(answer));
    assert.equal(Object.keys(responseHeaders).length, maxKeptHeaders);
    assert.ok((responseHeaders['a-long']?.length ?? Infinity) <= maxHeaderLength);
  });
});

describe('the requests over HTTP of a session', () => {
  const exchange = (status: number): HttpExchange => ({
    method: 'POST',
    url: 'https://example.com/mcp',
    requestHeaders: {},
    status,
    responseHeaders: {},
    firstByteMs: 1,
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const otherOrder = { method: 'initialize', params: {}, jsonrpc: '2.0', id: 0 };
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const statuses = (recorder: TrafficRecorder) =>
    recorder.entries.map(({ kind, http }) => [kind, ...(http ?? []).map(({ status }) => status)]);

  for (const [what, message] of [
    ['a call', call],
    ['a message whose id is elsewhere', otherOrder],
    ['a notification', notification],
  ] as const)
    it(`are with the message that they carry: ${what}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.note('sent', message);
      for (const status of [307, 401, 200])
        recorder.noteHttp(exchange(status), JSON.stringify(message));
      const kind = 'id' in message ? 'request' : 'notification';
      assert.deepEqual(statuses(recorder), [[kind, 307, 401, 200]]);
    });

  const { status: _, responseHeaders: __, ...unanswered } = exchange(0);
  const aborted: HttpExchange = { ...unanswered, error: 'aborted' };
  const answer = { jsonrpc: '2.0', id: 1, result: {} };
  for (const [what, end, late] of [
    ['its end, if that is an answer', (it) => it.note('received', answer), exchange(202)],
    ['its end, if it has none', (it) => it.noteFailure(1, new CancelledError()), aborted],
  ] as readonly (readonly [string, (recorder: TrafficRecorder) => void, HttpExchange])[])
    it(`are with a message whose own is known only after ${what}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.note('sent', call);
      end(recorder);
      const [ended] = recorder.entries.map((entry) => outcomeOfEntry(entry));
      recorder.noteHttp(late, JSON.stringify(call));
      assert.deepEqual(
        recorder.entries.map(({ http }) => http),
        [[late]],
      );
      assert.deepEqual(
        recorder.entries.map((entry) => outcomeOfEntry(entry)),
        [ended],
      );
    });

  for (const message of [call, notification])
    it(`are with the message of their own session: ${message.method}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      const other = recorder.beside();
      recorder.note('sent', message);
      other.note('sent', message);
      recorder.noteHttp(exchange(200), JSON.stringify(message));
      other.noteHttp(exchange(202), JSON.stringify(message));
      const kind = 'id' in message ? 'request' : 'notification';
      assert.deepEqual(statuses(recorder), [
        [kind, 200],
        [kind, 202],
      ]);
    });

  for (const message of [call, notification])
    it(`weigh nothing once their message is no longer kept: ${message.method}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.note('sent', message);
      for (let count = 0; count < maxTrafficEntries; count += 1) recorder.noteStderr('line');
      const large = { ...exchange(202), url: 'x'.repeat(maxTrafficBytes / 2) };
      for (let count = 0; count < 4; count += 1) recorder.noteHttp(large, JSON.stringify(message));
      assert.equal(recorder.entries.length, maxTrafficEntries);
      assert.ok(recorder.entries.every(({ kind }) => kind === 'stderr'));
    });

  for (const [what, body, status, isShown] of [
    ['those of a sign-in', undefined, 200, true],
    ['those of a form, which is no message', 'grant_type=refresh_token', 200, true],
    ['an answer of ours that was refused', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, true],
    ['an answer of ours', '{"jsonrpc":"2.0","id":1,"result":{}}', 202, false],
  ] as const)
    it(`${isShown ? 'have' : 'need'} ${isShown ? 'rows' : 'no row'} of their own: ${what}`, () => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.noteHttp(exchange(status), body);
      assert.deepEqual(statuses(recorder), isShown ? [['exchange', status]] : []);
    });

  it('are the latest of a message, a bounded number', () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note('sent', call);
    for (let count = 0; count < maxExchanges + 3; count += 1)
      recorder.noteHttp(exchange(300 + count), JSON.stringify(call));
    const [entry] = recorder.entries;
    assert.equal(entry?.http?.length, maxExchanges);
    assert.equal(entry.http.at(-1)?.status, 300 + maxExchanges + 2);
  });

  it('say in its row, its document and its export how one was refused', () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note('sent', call);
    recorder.noteHttp(exchange(404), JSON.stringify(call));
    recorder.noteHttp(exchange(401), undefined);
    const [entry, own] = recorder.entries;
    assert.ok(entry && own);
    assert.deepEqual(outcomeOfEntry(entry), { kind: 'refused', status: 404 });
    assert.match(factsOfEntry(entry, asIs, inEnglish).join(), /HTTP status 404/);
    assert.equal(titleOfEntry(own, asIs), 'POST');
    assert.equal(subjectOfEntry(own, asIs), 'https://example.com/mcp');
    for (const text of [entryDocument(entry, asIs), entryLine(entry, asIs)])
      assert.deepEqual((JSON.parse(text) as { http: unknown }).http, [exchange(404)]);
    const { recording, left } = recordingOfTraffic(recorder.entries, { name: 'a' }, asIs);
    assert.deepEqual([recording.messages.length, left], [1, 0]);
  });

  it('tell of a server why each question of the handshake has no answer', async () => {
    const http = new ScriptedHttpServer({
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: {},
        serverInfo: { name: 'far', version: '1' },
      }),
    });
    http.intercept = ({ message }, response) => {
      if (message?.method !== 'server/discover') return false;
      response.writeHead(404).end();
      return true;
    };
    const url = await http.start();
    const recorder = new TrafficRecorder((text) => text);
    const server = new ConfiguredServer(
      define({ type: 'http', url, headers: { 'X-Key': 'mine' } }),
      testDeps({ traffic: recorder }),
    );
    try {
      assert.deepEqual(await server.start(), { kind: 'running' });
      const sent = recorder.entries.filter(({ direction }) => direction === 'sent');
      const of = (method: string) => sent.find((entry) => entry.method === method);
      const discover = of('server/discover');
      assert.ok(discover);
      assert.deepEqual(outcomeOfEntry(discover), { kind: 'refused', status: 404 });
      const [first] = of('initialize')?.http ?? [];
      assert.equal(first?.status, 200);
      assert.ok(first.responseHeaders?.['mcp-session-id']);
      assert.equal(first.requestHeaders['x-key'], redacted);
      const ready = of('notifications/initialized')?.http?.[0];
      assert.equal(
        ready?.requestHeaders['mcp-session-id'],
        first.responseHeaders['mcp-session-id'],
      );
    } finally {
      await server.stop();
      server.dispose();
      await http.stop();
    }
  });
});
