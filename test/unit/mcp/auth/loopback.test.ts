import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { isCancellation } from '../../../../src/base/errors';
import type { BrowserCallback } from '../../../../src/mcp/auth/authorizationUi';
import { listenForCallback } from '../../../../src/mcp/node/loopbackCallback';

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('the way back from the browser', () => {
  let callback: BrowserCallback;
  beforeEach(async () => {
    const texts = { done: 'Welcome <back>', failed: 'No entry', unexpected: 'Not expected' };
    callback = await listenForCallback(texts);
  });
  afterEach(() => callback.dispose());

  const never = new AbortController().signal;

  /** Sends a request to the listener, as anything that can reach this machine could. */
  function call({ path = '/callback?state=right&code=1', method = 'GET', headers = {} }: Call) {
    const { port } = new URL(callback.redirectUrl);
    type Shown = { status: number; text: string; answered: IncomingHttpHeaders };
    return new Promise<Shown>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, headers, agent: false };
      const sent = httpRequest(options, (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, answered: response.headers }),
        );
      });
      sent.on('error', reject).end();
    });
  }

  it('listens on this machine only, at a port of its own', async () => {
    const other = await listenForCallback({ done: '', failed: '', unexpected: '' });
    assert.match(callback.redirectUrl, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.notEqual(other.redirectUrl, callback.redirectUrl);
    other.dispose();
  });

  it('hands over the parameters of the answer and stops listening', async () => {
    const answer = callback.wait('right', never);
    const shown = call({});
    assert.equal((await answer).get('code'), '1');
    callback.succeed();
    const { status, text } = await shown;
    assert.equal(status, 200);
    assert.match(text, /<p>Welcome &lt;back&gt;<\/p>/);
    await assert.rejects(call({}), /ECONNREFUSED/);
  });

  it('is a page with a name, in the colours that the reader likes, which loads nothing', async () => {
    const answer = callback.wait('right', never);
    const page = call({});
    await answer;
    callback.succeed();
    const { text, answered } = await page;
    assert.match(text, /<title>MCP Workbench<\/title>.*<h1>MCP Workbench<\/h1>/);
    assert.match(text, /<meta name="color-scheme" content="light dark">/);
    assert.match(text, /<style>body\{.*text-align:center\}<\/style>/);
    assert.match(String(answered['content-type']), /^text\/html; charset=utf-8$/);
    assert.match(String(answered['content-security-policy']), /^default-src 'none'/);
    assert.doesNotMatch(text, /src=|href=|<script/);
  });

  const refused: readonly (readonly [string, Call, number])[] = [
    ['another state', { path: '/callback?state=wrong&code=1' }, 400],
    ['no state', { path: '/callback?code=1' }, 400],
    ['another host name', { headers: { host: 'rebound.example' } }, 403],
    ['a script of another page', { headers: { origin: 'https://evil.example' } }, 403],
    ['another method', { method: 'POST' }, 404],
    ['another path', { path: '/favicon.ico' }, 404],
  ];
  for (const [what, attempt, status] of refused)
    it(`goes on waiting after a call with ${what}`, async () => {
      const answer = callback.wait('right', never);
      const shown = await call(attempt);
      assert.equal(shown.status, status);
      assert.match(shown.text, /Not expected/);
      const page = call({});
      assert.equal((await answer).get('code'), '1');
      callback.dispose();
      await page;
    });

  for (const query of ['code=1', 'error=access_denied'])
    it(`says nothing of a success where ${query} did not become one`, async () => {
      const answer = callback.wait('right', never);
      const page = call({ path: `/callback?state=right&${query}` });
      assert.equal((await answer).size, 2);
      callback.dispose();
      const { text } = await page;
      assert.match(text, /No entry/);
      assert.doesNotMatch(text, /Welcome/);
    });

  it('keeps what it said when it is disposed after a success', async () => {
    const answer = callback.wait('right', never);
    const page = call({});
    await answer;
    callback.succeed();
    callback.dispose();
    assert.match((await page).text, /Welcome/);
  });

  it('takes no answer before one is expected', async () => {
    assert.equal((await call({ path: '/callback?state=undefined' })).status, 400);
  });

  it('stops waiting when the sign-in is given up', async () => {
    const abort = new AbortController();
    const answer = callback.wait('right', abort.signal);
    abort.abort();
    await assert.rejects(answer, isCancellation);
  });

  it('stops waiting when it is disposed', async () => {
    const answer = callback.wait('right', never);
    callback.dispose();
    await assert.rejects(answer, isCancellation);
  });
});
