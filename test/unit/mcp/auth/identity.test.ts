import assert from 'node:assert/strict';
import { createSignInNetwork } from '../../../../src/mcp/node/signInNetwork';
import type { ServerResponse } from 'node:http';
import { deferred, neverAborted } from '../../../../src/base/async';
import { BrowserIdentity } from '../../../../src/mcp/auth/identity/browserIdentity';
import { AuthServer } from '../../../fixtures/authServer/authServer';
import { sendJson } from '../../../fixtures/authServer/http';
import { createMemoryStore, createUser, hesitate } from '../../../support/workbench/signIn';

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const identityToken = (exp: number, name: string) =>
  `${encode({ alg: 'none' })}.${encode({ exp, name })}.signature`;
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('an identity that several servers need', () => {
  let idp: AuthServer;
  let user: ReturnType<typeof createUser>;
  let store: ReturnType<typeof createMemoryStore>;
  let source: BrowserIdentity;

  beforeEach(async () => {
    idp = await AuthServer.start();
    idp.addClient('at-idp', '');
    idp.behaviour.identityToken = () => identityToken(inAnHour(), 'asked');
    user = createUser();
    store = createMemoryStore();
    const provider = { issuer: idp.issuer, clientId: 'at-idp' };
    source = new BrowserIdentity(provider, { store, ui: user, network: createSignInNetwork() });
  });
  afterEach(() => idp[Symbol.asyncDispose]());

  const server = { id: 'one', name: 'one' };
  const ask = (signal = neverAborted()) => source.token({ server, interactive: true, signal });
  const renew = (signal = neverAborted()) => source.token({ server, interactive: false, signal });
  const nameIn = (token: string | undefined) =>
    (
      JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as {
        name: string;
      }
    ).name;

  /** Holds the next request for tokens until it is answered. */
  function holdToken() {
    const request = deferred<ServerResponse>();
    idp.answers.set('/token', (response) => {
      idp.answers.delete('/token');
      request.resolve(response);
    });
    const reply = async (body: object, status?: number) =>
      sendJson(await request.promise, body, status);
    return {
      asked: request.promise.then(() => {}),
      refuse: () => void reply({ error: 'invalid_grant' }, 400),
      answer: () =>
        void reply({
          access_token: 'late',
          token_type: 'Bearer',
          id_token: identityToken(inAnHour(), 'renewed'),
        }),
    };
  }

  /** Signs in with a token that has to be renewed at once, and holds the next request for tokens. */
  async function expired() {
    idp.behaviour.identityToken = () => identityToken(1, 'expired');
    await ask();
    idp.behaviour.identityToken = () => identityToken(inAnHour(), 'asked');
    return holdToken();
  }

  it('is asked for by those who may, where a renewal that they share with others is refused', async () => {
    const { asked, refuse } = await expired();
    const background = renew();
    await asked;
    const both = [ask(), ask()];
    refuse();
    assert.equal(await background, undefined);
    assert.deepEqual((await Promise.all(both)).map(nameIn), ['asked', 'asked']);
    assert.equal(user.visited.length, 2);
  });

  it('is renewed for the others when the one leaves for whom that began', async () => {
    const { asked, answer } = await expired();
    const leaving = new AbortController();
    const left = assert.rejects(renew(leaving.signal));
    await asked;
    const stays = ask();
    leaving.abort();
    await left;
    answer();
    assert.equal(nameIn(await stays), 'renewed');
    assert.equal(user.visited.length, 1);
  });

  it('is asked for on behalf of the others when the one leaves for whom that began', async () => {
    const { opened, agree } = hesitate(user);
    const leaving = new AbortController();
    const left = assert.rejects(ask(leaving.signal));
    const stays = ask();
    await opened;
    leaving.abort();
    await left;
    agree();
    assert.equal(nameIn(await stays), 'asked');
    assert.equal(user.visited.length, 1);
  });

  it('is offered again in the name of the server that it is asked for, whichever wants it', async () => {
    const { opened, agree } = hesitate(user);
    const offered: string[] = [];
    user.showAgain = ({ name }) => offered.push(name);
    source.showAgain();
    const asked = ask();
    await opened;
    source.showAgain();
    agree();
    await asked;
    source.showAgain();
    assert.deepEqual(offered, ['one']);
  });

  it('is not asked for twice where one sign-in ends while another waits for a renewal', async () => {
    idp.behaviour.identityToken = () => identityToken(1, 'expired');
    await ask();
    idp.behaviour.identityToken = () => identityToken(inAnHour(), 'asked');
    idp.behaviour.refreshError = 'invalid_grant';
    const { opened, agree } = hesitate(user);
    const first = ask();
    await opened;
    const { asked, refuse } = holdToken();
    const second = ask();
    await asked;
    agree();
    await first;
    refuse();
    assert.equal(nameIn(await second), 'asked');
    assert.equal(user.visited.length, 2);
  });

  it('is not waited for in the background while the user is asked', async () => {
    const { opened, agree } = hesitate(user);
    const asked = ask();
    await opened;
    assert.equal(await renew(), undefined);
    agree();
    assert.equal(nameIn(await asked), 'asked');
  });

  it('stays forgotten when a renewal ends after that', async () => {
    const { asked, answer } = await expired();
    const renewed = assert.rejects(renew(), { name: 'CancelledError' });
    await asked;
    await source.forget();
    await renewed;
    answer();
    assert.equal(await renew(), undefined);
    assert.equal(store.texts.size, 0);
  });

  it('stays forgotten when the user agrees on the page after that', async () => {
    const { opened, agree } = hesitate(user);
    const asked = assert.rejects(ask(), { name: 'CancelledError' });
    await opened;
    await source.forget();
    agree();
    await asked;
    assert.equal(await renew(), undefined);
    assert.equal(store.texts.size, 0);
  });
});
