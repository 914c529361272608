import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { deferred } from '../../../../src/base/async';
import { sendJson } from '../../../fixtures/authServer/http';
import { hesitate } from '../../../support/workbench/signIn';
import { SignInFixture, type ClientOptions } from './signInFixture';

describe('signing out of a server', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
    fixture.authServer.addClient('robot', 'hush');
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  it('ends a sign-in that waits in the browser, of which nothing is kept', async () => {
    const server = await fixture.client();
    const { opened, agree } = hesitate(fixture.user);
    const signedIn = server.signIn();
    await opened;
    await server.signOut();
    agree();
    assert.deepEqual(await signedIn, {
      kind: 'refused',
      message: 'The sign-in was cancelled.',
      byUser: true,
    });
    assert.deepEqual(fixture.log.lines.error, []);
    assert.equal((await server.start()).kind, 'needsSignIn');
    assert.equal(fixture.store.texts.size, 0);
  });

  it('keeps nothing of the sign-in before one that waits in the browser', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    const { opened, agree } = hesitate(fixture.user);
    const called = assert.rejects(server.callTool('read', {}));
    await opened;
    await server.signOut();
    agree();
    await called;
    assert.equal((await server.start()).kind, 'needsSignIn');
    assert.equal(fixture.store.texts.size, 0);
  });

  const renewals: readonly (readonly [string, () => ClientOptions, string])[] = [
    ['a renewal', () => ({}), 'needsSignIn'],
    [
      'a renewal without a user',
      () => {
        const { issuer } = fixture.authServer;
        const grantType = 'client_credentials';
        return { oauth: { clientId: 'robot', clientSecret: 'hush', grantType, issuer } };
      },
      'running',
    ],
  ];
  for (const [what, options, next] of renewals)
    it(`keeps nothing of ${what} that ends after that`, async () => {
      const server = await fixture.signedIn(options());
      fixture.authServer.expireAccessTokens();
      const asked = deferred<ServerResponse>();
      fixture.authServer.answers.set('/token', (response) => asked.resolve(response));
      const called = assert.rejects(server.callTool('read', {}));
      const response = await asked.promise;
      const stored: string[] = [];
      const set = fixture.store.set.bind(fixture.store);
      fixture.store.set = (key, text) => {
        stored.push(text);
        return set(key, text);
      };
      await server.signOut();
      await called;
      fixture.authServer.answers.clear();
      const tokens = { access_token: 'late', refresh_token: 'late', token_type: 'Bearer' };
      sendJson(response, { ...tokens, expires_in: 3600 });
      assert.equal((await server.start()).kind, next);
      assert.doesNotMatch(stored.join(), /late/);
    });
});
