import assert from 'node:assert/strict';
import { carelessAnswers } from '../../fixtures/hostile/carelessAuth';
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
