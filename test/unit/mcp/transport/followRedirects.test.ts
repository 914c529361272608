import assert from 'node:assert/strict';
import { createAuthorizationFetch } from '../../../../src/mcp/auth/authorizationFetch';
import { pageNetwork } from '../../../../src/mcp/http/pageFetch';
import { httpTransports } from '../../../../src/mcp/transport/httpTransports';
import { followRedirects, sameOriginOnly } from '../../../../src/mcp/http/followRedirects';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Creates a network in which some addresses redirect and all others answer. */
function network(redirects: Readonly<Record<string, readonly [number, string]>>) {
  const sent: Sent[] = [];
  const fetch = (address: string | URL, init: RequestInit = {}) => {
    const url = String(address);
    const { method = 'GET', body } = init;
    sent.push({ url, method, headers: new Headers(init.headers), body });
    assert.equal(init.redirect, 'manual', 'no redirect is followed unseen');
    const [status, location] = redirects[url] ?? [200, undefined];
    const headers = location === undefined ? {} : { location };
    return Promise.resolve(new Response(null, { status, headers }));
  };
  return { sent, fetch };
}

const secrets = { authorization: 'Bearer hush', 'x-api-key': 'hush', cookie: 'hush' };
const post = { method: 'POST', headers: secrets, body: '{"secret":"hush"}' };
const from = 'https://a.example/mcp';

describe('redirects', () => {
  const global = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = global;
  });

  for (const status of [301, 302, 303, 307, 308])
    for (const [where, to] of [
      ['to another host', 'https://evil.example/mcp'],
      ['to a host below', 'https://b.a.example/mcp'],
      ['to another port', 'https://a.example:8443/mcp'],
      ['from https to http elsewhere', 'http://b.example/mcp'],
      ['from https to another port of http', 'http://a.example:8080/mcp'],
      ['to this machine', 'http://127.0.0.1:1/mcp'],
      ['without a scheme', '//evil.example/mcp'],
    ] as const)
      it(`${where} with ${status} carry no token, header or body`, async () => {
        const { sent, fetch } = network({ [from]: [status, to] });
        await assert.rejects(followRedirects(fetch, sameOriginOnly)(from, post), {
          name: 'UserError',
          message: /redirects to another place.*configure that address/,
        });
        assert.deepEqual(
          sent.map(({ url }) => url),
          [from],
        );
      });

  for (const [status, method] of [
    [307, 'POST'],
    [308, 'POST'],
    [301, 'POST'],
    [302, 'POST'],
    [303, 'GET'],
  ] as const)
    it(`within one place are followed with ${status}, as ${method}`, async () => {
      const { sent, fetch } = network({ [from]: [status, '/mcp/'] });
      const response = await followRedirects(fetch, sameOriginOnly)(from, post);
      assert.equal(response.status, 200);
      assert.equal(sent[1]?.url, 'https://a.example/mcp/');
      assert.equal(sent[1].method, method);
      assert.equal(sent[1].headers.get('authorization'), 'Bearer hush');
      assert.equal(sent[1].body, method === 'POST' ? post.body : null);
    });

  for (const [address, to, encrypted] of [
    ['https://a.example/mcp', 'http://a.example/mcp/', 'https://a.example/mcp/'],
    ['https://a.example/mcp', 'HTTP://A.example:80/mcp/?a=b', 'https://a.example/mcp/?a=b'],
    ['https://a.example:8443/mcp', 'http://a.example:8443/mcp/', 'https://a.example:8443/mcp/'],
    ['https://[::1]/mcp', 'http://[::1]/mcp/', 'https://[::1]/mcp/'],
  ] as const)
    it(`to what the proxy of a server encrypts stay encrypted: ${address} to ${to}`, async () => {
      const { sent, fetch } = network({ [address]: [307, to] });
      await followRedirects(fetch, sameOriginOnly)(address, post);
      assert.deepEqual(
        sent.map(({ url, body }) => [url, body]),
        [
          [address, post.body],
          [encrypted, post.body],
        ],
      );
    });

  it('to itself without encryption end', async () => {
    const { sent, fetch } = network({ [from]: [307, 'http://a.example/mcp'] });
    await assert.rejects(followRedirects(fetch, sameOriginOnly)(from, post), /without end/);
    assert.ok(sent.every(({ url }) => url === from));
  });

  it('in a circle end', async () => {
    const { sent, fetch } = network({ [from]: [307, from] });
    await assert.rejects(followRedirects(fetch, sameOriginOnly)(from, post), /without end/);
    assert.ok(sent.length < 10);
  });

  for (const type of ['http', 'sse'] as const)
    it(`of a server over ${type} are not followed elsewhere`, async () => {
      const { sent, fetch } = network({ [from]: [307, 'https://evil.example/mcp'] });
      globalThis.fetch = fetch as typeof globalThis.fetch;
      const config = { type, url: from, headers: { 'x-api-key': 'hush' } };
      const ways = await httpTransports(config, {
        authorization: undefined,
        maxMessageBytes: 1000,
      });
      const transport = ways[type === 'http' ? 'streamable' : 'sse']();
      const start = async () => {
        await transport.channel.start();
        await transport.channel.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
      };
      await assert.rejects(start, /redirects to another place/);
      await transport.close();
      assert.ok(sent.every(({ url }) => url.startsWith('https://a.example')));
    });

  it('of an authorization server carry no code or client secret, and metadata to no unsafe place', async () => {
    const server = new URL('https://a.example/mcp');
    for (const [init, to, expected] of [
      [post, 'https://evil.example/token', /another place/],
      [{ headers: secrets }, 'https://evil.example/', /another place/],
      [{}, 'http://evil.example/', /not an https: address/],
      [{}, 'http://127.0.0.1:1/', /this machine/],
    ] as const) {
      const { sent, fetch } = network({ [from]: [307, to] });
      globalThis.fetch = fetch as typeof globalThis.fetch;
      await assert.rejects(createAuthorizationFetch(server, pageNetwork)(from, init), expected);
      assert.equal(sent.length, 1);
    }
    const { sent, fetch } = network({ [from]: [302, 'https://b.example/metadata'] });
    globalThis.fetch = fetch as typeof globalThis.fetch;
    assert.equal((await createAuthorizationFetch(server, pageNetwork)(from)).status, 200);
    assert.equal(sent.length, 2);
  });
});
