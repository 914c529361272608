import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deferred, neverAborted } from '../../../../../src/base/async';
import { Credentials } from '../../../../../src/mcp/auth/tokens/credentials';
import { renewInTurn } from '../../../../../src/mcp/auth/tokens/renewInTurn';
import { fingerprint } from '../../../../../src/base/bytes';
import { built } from '../../../../support/paths';
import { createMemoryStore } from '../../../../support/workbench/signIn';
import { SignInFixture } from '../signInFixture';

describe('two windows with one sign-in', function () {
  this.timeout(30_000);
  let fixture: SignInFixture;
  let folder = '';
  const ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    fixture = await SignInFixture.start();
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-windows-'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await fixture[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const refreshes = () =>
    fixture.authServer
      .requestsTo('/token')
      .filter(({ params }) => params['grant_type'] === 'refresh_token');

  /**
   * Starts a process that starts the server; the returned function makes it call a tool, and resolves to its state
   * after that.
   */
  async function openWindow(): Promise<() => Promise<string>> {
    const args = [fixture.server.url, join(folder, 'store.json'), join(folder, 'locks', 'one')];
    const child = spawn(process.execPath, [built('fixtures', 'signInWindow', 'main.js'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const lines = createInterface(child.stdout);
    const next = async () => String((await once(lines, 'line'))[0]);
    ends.push(() => {
      child.stdin.end();
      return exited;
    });
    assert.equal(await next(), 'running');
    return () => {
      const state = next();
      child.stdin.write('call\n');
      return state;
    };
  }

  async function openWindows(): Promise<readonly (() => Promise<string>)[]> {
    await fixture.signedIn();
    await writeFile(
      join(folder, 'store.json'),
      JSON.stringify(Object.fromEntries(fixture.store.texts)),
    );
    return Promise.all([openWindow(), openWindow()]);
  }

  it('renew a token that can be used once, once', async () => {
    const windows = await openWindows();
    for (const round of [1, 2, 3]) {
      fixture.authServer.expireAccessTokens();
      const states = await Promise.all(windows.map((call) => call()));
      assert.deepEqual(states, ['running', 'running']);
      assert.equal(refreshes().length, round);
    }
    assert.equal(fixture.server.called.length, 6);
  });

  for (const error of ['invalid_grant', 'invalid_client'])
    it(`both wait for a sign-in where it cannot be renewed, and ask once: ${error}`, async () => {
      const windows = await openWindows();
      fixture.authServer.behaviour.refreshError = error;
      fixture.authServer.expireAccessTokens();
      const states = await Promise.all(windows.map((call) => call()));
      assert.deepEqual(states, ['needsSignIn', 'needsSignIn']);
      assert.equal(refreshes().length, 1);
    });

  it('use a client no more that the authorization server does not know', async () => {
    const server = await fixture.signedIn();
    const addresses = () => [...fixture.store.texts.values()].join().includes('redirect_uris');
    assert.ok(addresses());
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_client';
    fixture.user.declines = true;
    await assert.rejects(server.callTool('read', {}), /The sign-in was cancelled/);
    assert.ok(!addresses());
  });

  it('wait for what the other one stored, however late it comes', async () => {
    const store = createMemoryStore();
    const grant = (token: string) => ({
      client: { client_id: 'c' },
      tokens: { access_token: token, token_type: 'Bearer', refresh_token: `refresh-${token}` },
    });
    await new Credentials(store, 'one', 'https://a.test/').save(
      'https://as.test',
      grant('old'),
      neverAborted(),
    );
    const here = new Credentials(store, 'one', 'https://a.test/');
    await here.current();
    const mark = await fingerprint(['refresh-old']);
    const looked = deferred<void>();
    const get = store.get.bind(store);
    let reads = 0;
    store.get = (key) => {
      reads += 1;
      if (reads === 2) looked.resolve();
      return get(key);
    };
    const renewed = renewInTurn(
      here,
      (_key, work) => work({ read: () => Promise.resolve(mark), write: () => assert.fail() }),
      () => assert.fail('the token was sent twice'),
    );
    await looked.promise;
    await new Credentials(store, 'one', 'https://a.test/').save(
      'https://as.test',
      grant('new'),
      neverAborted(),
    );
    assert.equal(await renewed, true);
    assert.equal((await here.current())?.tokens?.access_token, 'new');
  });

  it('keep the old tokens until the new ones are stored', async () => {
    const server = await fixture.signedIn();
    const before = new Map(fixture.store.texts);
    const set = fixture.store.set.bind(fixture.store);
    const stored: string[] = [];
    fixture.store.set = async (key, value) => {
      // A window that opens now would find this.
      stored.push(JSON.stringify([...fixture.store.texts]));
      await set(key, value);
    };
    fixture.authServer.expireAccessTokens();
    await server.callTool('read', {});
    assert.deepEqual(stored, [JSON.stringify([...before])]);
  });
});
