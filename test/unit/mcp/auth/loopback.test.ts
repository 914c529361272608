import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isCancellation } from '../../../../src/base/errors';
import {
  maxCallbackAddress,
  readCallbackAddress,
  type BrowserCallback,
} from '../../../../src/mcp/auth/authorizationUi';
import { listenForCallback } from '../../../../src/mcp/node/nodePlatform';
import { SignInFixture } from './signInFixture';

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

describe('the way back to a port that a server has registered', () => {
  const texts = { done: 'Done', failed: 'Failed', unexpected: 'Unexpected' };
  const never = new AbortController().signal;
  /** Returns a port that was free a moment ago. */
  const freePort = async () => {
    const callback = await listenForCallback(texts);
    callback.dispose();
    return Number(new URL(callback.redirectUrl).port);
  };
  /** The addresses that a browser may take for `localhost`. */
  const hosts = ['127.0.0.1', '[::1]'].filter(
    (host) =>
      host === '127.0.0.1' ||
      Object.values(networkInterfaces()).some((all) =>
        all?.some(({ address }) => address === '::1'),
      ),
  );

  for (const host of hosts)
    for (const named of ['localhost', host])
      it(`comes to ${host}, called ${named}`, async () => {
        const port = await freePort();
        const callback = await listenForCallback(texts, port);
        assert.equal(callback.redirectUrl, `http://localhost:${port}/callback`);
        const answer = callback.wait('right', never);
        const path = '/callback?state=right&code=1';
        const headers = { host: `${named}:${port}` };
        const options = { host: host.replace(/[[\]]/g, ''), port, path, headers, agent: false };
        const sent = httpRequest(options, (response) => response.resume());
        sent.on('error', () => {}).end();
        assert.equal((await answer).get('code'), '1');
        callback.succeed();
        callback.dispose();
      });

  for (const host of hosts)
    it(`is refused in a sentence where another program listens at ${host}`, async () => {
      const other = createServer();
      const at = host.replace(/[[\]]/g, '');
      await new Promise<void>((resolve) => void other.listen(0, at, () => resolve()));
      const { port } = other.address() as AddressInfo;
      await assert.rejects(listenForCallback(texts, port), {
        message: `Another program listens at port ${port}, to which the sign-in comes back. End it, or change "oauth.callbackPort" and what the server has registered.`,
      });
      other.close();
    });

  it('is the one that is registered and asked for, in each sign-in', async () => {
    await using fixture = await SignInFixture.start();
    const port = String(await freePort());
    const redirect = `http://localhost:${port}/callback`;
    fixture.authServer.behaviour.acceptsRedirect = (url) => url === redirect;
    const server = await fixture.signedIn({ oauth: { callbackPort: port } });
    await server.signOut();
    await server.signIn();
    assert.deepEqual(
      fixture.user.visited.map(({ searchParams }) => searchParams.get('redirect_uri')),
      [redirect, redirect],
    );
  });

  it('ends the sign-in with a sentence where a variable stands for no port', async () => {
    await using fixture = await SignInFixture.start();
    const server = await fixture.client({ oauth: { callbackPort: 'web' } });
    assert.deepEqual(await server.signIn(), {
      kind: 'failed',
      message: '"oauth.callbackPort" must be the number of a port, from 1 to 65535.',
    });
  });
});

describe('an address that the user brings from the browser', () => {
  const long = 'x'.repeat(maxCallbackAddress);
  for (const [text, code] of [
    ['http://localhost:3118/callback?code=c&state=right', 'c'],
    ['http://127.0.0.1:3118/callback?state=right&code=c%2Fd&iss=https%3A%2F%2Fidp.example', 'c/d'],
    ['  vscode://mcp-workbench.mcp-workbench/callback?code=c&state=right\n', 'c'],
    ['https://room.github.dev/callback?code=c&state=right#top', 'c'],
    ['?code=c&state=right', 'c'],
    ['code=c&state=right', 'c'],
    ['http://localhost:3118/callback?error=access_denied&state=right', null],
  ] as const)
    it(`is read: ${text.trim()}`, () =>
      assert.equal(readCallbackAddress(text, 'right')?.get('code'), code));

  for (const text of [
    '',
    'right',
    'https://idp.example/authorize?client_id=a',
    'http://localhost:3118/callback?code=c&state=wrong',
    'http://localhost:3118/callback?code=c&state=right&state=wrong',
    'http://localhost:3118/callback?code=c#state=right',
    'http://[?state=right',
    `?state=right&code=${long}`,
  ])
    it(`is not taken: ${text.slice(0, 60)}`, () =>
      assert.equal(readCallbackAddress(text, 'right'), undefined));
});
