import assert from 'node:assert/strict';
import type { OAuthConfig } from '../../../../../src/mcp/serverConfig';
import { AuthServer } from '../../../../fixtures/authServer/authServer';
import { SignInFixture } from '../signInFixture';

describe('tokens without a user', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
    fixture.authServer.addClient('robot', 'hush');
    fixture.authServer.addClient('workload', '');
  });
  afterEach(async () => {
    assert.equal(fixture.user.visited.length, 0);
    await fixture[Symbol.asyncDispose]();
  });

  const anywhere: OAuthConfig = {
    clientId: 'robot',
    clientSecret: 'hush',
    grantType: 'client_credentials',
  };
  const statement: OAuthConfig = {
    clientId: 'workload',
    grantType: 'jwt_bearer',
    assertion: 'signed.by.somebody',
  };
  /** Configures it as required: for this authorization server only. */
  const bound = (oauth: OAuthConfig): OAuthConfig => ({
    ...oauth,
    issuer: fixture.authServer.issuer,
  });

  for (const [name, unbound] of [
    ['client credentials', anywhere],
    ['an assertion', statement],
  ] as const) {
    it(`are not asked for with ${name} where only the server says by whom`, async () => {
      const outcome = await (await fixture.client({ oauth: unbound })).start();
      const { issuer } = fixture.authServer;
      assert.equal(
        'message' in outcome && outcome.message,
        `The server signs in at ${issuer}. If that is right, set "oauth.issuer" to it: what proves the configured client is sent nowhere else.`,
      );
      assert.equal(fixture.authServer.requestsTo('/token').length, 0);
    });

    it(`are got with ${name} when the server starts`, async () => {
      const server = await fixture.client({ oauth: bound(unbound) });
      assert.deepEqual(await server.start(), { kind: 'running' });
      await server.callTool('read', {});
      const [request] = fixture.authServer.requestsTo('/token');
      assert.equal(request?.params['resource'], fixture.server.origin);
      assert.equal(request?.params['scope'], 'files:read');
      assert.equal(request?.params['assertion'], unbound.assertion);
    });

    it(`are got again with ${name} after they expired`, async () => {
      const server = await fixture.client({ oauth: bound(unbound) });
      await server.start();
      fixture.authServer.expireAccessTokens();
      await server.callTool('read', {});
      assert.deepEqual(fixture.server.called, ['read']);
    });

    it(`are got again with ${name} before they expire`, async () => {
      await (await fixture.client({ oauth: bound(unbound) })).start();
      fixture.ageTokens();
      const server = await fixture.client({ oauth: bound(unbound) });
      const before = fixture.authServer.requestsTo('/token').length;
      await server.callTool('read', {});
      const calls = fixture.server.seen.filter(({ method }) => method === 'tools/call');
      assert.equal(calls.length, 1);
      assert.equal(fixture.authServer.requestsTo('/token').length, before + 1);
    });

    it(`are got once with ${name} where they are said to live for no time`, async () => {
      fixture.authServer.behaviour.expiresIn = 0;
      const server = await fixture.client({ oauth: bound(unbound) });
      for (let call = 0; call < 5; call += 1) await server.callTool('read', {});
      assert.equal(fixture.authServer.requestsTo('/token').length, 1);
      assert.equal(fixture.server.called.length, 5);
    });

    it(`are got with ${name} for more permissions`, async () => {
      const server = await fixture.client({ oauth: bound(unbound) });
      await server.callTool('write', {});
      assert.deepEqual(fixture.server.called, ['write']);
    });
  }

  it('are not asked for twice when they are refused', async () => {
    const server = await fixture.client({ oauth: { ...bound(anywhere), clientSecret: 'wrong' } });
    const outcome = await server.start();
    assert.deepEqual(outcome, { kind: 'failed', message: 'The sign-in failed: invalid_client' });
    assert.equal(fixture.authServer.requestsTo('/token').length, 1);
  });

  it('are not asked for, and no secret is sent, where the server moved', async () => {
    const oauth = bound(anywhere);
    await (await fixture.client({ oauth })).start();
    await using other = await AuthServer.start();
    const { issuer } = fixture.authServer;
    fixture.server.authServer = other;
    const outcome = await (await fixture.client({ oauth })).start();
    assert.equal(
      'message' in outcome && outcome.message,
      `The server signs in at ${other.issuer}, but its configured client is known to ${issuer}. If that is right, sign out or change "oauth.issuer".`,
    );
    assert.equal(other.requestsTo('/token').length, 0);
  });

  it('are only asked for at the issuer that is configured', async () => {
    const oauth = { ...anywhere, issuer: 'https://auth.example/' };
    const outcome = await (await fixture.client({ oauth })).start();
    assert.match('message' in outcome ? outcome.message : '', /known to https:\/\/auth\.example\//);
    assert.equal(fixture.authServer.requestsTo('/token').length, 0);
  });
});

describe('tokens that are bound to a key', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
    fixture.authServer.behaviour.metadata = { dpop_signing_alg_values_supported: ['ES256'] };
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  it('are sent with a proof by the same key, over restarts and renewals', async () => {
    await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    const later = await fixture.client();
    assert.deepEqual(await later.start(), { kind: 'running' });

    const withToken = fixture.server.seen.filter(({ headers }) => headers.authorization);
    assert.ok(withToken.every(({ headers }) => headers.authorization?.startsWith('DPoP ')));
    const proofs = [...withToken, ...fixture.authServer.requestsTo('/token')].map(
      ({ headers }) => headers['dpop'],
    );
    assert.equal(new Set(proofs).size, proofs.length);
    assert.equal(new Set(proofs.map((proof) => readKey(String(proof)))).size, 1);
  });

  it('have another key after another sign-in', async () => {
    const server = await fixture.signedIn();
    await server.signOut();
    await server.signIn();
    const [first, second] = fixture.authServer
      .requestsTo('/token')
      .map(({ headers }) => readKey(String(headers['dpop'])));
    assert.notEqual(first, second);
    assert.equal(readKey(String(fixture.server.seen.at(-1)?.headers['dpop'])), second);
  });

  it('are sent as they are where the authorization server did not bind them', async () => {
    fixture.authServer.behaviour.forgetsToBind = true;
    await fixture.signedIn();
    const last = fixture.server.seen.at(-1)?.headers;
    assert.match(last?.authorization ?? '', /^Bearer /);
    assert.equal(last?.['dpop'], undefined);
  });
});

function readKey(proof: string): string {
  const header = Buffer.from(proof.split('.')[0] ?? '', 'base64url').toString();
  return JSON.stringify((JSON.parse(header) as { readonly jwk: unknown }).jwk);
}
