import assert from 'node:assert/strict';
import { sameIssuer } from '../../../../src/mcp/auth/client/discovery';
import { AuthServer } from '../../../fixtures/authServer/authServer';
import { SignInFixture } from './signInFixture';

const pairs: readonly (readonly [string, string, boolean])[] = [
  ['https://idp.example', 'https://idp.example', true],
  ['https://idp.example', 'https://idp.example/', true],
  ['https://IDP.example', 'HTTPS://idp.Example/', true],
  ['https://idp.example:443', 'https://idp.example/', true],
  ['https://idp.example:', 'https://idp.example', true],
  ['http://127.0.0.1:80/', 'http://127.0.0.1', true],
  ['https://[::1]:443/', 'https://[::1]', true],
  ['https://IDP.example/tenant', 'https://idp.example:443/tenant', true],
  ['https://idp.example/tenant', 'https://idp.example/tenant/', false],
  ['https://idp.example/Tenant', 'https://idp.example/tenant', false],
  ['https://idp.example/%74enant', 'https://idp.example/tenant', false],
  ['https://idp.example/a/../tenant', 'https://idp.example/tenant', false],
  ['https://idp.example//', 'https://idp.example/', false],
  ['https://idp.example/', 'https://idp.example/?', false],
  ['https://idp.example', 'https://idp.example#', false],
  ['https://idp.example', 'http://idp.example', false],
  ['https://idp.example:80', 'https://idp.example', false],
  ['https://idp.example:8443', 'https://idp.example', false],
  ['https://idp.example', 'https://idp.example.', false],
  ['https://idp.example', 'https://idp.example.evil.example', false],
  ['https://user@idp.example', 'https://idp.example', false],
  ['https://idp.example\\@evil.example', 'https://idp.example', false],
  ['https://127.0.0.1', 'https://0x7f.1', false],
  [' https://idp.example', 'https://idp.example', false],
  ['https://idp.example\n', 'https://idp.example', false],
  ['idp.example', 'idp.example/', false],
  ['', '/', false],
];

describe('two issuers', () => {
  for (const [a, b, same] of pairs)
    it(`are ${same ? 'the same' : 'two'}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.equal(sameIssuer(a, b), same);
      assert.equal(sameIssuer(b, a), same);
    });
});

describe('an authorization server', () => {
  /** How it writes itself, and how the server that names it writes it. */
  const spellings: readonly (readonly [
    string,
    (origin: string) => string,
    (origin: string) => string,
  ])[] = [
    ['with a slash', (own) => `${own}/`, (own) => own],
    ['without the slash that its server writes', (own) => own, (own) => `${own}/`],
    ['in capitals', (own) => own.replace('http', 'HTTP'), (own) => own],
  ];
  for (const [what, itself, server] of spellings)
    it(`that writes itself ${what} is the one that the server names, and stays it`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer } = fixture;
      const { issuer } = authServer;
      authServer.listed = server(issuer);
      authServer.behaviour.metadata = { issuer: itself(issuer) };
      authServer.behaviour.iss = itself(issuer);
      const client = await fixture.signedIn({ oauth: { issuer } });
      authServer.expireAccessTokens();
      await client.callTool('read', {});
      // It changes its mind, and is still the one that gave the refresh token.
      authServer.behaviour.metadata = {};
      authServer.behaviour.iss = undefined;
      authServer.expireAccessTokens();
      await client.callTool('read', {});
      assert.equal(fixture.user.visited.length, 1);
      assert.equal(authServer.requestsTo('/register').length, 1);
    });

  it('has to repeat its issuer in an answer exactly as it writes it', async () => {
    await using fixture = await SignInFixture.start();
    const { authServer } = fixture;
    authServer.behaviour.metadata = { issuer: `${authServer.issuer}/` };
    authServer.behaviour.iss = authServer.issuer;
    const outcome = await (await fixture.client()).signIn();
    assert.match('message' in outcome ? outcome.message : '', /Issuer mismatch/);
    assert.deepEqual(authServer.requestsTo('/token'), []);
  });

  for (const [what, configured] of [
    ['the first', undefined],
    ['the one that is configured', 'second'],
    ['the one that is configured, with a slash,', 'second/'],
    ['the first, which is refused, where the configured one is not listed', 'none'],
  ] as const)
    it(`that is one of several is ${what}, and stays it`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer, server } = fixture;
      await using second = await AuthServer.start();
      const list = [authServer.issuer, second.issuer];
      server.description = { authorization_servers: list };
      if (configured?.startsWith('second')) server.authServer = second;
      const issuer =
        configured === 'none'
          ? 'https://idp.example'
          : configured?.replace('second', second.issuer);
      const client = await fixture.client({ oauth: { ...(issuer && { issuer }) } });
      const outcome = await client.signIn();
      if (configured === 'none') {
        assert.match('message' in outcome ? outcome.message : '', /but its configured client/);
        return;
      }
      assert.deepEqual(outcome, { kind: 'running' });
      // A server may name them in any order.
      server.description = { authorization_servers: list.toReversed() };
      server.authServer.expireAccessTokens();
      await client.callTool('read', {});
      assert.equal(fixture.user.visited.length, 1);
    });

  it('that describes itself as a tenant of itself is another', async () => {
    await using fixture = await SignInFixture.start();
    const { authServer } = fixture;
    authServer.behaviour.metadata = { issuer: `${authServer.issuer}/tenant` };
    assert.deepEqual(await (await fixture.client()).signIn(), {
      kind: 'failed',
      message: `Issuer mismatch: ${authServer.issuer} describes itself as ${authServer.issuer}/tenant. Nobody can sign in there until its operator corrects that.`,
    });
  });
});
