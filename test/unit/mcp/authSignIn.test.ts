import assert from 'node:assert/strict';
import { SignInFixture } from './signInFixture';

describe('signing in to a server', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  for (const greetsStrangers of [false, true]) {
    const when = greetsStrangers ? 'its lists' : 'anything';
    it(`waits for a person where the server wants a sign-in for ${when}`, async () => {
      fixture.server.greetsStrangers = greetsStrangers;
      const server = await fixture.client();
      assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
      assert.deepEqual(server.state, { kind: 'needsSignIn' });
      assert.equal(fixture.person.visited.length, 0);

      assert.deepEqual(await server.signIn(), { kind: 'running' });
      assert.equal(server.state.kind, 'running');
      assert.deepEqual(
        server.tools.items.map(({ name }) => name),
        ['read', 'write', 'erase'],
      );
      assert.equal((await server.callTool('read', {})).isError, false);
    });
  }

  it('asks with a code challenge, a state, the resource and what the server named', async () => {
    await fixture.signedIn();
    const [page] = fixture.person.visited;
    const asked = Object.fromEntries(page?.searchParams ?? []);
    assert.equal(page?.origin, fixture.authServer.issuer);
    assert.equal(asked['response_type'], 'code');
    assert.equal(asked['code_challenge_method'], 'S256');
    assert.equal(asked['resource'], fixture.server.url);
    assert.equal(asked['scope'], 'files:read');
    assert.match(asked['state'] ?? '', /^[0-9a-f]{64}$/);
    assert.match(asked['redirect_uri'] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(
      fixture.authServer.requestsTo('/token')[0]?.params['resource'],
      fixture.server.url,
    );
  });

  it('registers as a native program without a secret', async () => {
    await fixture.signedIn();
    const [registration] = fixture.authServer.requestsTo('/register');
    const [page] = fixture.person.visited;
    assert.deepEqual(registration?.params, {
      client_name: 'Test Client',
      redirect_uris: [page?.searchParams.get('redirect_uri')],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      scope: 'files:read',
    });
  });

  it('names itself by its metadata document where that is understood', async () => {
    fixture.authServer.behaviour.metadata = { client_id_metadata_document_supported: true };
    const metadataUrl = 'https://example.com/client.json';
    await fixture.signedIn({ metadataUrl });
    assert.equal(fixture.authServer.requestsTo('/register').length, 0);
    assert.equal(fixture.person.visited[0]?.searchParams.get('client_id'), metadataUrl);
  });

  it('uses the configured client and scopes, and keeps the secret out of the store', async () => {
    fixture.authServer.behaviour.metadata = { registration_endpoint: undefined };
    fixture.authServer.addClient('own', 'hush');
    const oauth = { clientId: 'own', clientSecret: 'hush', scopes: 'files:write' };
    await fixture.signedIn({ oauth });
    const asked = fixture.person.visited[0]?.searchParams;
    assert.equal(asked?.get('client_id'), 'own');
    assert.equal(asked?.get('scope'), 'files:write files:read');
    assert.doesNotMatch([...fixture.store.texts.values()].join(), /hush/);
    fixture.authServer.expireAccessTokens();
    const again = await fixture.client({ oauth });
    assert.deepEqual(await again.start(), { kind: 'running' });
  });

  it('says what to do where the authorization server registers nobody', async () => {
    fixture.authServer.behaviour.metadata = { registration_endpoint: undefined };
    const outcome = await (await fixture.client()).signIn();
    assert.equal(outcome.kind, 'failed');
    assert.match('message' in outcome ? outcome.message : '', /"oauth": \{ "clientId"/);
    assert.equal(fixture.person.visited.length, 0);
  });

  it('stays signed in over restarts, without the person', async () => {
    await fixture.signedIn();
    const later = await fixture.client();
    assert.deepEqual(await later.start(), { kind: 'running' });
    assert.equal(fixture.person.visited.length, 1);
  });

  it('has nothing and shows so after the person declined', async () => {
    fixture.person.declines = true;
    const server = await fixture.client();
    assert.deepEqual(await server.signIn(), {
      kind: 'refused',
      message: 'The sign-in was cancelled.',
    });
    assert.equal(server.state.kind, 'needsSignIn');
    assert.equal(fixture.store.texts.size, 0);
    assert.equal(fixture.person.waiting, 0);
  });

  it('takes a refusal of the person at the authorization server for what it is', async () => {
    fixture.authServer.behaviour.error = { error: 'access_denied' };
    assert.equal((await (await fixture.client()).signIn()).kind, 'refused');
  });

  it('passes on why the authorization server refused, hidden characters shown', async () => {
    fixture.authServer.behaviour.error = {
      error: 'server_error',
      error_description: 'Come back\u202E later',
    };
    const outcome = await (await fixture.client()).signIn();
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: `${fixture.authServer.issuer} refused the sign-in: Come back⟨U+202E⟩ later`,
    });
  });

  it('forgets everything when the person signs out', async () => {
    const server = await fixture.signedIn();
    await server.signOut();
    assert.equal(server.state.kind, 'stopped');
    assert.equal(fixture.store.texts.size, 0);
    assert.equal((await server.start()).kind, 'needsSignIn');
  });

  it('says that a configured header is refused instead of signing in', async () => {
    const server = await fixture.client({ headers: { authorization: 'Bearer wrong' } });
    const message = 'The server refuses the configured Authorization header.';
    assert.deepEqual(await server.signIn(), { kind: 'failed', message });
    assert.equal(fixture.person.visited.length, 0);
    assert.equal(fixture.authServer.seen.length, 0);
  });

  it('signs in for a call that a person waits for, and makes the call', async () => {
    const server = await fixture.client();
    assert.equal((await server.callTool('read', {})).isError, false);
    assert.deepEqual(fixture.server.called, ['read']);
    assert.equal(fixture.person.visited.length, 1);
  });

  it('does not sign in for a completion', async () => {
    const server = await fixture.client();
    const reference = { type: 'ref/prompt', name: 'any' } as const;
    await assert.rejects(
      server.complete(reference, { name: 'a', value: '' }, {}),
      /"one" could not complete "a": it is not running\. It needs a sign-in\./,
    );
    assert.equal(fixture.person.visited.length, 0);
  });

  it('shares one sign-in between calls that want it at the same time', async () => {
    const server = await fixture.client();
    await Promise.all([server.callTool('read', {}), server.callTool('read', {})]);
    assert.equal(fixture.person.visited.length, 1);
  });
});
