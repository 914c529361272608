import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/log';
import { Authorization } from '../../../../src/mcp/auth/authorization';
import { createAuthorizationFetch } from '../../../../src/mcp/auth/authorizationFetch';
import { createSignInNetwork } from '../../../../src/mcp/node/signInNetwork';
import { AuthServer } from '../../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../../fixtures/authServer/protectedServer';
import { startEndless } from '../../../support/fakes/endlessServer';
import { createMemoryStore, createUser } from '../../../support/workbench/signIn';
import { SignInFixture } from './signInFixture';

describe('what may go wrong on purpose while signing in', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const fails = async (message: RegExp) => {
    const outcome = await (await fixture.client()).signIn();
    assert.equal(outcome.kind, 'failed');
    assert.match('message' in outcome ? outcome.message : '', message);
    assert.equal(fixture.authServer.requestsTo('/token').length, 0);
    assert.equal(fixture.store.texts.size, 0);
  };

  for (const [what, iss] of [
    ['of another authorization server', () => 'https://evil.example'],
    ['that only looks the same', (own: string) => `${own}/`],
    ['that is missing though promised', () => null],
  ] as const) {
    it(`does not redeem the code of an answer with an issuer ${what}`, async () => {
      fixture.authServer.behaviour.iss = iss(fixture.authServer.issuer);
      await fails(/Issuer mismatch/);
    });
  }

  it('does not redeem a code from an unexpected issuer where none was promised', async () => {
    fixture.authServer.behaviour.metadata = {
      authorization_response_iss_parameter_supported: undefined,
    };
    fixture.authServer.behaviour.iss = 'https://evil.example';
    await fails(/Issuer mismatch/);
  });

  for (const [part, endpoint] of [
    ['code', 'token_endpoint'],
    ['registration', 'registration_endpoint'],
  ] as const)
    it(`says before anything is opened that another site has the ${part}, where no issuer is promised`, async () => {
      await using evil = await AuthServer.start();
      const path = part === 'code' ? '/token' : '/register';
      fixture.authServer.behaviour.iss = null;
      fixture.authServer.behaviour.metadata = {
        authorization_response_iss_parameter_supported: undefined,
        [endpoint]: `${evil.issuer}${path}`,
      };
      fixture.user.agree = () => Promise.reject(new Error('No.'));
      await fails(/No\./);
      const [shown] = fixture.user.shown;
      const parties = shown?.parties.map((one) => `${one.part} ${one.url.origin}`) ?? [];
      assert.ok(parties.includes(`${part} ${evil.issuer}`), parties.join());
      assert.ok(parties.includes(`page ${fixture.authServer.issuer}`), parties.join());
      assert.equal(shown?.server?.href, fixture.server.url);
      assert.deepEqual(evil.requestsTo('/token'), []);
    });

  it('says which permissions a call has asked for beyond those of the sign-in before', async () => {
    const server = await fixture.signedIn();
    await server.callTool('write', {});
    assert.deepEqual(
      fixture.user.shown.map(({ more }) => more),
      [undefined, 'files:write'],
    );
  });

  it('does not show the words of an answer from another authorization server', async () => {
    fixture.authServer.behaviour.iss = 'https://evil.example';
    fixture.authServer.behaviour.error = {
      error: 'x',
      error_description: 'Call this number to unlock your account',
    };
    const outcome = await (await fixture.client()).signIn();
    assert.doesNotMatch(JSON.stringify(outcome), /Call this number/);
  });

  it('does not give to another address what was signed in to for this one', async () => {
    await using other = await ProtectedServer.start(fixture.authServer);
    const store = createMemoryStore();
    const user = createUser();
    const authorization = new Authorization(
      { id: 'one', name: 'One' },
      { store, ui: user, identity: { name: 'Test Client' }, log: silentLogger },
    );
    const at = (url: string) => authorization.attach({ type: 'http', url, headers: {} });
    at(fixture.server.url);
    // The address changes while the user is on the page.
    user.tamper = () => at(other.url);
    await authorization.signIn(new AbortController().signal);
    assert.equal(await authorization.token(), undefined);
    at(fixture.server.url);
    assert.notEqual(await authorization.token(), undefined);
  });

  it('does not read an answer of the authorization server that has no end', async () => {
    await using endless = await startEndless(200, 'application/json');
    const url = new URL(endless.url);
    const fetch = createAuthorizationFetch(url, createSignInNetwork());
    await assert.rejects(fetch(url), /more than the limit of 1 MB/);
    assert.ok(endless.sent() < 50_000_000);
  });

  it('does not take metadata that names another issuer', async () => {
    fixture.authServer.behaviour.metadata = { issuer: 'https://evil.example' };
    await fails(/[Ii]ssuer/);
    assert.equal(fixture.user.visited.length, 0);
  });

  it('does not sign in for a resource that is another server', async () => {
    fixture.server.description = { resource: 'https://other.example/mcp' };
    await fails(/describes the sign-in of another server \(https:\/\/other\.example\/mcp\)/);
    assert.equal(fixture.user.visited.length, 0);
  });

  for (const [what, make] of [
    ['on another port', (url: URL) => `${url.protocol}//${url.hostname}:1${url.pathname}`],
    ['of another tenant', (url: URL) => `${url.origin}/other`],
    ['whose path only begins the same', (url: URL) => `${url.href}-other`],
    ['below it', (url: URL) => `${url.href}/below`],
    ['with another question', (url: URL) => `${url.href}?tenant=b`],
    ['behind the name of a user', (url: URL) => url.href.replace('//', '//gateway.example@')],
    ['with a fragment', (url: URL) => `${url.href}#https://gateway.example`],
    ['with an empty fragment', (url: URL) => `${url.href}#`],
    ['that is no address', () => 'urn:gateway'],
    ['whose path has other escapes', (url: URL) => `${url.origin}/%6d%63%70`],
    ['that steps up from a neighbour', (url: URL) => `${url.origin}/other/..${url.pathname}`],
    ['that steps up by escapes', (url: URL) => `${url.origin}/other/%2E%2e${url.pathname}`],
    ['with a step that leads nowhere', (url: URL) => `${url.origin}/.${url.pathname}`],
    ['with a slash more before its host', (url: URL) => url.href.replace('//', '///')],
    ['with a slash less before its host', (url: URL) => url.href.replace('//', '/')],
    ['with no slash before its host', (url: URL) => url.href.replace('//', '')],
    ['with backslashes', (url: URL) => `${url.origin}\\${url.pathname.slice(1)}`],
  ] as const)
    it(`does not sign in for a resource ${what}`, async () => {
      const resource = make(new URL(fixture.server.url));
      fixture.server.description = { resource };
      await fails(/describes the sign-in of another server/);
      assert.equal(fixture.user.visited.length, 0);
    });

  it('takes no answer with another state', async () => {
    fixture.user.tamper = (answer) => answer.set('state', 'guessed');
    await fails(/belongs to another sign-in/);
  });

  for (const page of ['http://auth.example/authorize', 'javascript:alert(1)', 'file:///etc/passwd'])
    it(`opens no ${new URL(page).protocol} page`, async () => {
      fixture.authServer.behaviour.metadata = { authorization_endpoint: page };
      const outcome = await (await fixture.client()).signIn();
      assert.equal(outcome.kind, 'failed');
      assert.equal(fixture.user.visited.length, 0);
    });

  it("opens an address with a shell's signs as one escaped address", async () => {
    const payload = '?a="&calc.exe|" $(touch x)\n;rm -rf ~ <b>';
    const page = new URL('/authorize', fixture.authServer.issuer).href;
    fixture.authServer.behaviour.metadata = { authorization_endpoint: `${page}${payload}` };
    await (await fixture.client()).signIn();
    const [visited, ...others] = fixture.user.visited;
    assert.deepEqual(others, []);
    assert.match(String(visited), /^http:\/\/127\.0\.0\.1:\d+\/authorize\?a=%22&calc\.exe/);
    assert.doesNotMatch(String(visited), /["<>\s]/);
  });

  it('does not send a token to another server that signs in at the same place', async () => {
    await fixture.signedIn({ id: 'one' });
    const second = await ProtectedServer.start(fixture.authServer);
    const other = await fixture.client({ id: 'two', url: second.url });
    assert.equal((await other.start()).kind, 'needsSignIn');
    const sent = second.seen.filter(({ headers }) => headers.authorization !== undefined);
    assert.deepEqual(sent, []);
    assert.equal((await other.signIn()).kind, 'running');
    assert.equal(fixture.user.visited.length, 2);
    assert.equal(fixture.store.texts.size, 2);
    await second[Symbol.asyncDispose]();
  });

  it('does not send a token to another address of the same server', async () => {
    await fixture.signedIn();
    const moved = await ProtectedServer.start(fixture.authServer);
    const server = await fixture.client({ url: moved.url });
    assert.equal((await server.start()).kind, 'needsSignIn');
    const sent = moved.seen.filter(({ headers }) => headers.authorization !== undefined);
    assert.deepEqual(sent, []);
    await moved[Symbol.asyncDispose]();
  });

  it("keeps the server's own headers from the authorization server", async () => {
    await fixture.signedIn({ headers: { 'x-api-key': 'hush' } });
    assert.ok(fixture.server.seen.every(({ headers }) => headers['x-api-key'] === 'hush'));
    assert.ok(fixture.authServer.seen.length > 0);
    assert.ok(fixture.authServer.seen.every(({ headers }) => !('x-api-key' in headers)));
  });

  for (const [server, asked, reason] of [
    ['https://mcp.example/', 'http://auth.example/token', /not an https: address/],
    ['https://mcp.example/', 'http://127.0.0.1:9/token', /to this machine, which is refused/],
    ['https://mcp.example/', 'https://localhost/token', /to this machine, which is refused/],
    ['https://mcp.example/', 'http://[::1]/token', /to this machine, which is refused/],
    ['http://127.0.0.1:1/mcp', 'http://10.0.0.1/token', /not an https: address/],
    ['http://127.0.0.1:1/mcp', 'http://127.0.0.1.evil.example/', /not an https: address/],
  ] as const)
    it(`asks nothing of ${asked} for ${server}`, async () => {
      const fetch = createAuthorizationFetch(new URL(server), createSignInNetwork());
      await assert.rejects(async () => fetch(asked), reason);
    });
});
