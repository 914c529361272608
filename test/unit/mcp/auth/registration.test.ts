import assert from 'node:assert/strict';
import { neverAborted } from '../../../../src/base/async';
import { CancelledError } from '../../../../src/base/errors';
import type { SignInPage } from '../../../../src/mcp/auth/authorizationUi';
import { Credentials } from '../../../../src/mcp/auth/tokens/credentials';
import { createMemoryStore } from '../../../support/workbench/signIn';
import { SignInFixture, type ClientOptions } from './signInFixture';

describe('the registration of this program', () => {
  const link = 'vscode://mcp-workbench.mcp-workbench/callback';
  let fixture: SignInFixture;

  beforeEach(async () => {
    fixture = await SignInFixture.start();
    const { user } = fixture;
    // A redirect address that is the same for every sign-in.
    const byLink = async () => ({
      redirectUrl: link,
      async visit({ url }: SignInPage, signal: AbortSignal) {
        if (user.declines) throw new CancelledError();
        user.visited.push(url);
        const response = await fetch(url, { redirect: 'manual', signal });
        const target = response.headers.get('location');
        // The page leads nowhere, so the user gives up.
        if (target === null) throw new CancelledError();
        const answer = new URL(target).searchParams;
        user.tamper(answer);
        return answer;
      },
      succeed: () => {},
      dispose: () => {},
    });
    user.ways = [byLink];
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const registrations = () => fixture.authServer.requestsTo('/register').length;
  /** Creates a server with invalid tokens, so that the next call needs another sign-in. */
  const outdated = async (options: ClientOptions = {}) => {
    const server = await fixture.signedIn(options);
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    return server;
  };

  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  for (const [what, secretExpiresAt, count] of [
    ['is used again without a secret', undefined, 1],
    ['is used again with a secret for ever', 0, 1],
    ['is used again with a secret that is valid', inAnHour, 1],
    ['is made anew with a secret that has expired', 1, 2],
  ] as const)
    it(what, async () => {
      fixture.authServer.behaviour.secretExpiresAt = secretExpiresAt;
      const server = await outdated();
      await server.callTool('read', {});
      assert.equal(registrations(), count);
      assert.equal(fixture.user.visited.length, 2);
    });

  for (const [what, secretExpiresAt, error] of [
    ['without a secret', undefined, 'invalid_client'],
    ['with a secret', 0, 'invalid_client'],
    ['as unauthorized, without a secret', undefined, 'unauthorized_client'],
    ['as unauthorized, with a secret', 0, 'unauthorized_client'],
  ] as const)
    it(`is made anew for the call whose renewal shows that it is forgotten, ${what}`, async () => {
      fixture.authServer.behaviour.secretExpiresAt = secretExpiresAt;
      fixture.authServer.behaviour.unknownClientError = error;
      const server = await fixture.signedIn();
      fixture.authServer.expireAccessTokens();
      fixture.authServer.forgetClients();
      await server.callTool('read', {});
      assert.equal(registrations(), 2);
      assert.equal(fixture.user.visited.length, 2);
    });

  for (const code of ['invalid_client', 'unauthorized_client'])
    it(`is made anew by the next sign-in after one whose code was not redeemed: ${code}`, async () => {
      const server = await outdated();
      fixture.authServer.behaviour.unknownClientError = code;
      fixture.user.tamper = () => fixture.authServer.forgetClients();
      const { issuer } = fixture.authServer;
      const problem = `${issuer} no longer knows this program. Sign in again to register it.`;
      await assert.rejects(server.callTool('read', {}), (error: Error) =>
        error.message.endsWith(problem),
      );
      assert.deepEqual(server.state, { kind: 'needsSignIn', issuer, problem });
      assert.equal(registrations(), 1);

      fixture.user.tamper = () => {};
      await server.callTool('read', {});
      assert.equal(registrations(), 2);
    });

  it('is made anew by the next sign-in after one whose page led nowhere', async () => {
    const server = await outdated();
    fixture.authServer.forgetClients();
    await assert.rejects(server.callTool('read', {}), /The sign-in was cancelled\./);
    assert.equal(registrations(), 1);
    await server.callTool('read', {});
    assert.equal(registrations(), 2);
  });

  it('stays where the user does not want to give a permission', async () => {
    const server = await fixture.signedIn();
    fixture.user.declines = true;
    await assert.rejects(server.callTool('write', {}), /The sign-in was cancelled\./);
    fixture.user.declines = false;
    await server.callTool('write', {});
    assert.equal(registrations(), 1);
  });

  it('is not made in place of a configured client that is forgotten', async () => {
    fixture.authServer.addClient('own', '');
    const server = await outdated({ oauth: { clientId: 'own' } });
    fixture.user.tamper = () => fixture.authServer.forgetClients();
    await assert.rejects(server.callTool('read', {}), /The sign-in failed: invalid_client$/);
    assert.equal(registrations(), 0);
  });

  it('is not forgotten where another window has made a new one meanwhile', async () => {
    const store = createMemoryStore();
    const open = () => new Credentials(store, 'one', fixture.server.url);
    const [here, there] = [open(), open()];
    const client = (id: string) => ({ client_id: id, redirect_uris: [link] });
    await here.save('https://as.example', { client: client('old') }, neverAborted());
    await there.save('https://as.example', { client: client('new') }, neverAborted());
    await here.forgetClient('https://as.example', client('old'));
    assert.deepEqual(await here.of('https://as.example'), { client: client('new') });
  });
});
