import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { deferred, delay } from '../../../../src/base/async';
import { canonicalJson } from '../../../../src/base/json';
import type { RememberedServer } from '../../../../src/mcp/lists/catalog';
import type { Server } from '../../../../src/mcp/server';
import { poll } from '../../../support/poll';
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

  /** Keeps lists as files do, for all windows; `written` resolves when some were written for the next time. */
  function shareLists() {
    const kept = new Map<string, RememberedServer>();
    let next = deferred<void>();
    fixture.memory = {
      load: (key) => Promise.resolve(kept.get(canonicalJson(key))),
      async save(key, lists) {
        kept.set(canonicalJson(key), lists);
        next.resolve();
        next = deferred();
      },
      forget: async (key) => void kept.delete(canonicalJson(key)),
    };
    return { kept, written: () => next.promise };
  }
  const stopped = async (server: Server) => {
    while (server.state.kind !== 'stopped') await nextChange(server);
  };
  const nextChange = (server: Server) =>
    new Promise<void>((resolve) => {
      const listening = server.onDidChangeState(() => {
        listening.dispose();
        resolve();
      });
    });

  for (const when of ['is connected', 'was connected', 'has never connected'] as const)
    it(`keeps nothing in another window either, which ${when}`, async () => {
      const { kept, written } = shareLists();
      const saved = written();
      const here = await fixture.signedIn();
      await saved;
      const there = await fixture.client();
      const again = written();
      if (when !== 'has never connected') await there.start();
      if (when === 'was connected') await there.stop();
      if (when === 'is connected') await again;
      else await poll('the lists', 5000, async () => there.tools.items.length > 0 || undefined);
      assert.ok(there.tools.items.length > 0);
      await here.signOut();
      await poll('the other window', 5000, async () => fixture.forgotten.length === 2 || undefined);
      await stopped(there);
      // What would have been written late.
      await delay(100);
      assert.deepEqual(
        [there.state.kind, there.tools.items, kept.size, fixture.store.texts.size],
        ['stopped', [], 0, 0],
      );
      assert.equal((await there.start()).kind, 'needsSignIn');
    });

  it('leaves the session alone that this window opens right after that', async () => {
    const server = await fixture.signedIn();
    await server.signOut();
    assert.equal((await server.signIn()).kind, 'running');
    await delay(50);
    assert.equal(server.state.kind, 'running');
    assert.deepEqual(fixture.forgotten, ['one']);
  });

  it('is no sign-out of another window whose tokens turn out to be void', async () => {
    const [here, there] = [await fixture.signedIn(), await fixture.client()];
    await there.start();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    fixture.user.declines = true;
    await assert.rejects(here.callTool('read', {}));
    await delay(50);
    assert.equal(there.state.kind, 'running');
    assert.deepEqual(fixture.forgotten, []);
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
