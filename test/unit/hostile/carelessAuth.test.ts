import assert from 'node:assert/strict';
import { carelessAnswers, carelessWays } from '../../fixtures/hostile/carelessAuth';
import { createAuthorizationFetch } from '../../../src/mcp/auth/authorizationFetch';
import { discoverSignIn, sameIssuer } from '../../../src/mcp/auth/client/discovery';
import { fetchUnattended } from '../../../src/mcp/auth/tokens/unattended';
import { SignInFixture } from '../mcp/auth/signInFixture';

const paths = { registration: '/register', token: '/token' } as const;

describe('a careless answer in a sign-in', () => {
  for (const [name, { from, alter, readAs, ...rest }] of Object.entries(carelessAnswers))
    it(`is read, and so is each later one: ${name}, as ${readAs}`, async () => {
      const { renews = true, metadataPath, givesSecret, wantsPath } = rest;
      await using fixture = await SignInFixture.start();
      const { authServer, server, user } = fixture;
      if (metadataPath) authServer.behaviour.metadataPath = metadataPath;
      if (wantsPath) server.wantedResource = server.origin + wantsPath;
      if (givesSecret) authServer.behaviour.secretExpiresAt = 0;
      if (from === 'description') server.alterDescription = alter;
      else
        authServer.alterations.set(
          from === 'metadata' ? authServer.behaviour.metadataPath : paths[from],
          alter,
        );

      const client = await fixture.client();
      assert.deepEqual(await client.signIn(), { kind: 'running' });
      await client.callTool('read', {});
      for (const _again of [1, 2]) {
        authServer.expireAccessTokens();
        await client.callTool('read', {});
      }
      assert.equal(server.called.length, 3);
      assert.equal(user.visited.length, renews ? 1 : 3);
      assert.match(user.visited[0]?.searchParams.get('scope') ?? '', /^files:read\b/);
    });
});

describe('a careless way to a sign-in', () => {
  for (const [name, { arrange, readAs }] of Object.entries(carelessWays))
    it(`is found: ${name}, as ${readAs}`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer, server, user } = fixture;
      arrange(server, authServer);
      const client = await fixture.client();
      assert.deepEqual(await client.start(), { kind: 'needsSignIn' });
      assert.deepEqual(await client.signIn(), { kind: 'running' });
      authServer.expireAccessTokens();
      await client.callTool('read', {});
      assert.deepEqual(server.called, ['read']);
      assert.equal(user.visited.length, 1);
    });
});

describe('a careless refusal in a sign-in', () => {
  for (const [name, refusal] of Object.entries({
    'words that are null': { error: 'invalid_grant', error_description: null },
    'an address that is none': { error: 'invalid_grant', error_uri: '' },
    'words that are a list': { error: 'invalid_grant', error_description: ['a'] },
    'words that are empty': { error: 'invalid_grant', error_description: '' },
  }))
    it(`ends what cannot be renewed: ${name}`, async () => {
      await using fixture = await SignInFixture.start();
      const client = await fixture.signedIn();
      fixture.authServer.expireAccessTokens();
      fixture.authServer.behaviour.refusesRenewal = () =>
        refusal as unknown as Record<string, string>;
      fixture.user.declines = true;
      await assert.rejects(client.callTool('read', {}), /The sign-in was cancelled/);
      // Tokens that are void are not sent again.
      const before = fixture.authServer.requestsTo('/token').length;
      await client.start();
      assert.equal(fixture.authServer.requestsTo('/token').length, before);
    });
});

describe('a sign-in behind a proxy that encrypts', () => {
  const host = 'mcp.example';
  /** Discovers the sign-in of a server whose documents write addresses with these schemes, and what was asked for. */
  async function discover(schemes: { readonly own: string; readonly issuer: string }, idp = host) {
    const own = `${schemes.own}://${host}`;
    const at = `${schemes.own}://${idp}`;
    const documents: Readonly<Record<string, object>> = {
      [`https://${host}/about`]: {
        resource: `${own}/mcp`,
        authorization_servers: [idp === host ? own : `https://${idp}`],
      },
      [`https://${idp}/.well-known/oauth-authorization-server`]: {
        issuer: `${schemes.issuer}://${idp}`,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        registration_endpoint: `${at}/register`,
      },
      [`https://${idp}/token`]: { access_token: 'a', token_type: 'Bearer' },
    };
    const asked: string[] = [];
    const server = new URL(`https://${host}/mcp`);
    const fetchFn = createAuthorizationFetch(server, {
      send: async (url) => {
        asked.push(url.href);
        const document = documents[url.href];
        return document ? Response.json(document) : new Response(null, { status: 404 });
      },
      locate: async () => undefined,
    });
    const challenge = { resourceMetadataUrl: new URL(`${own}/about`) };
    const place = await discoverSignIn(server, challenge, fetchFn);
    return { place, asked: [...asked], fetchFn };
  }

  for (const [what, schemes, idp] of [
    ['knows that', { own: 'https', issuer: 'https' }, host],
    ['does not know that', { own: 'http', issuer: 'http' }, host],
    ['was told of it for its issuer alone', { own: 'http', issuer: 'https' }, host],
    ['was told of it for all but its issuer', { own: 'https', issuer: 'http' }, host],
    [
      'has an authorization server that does not know it',
      { own: 'http', issuer: 'https' },
      'idp.example',
    ],
    [
      'has an authorization server that does not know its own name',
      { own: 'https', issuer: 'http' },
      'idp.example',
    ],
  ] as const)
    it(`is encrypted where the server ${what}`, async () => {
      const { place, asked, fetchFn } = await discover(schemes, idp);
      assert.deepEqual(asked, [
        `https://${host}/about`,
        `https://${idp}/.well-known/oauth-authorization-server`,
      ]);
      const { metadata, resource, wider } = place;
      assert.deepEqual(
        [
          metadata?.authorization_endpoint,
          metadata?.token_endpoint,
          metadata?.registration_endpoint,
        ],
        ['authorize', 'token', 'register'].map((path) => `https://${idp}/${path}`),
      );
      // The authorization server knows the resource by the name that the server gives it.
      assert.deepEqual([resource, wider], [`${schemes.own}://${host}/mcp`, undefined]);
      // Who configured it named it as it is reached.
      assert.ok(sameIssuer(place.issuer, `https://${idp}`), place.issuer);
      const oauth = {
        grantType: 'client_credentials',
        clientId: 'one',
        clientSecret: 'hidden',
      } as const;
      const tokens = await fetchUnattended({ place, oauth, scope: undefined, fetchFn });
      assert.equal(tokens.access_token, 'a');
    });

  it('is not that of another place, which is refused as before', async () => {
    const server = new URL(`https://${host}/mcp`);
    const asked: URL[] = [];
    const fetchFn = createAuthorizationFetch(server, {
      send: async (url) => {
        asked.push(url);
        return url.pathname === '/about'
          ? Response.json({ resource: `http://${host}:8080/mcp` })
          : new Response(null, { status: 404 });
      },
      locate: async () => undefined,
    });
    for (const url of [`http://${host}:8080/`, 'http://idp.example/', `http://www.${host}/`])
      await assert.rejects(fetchFn(url), /is not an https: address/);
    const resourceMetadataUrl = new URL(`https://${host}/about`);
    await assert.rejects(
      discoverSignIn(server, { resourceMetadataUrl }, fetchFn),
      /describes the sign-in of another server/,
    );
    assert.ok(asked.every(({ protocol }) => protocol === 'https:'));
  });
});
