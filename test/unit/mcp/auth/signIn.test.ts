import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { AuthServer } from '../../../fixtures/authServer/authServer';
import { nextTurn } from '../../../../src/base/async';
import { factsOfEntry } from '../../../../src/traffic/entryTexts';
import { until } from '../../../support/until';
import { sendJson } from '../../../fixtures/authServer/http';
import { inEnglish } from '../../../../src/base/translate';
import { signInMs } from '../../../../src/mcp/auth/authorization';
import { diagnose } from '../../../../src/mcp/diagnose';
import { hesitate } from '../../../support/workbench/signIn';
import { SignInFixture } from './signInFixture';

const refused = (code: string, text: string) => (response: ServerResponse) =>
  sendJson(response, { error: code, error_description: text }, 400);

describe('signing in to a server', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const notRegistered = (status: string) =>
    `${fixture.authServer.issuer} refused to register this program (HTTP status ${status}). Register it there by hand and put its id into the server's configuration ("oauth": { "clientId": … }).`;

  for (const greetsStrangers of [false, true]) {
    const when = greetsStrangers ? 'its lists' : 'anything';
    it(`waits for a user where the server wants a sign-in for ${when}`, async () => {
      fixture.server.greetsStrangers = greetsStrangers;
      const server = await fixture.client();
      assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
      assert.deepEqual(server.state, { kind: 'needsSignIn' });
      assert.equal(fixture.user.visited.length, 0);

      assert.deepEqual(await server.signIn(), { kind: 'running' });
      assert.equal(server.state.kind, 'running');
      assert.deepEqual(
        server.tools.items.map(({ name }) => name),
        ['read', 'write', 'erase'],
      );
      assert.equal((await server.callTool('read', {})).isError, false);
    });
  }

  for (const status of [401, 403, 404, 500])
    it(`is asked for once where a gateway refuses server/discover with ${status}, whoever asks`, async () => {
      fixture.server.discoverStatus = status;
      const server = await fixture.client();
      assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
      assert.deepEqual(await server.signIn(), { kind: 'running' });
      assert.equal((await server.callTool('read', {})).isError, false);
      assert.equal(server.state.kind, 'running');
      await server.stop();
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.equal(fixture.user.visited.length, 1);
    });

  it('is not asked for by a gateway that refuses server/discover alone', async () => {
    fixture.server.discoverStatus = 401;
    fixture.server.greetsStrangers = true;
    const server = await fixture.client();
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
    fixture.server.authServer.permissions = () => ['files:read'];
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.equal((await server.callTool('read', {})).isError, false);
    assert.equal(fixture.user.visited.length, 0);
  });

  for (const type of ['http', 'sse'] as const)
    it(`works for a server that only speaks HTTP+SSE, configured as ${type}`, async () => {
      const server = await fixture.client({ type, url: `${fixture.server.origin}/sse` });
      assert.equal((await server.start()).kind, 'needsSignIn');
      assert.deepEqual(await server.signIn(), { kind: 'running' });
      fixture.authServer.expireAccessTokens();
      assert.equal((await server.callTool('read', {})).isError, false);
      assert.equal(fixture.user.visited.length, 1);
    });

  /** Returns the steps of sign-ins in the traffic: where, and what a row says of how each ended. */
  const steps = () =>
    fixture.traffic.entries.map((entry) => {
      const { pathname } = new URL(entry.http?.[0]?.url ?? '');
      const facts = factsOfEntry(entry, (text) => text, inEnglish);
      const timeless = facts.filter((fact) => !/^[\d.]+ m?s$/.test(fact));
      return [pathname.replace(/^\/\.well-known\//, ''), ...timeless].join(' · ');
    });
  const found = [
    'oauth-protected-resource/mcp · HTTP 200',
    'oauth-authorization-server · HTTP 200',
  ];
  const registered = [...found, '/register · HTTP 201'];
  for (const [step, breakIt, seen] of [
    ['none', () => {}, [...registered, '/authorize', '/token · authorization_code · HTTP 200']],
    [
      'the registration',
      ({ answers }) => answers.set('/register', refused('invalid_redirect_uri', 'only https')),
      [...found, '/register · invalid_redirect_uri · only https · HTTP status 400'],
    ],
    [
      'the page in the browser',
      ({ behaviour }) =>
        (behaviour.error = { error: 'access_denied', error_description: 'not on the list' }),
      [...registered, '/authorize · access_denied · not on the list'],
    ],
    [
      'the token',
      ({ answers }) => answers.set('/token', refused('invalid_grant', 'PKCE failed')),
      [
        ...registered,
        '/authorize',
        '/token · authorization_code · invalid_grant · PKCE failed · HTTP status 400',
      ],
    ],
  ] as readonly (readonly [string, (it: AuthServer) => unknown, readonly string[]])[])
    it(`has each step in the traffic, with what was sent and answered, also where one fails: ${step}`, async () => {
      breakIt(fixture.authServer);
      const server = await fixture.client();
      await server.signIn();
      await until(() => steps().length >= seen.length);
      assert.deepEqual(steps().slice(0, seen.length), seen);
      const [resource, metadata, , page] = fixture.traffic.entries.map(({ http }) => http?.[0]);
      assert.deepEqual(Object(resource?.answer).authorization_servers, [fixture.authServer.issuer]);
      assert.equal(Object(metadata?.answer).issuer, fixture.authServer.issuer);
      if (page) assert.equal(page.parameters?.['resource'], fixture.server.origin);
      if (page) assert.doesNotMatch(page.url, /\?/);
      const { state } = Object.fromEntries(fixture.user.visited[0]?.searchParams ?? []);
      const all = JSON.stringify(fixture.traffic.entries.map(({ http }) => http));
      assert.ok(state === undefined || !all.includes(state));
    });

  it('says that it took too long where nobody came back in time, and not that it was cancelled', async () => {
    const late = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => (ms === signInMs ? late.signal : timeout(ms));
    try {
      const server = await fixture.client();
      const { opened } = hesitate(fixture.user);
      const outcome = server.signIn();
      await opened;
      late.abort(new DOMException('The operation timed out.', 'TimeoutError'));
      assert.deepEqual(await outcome, { kind: 'failed', message: 'The sign-in took too long.' });
    } finally {
      AbortSignal.timeout = timeout;
    }
  });

  it('has a page that the user leaves in the traffic', async () => {
    const server = await fixture.client();
    fixture.user.declines = true;
    await server.signIn();
    assert.equal(steps().at(-1), '/authorize · no answer: Cancelled');
  });

  it('is known to be wanted only where something says so, and works where metadata is found all the same', async () => {
    const named = await fixture.client();
    assert.deepEqual(await named.start(), { kind: 'needsSignIn' });
    assert.deepEqual(named.state, { kind: 'needsSignIn' });
    for (const [challenge, isUnexplained] of [
      ['Bearer', false],
      ['Basic realm="a", DPoP', false],
      ['Basic realm="Bearer"', true],
      ['ApiKey', true],
      [undefined, true],
    ] as const) {
      fixture.server.alterChallenge = () => challenge;
      const server = await fixture.client({ id: String(challenge) });
      assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
      const state = { kind: 'needsSignIn', ...(isUnexplained && { isUnexplained }) };
      assert.deepEqual(server.state, state, challenge);
      assert.deepEqual(await server.signIn(), { kind: 'running' });
    }
  });

  it('asks with a code challenge, a state, the resource and what the server named', async () => {
    await fixture.signedIn();
    const [page] = fixture.user.visited;
    const asked = Object.fromEntries(page?.searchParams ?? []);
    assert.equal(page?.origin, fixture.authServer.issuer);
    assert.equal(asked['response_type'], 'code');
    assert.equal(asked['code_challenge_method'], 'S256');
    assert.equal(asked['resource'], fixture.server.origin);
    assert.equal(asked['scope'], 'files:read');
    assert.match(asked['state'] ?? '', /^[0-9a-f]{64}$/);
    assert.match(asked['redirect_uri'] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(
      fixture.authServer.requestsTo('/token')[0]?.params['resource'],
      fixture.server.origin,
    );
  });

  it('registers as a native program without a secret', async () => {
    await fixture.signedIn();
    const [registration] = fixture.authServer.requestsTo('/register');
    const [page] = fixture.user.visited;
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

  it('comes back to a port of this machine where no link of the editor is accepted', async () => {
    const { user, authServer } = fixture;
    let closed = 0;
    const byLink = async () => ({
      redirectUrl: 'vscode://mcp-workbench.mcp-workbench/callback',
      visit: () => Promise.reject(new Error('It must not be visited.')),
      succeed: () => {},
      dispose: () => void (closed += 1),
    });
    user.ways = [byLink, ...user.ways];
    authServer.behaviour.acceptsRedirect = (url) => url.startsWith('http:');
    await fixture.signedIn();
    assert.equal(authServer.requestsTo('/register').length, 2);
    assert.match(user.visited[0]?.searchParams.get('redirect_uri') ?? '', /^http:\/\/127/);
    assert.equal(closed, 1);
  });

  it('says so where no way back is accepted', async () => {
    fixture.authServer.behaviour.acceptsRedirect = () => false;
    const server = await fixture.client();
    const outcome = await server.signIn();
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: notRegistered('400: invalid_redirect_uri'),
    });
    assert.equal(fixture.user.waiting, 0);
  });

  for (const [what, status, body, shown] of [
    [
      'a reason in words',
      403,
      '{"error":"access_denied","error_description":"Ask\u202E IT"}',
      '403: Ask⟨U+202E⟩ IT',
    ],
    ['a page', 404, '<html>Not Found</html>', '404'],
    ['an object without a reason', 405, '{"error":7}', '405'],
    ['nothing, since it is broken', 500, '', '500'],
  ] as const)
    it(`says what to do where a program is not registered: ${what}`, async () => {
      const refuse = (response: ServerResponse) => void response.writeHead(status).end(body);
      fixture.authServer.answers.set('/register', refuse);
      const outcome = await (await fixture.client()).signIn();
      assert.deepEqual(outcome, { kind: 'failed', message: notRegistered(shown) });
    });

  it('says where it failed, which stays known until it succeeds', async () => {
    const { issuer } = fixture.authServer;
    const server = await fixture.client();
    fixture.authServer.behaviour.error = { error: 'server_error', error_description: 'Closed' };
    const problem = `${issuer} refused the sign-in: Closed`;
    assert.deepEqual(await server.signIn(), { kind: 'failed', message: problem });
    assert.deepEqual(server.state, { kind: 'needsSignIn', problem });
    assert.deepEqual(fixture.log.lines.error, [problem]);
    fixture.user.declines = true;
    assert.equal((await server.signIn()).kind, 'refused');
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
    assert.deepEqual(server.state, { kind: 'needsSignIn', problem });
    fixture.user.declines = false;
    fixture.authServer.behaviour.error = undefined;
    assert.deepEqual(await server.signIn(), { kind: 'running' });
    await server.signOut();
    await server.start();
    assert.deepEqual(server.state, { kind: 'needsSignIn' });
  });

  it('does not hold an earlier failure against a server that another window signed in to', async () => {
    const here = await fixture.client();
    fixture.authServer.behaviour.error = { error: 'server_error' };
    await here.signIn();
    fixture.authServer.behaviour.error = undefined;
    await fixture.signedIn();
    assert.deepEqual(await here.start(), { kind: 'running' });
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    await here.stop();
    await here.start();
    assert.deepEqual(here.state, { kind: 'needsSignIn', issuer: fixture.authServer.issuer });
  });

  it('names the authorization server that is away, to the diagnosis too', async () => {
    const { issuer } = fixture.authServer;
    const server = await fixture.client();
    await fixture.authServer[Symbol.asyncDispose]();
    const message = `The sign-in failed at ${issuer}: Nothing listens there (connection refused).`;
    assert.deepEqual(await server.signIn(), { kind: 'failed', message });
    assert.deepEqual(fixture.log.lines.error, [message]);
    const start = () => server.start();
    const [finding] = await diagnose(server, { start, programs: undefined, t: inEnglish });
    assert.deepEqual(finding, {
      level: 'bad',
      title: 'The server requires sign-in, and the last attempt failed',
      detail: message,
      next: 'Fix that, then run "Sign In" on its row again.',
    });
  });

  it('names itself by its metadata document where that is understood', async () => {
    fixture.authServer.behaviour.metadata = { client_id_metadata_document_supported: true };
    const metadataUrl = 'https://example.com/client.json';
    await fixture.signedIn({ metadataUrl });
    assert.equal(fixture.authServer.requestsTo('/register').length, 0);
    assert.equal(fixture.user.visited[0]?.searchParams.get('client_id'), metadataUrl);
  });

  it('uses the configured client and scopes, and keeps the secret out of the store', async () => {
    fixture.authServer.behaviour.metadata = { registration_endpoint: undefined };
    fixture.authServer.addClient('own', 'hush');
    const { issuer } = fixture.authServer;
    const oauth = { clientId: 'own', clientSecret: 'hush', scopes: 'files:write', issuer };
    await fixture.signedIn({ oauth });
    const asked = fixture.user.visited[0]?.searchParams;
    assert.equal(asked?.get('client_id'), 'own');
    assert.equal(asked?.get('scope'), 'files:write files:read');
    assert.doesNotMatch([...fixture.store.texts.values()].join(), /hush/);
    fixture.authServer.expireAccessTokens();
    const again = await fixture.client({ oauth });
    assert.deepEqual(await again.start(), { kind: 'running' });
  });

  it('takes a configured issuer with or without a slash at its end', async () => {
    fixture.authServer.addClient('own', '');
    for (const end of ['', '/']) {
      const issuer = fixture.authServer.issuer + end;
      await fixture.signedIn({ id: `server${end}`, oauth: { clientId: 'own', issuer } });
    }
    assert.equal(fixture.user.visited.length, 2);
  });

  it('does not renew what another client was given', async () => {
    fixture.authServer.addClient('own', '');
    fixture.authServer.addClient('other', '');
    await fixture.signedIn({ oauth: { clientId: 'own' } });
    fixture.authServer.expireAccessTokens();
    const server = await fixture.client({ oauth: { clientId: 'other' } });
    assert.equal((await server.start()).kind, 'needsSignIn');
    assert.equal(fixture.authServer.requestsTo('/token').length, 1);
  });

  for (const text of ['{', 'null', '[]', '{"resource":"…"}', '{"resource":"…","grants":{}}'])
    it(`does without a store that holds ${text}`, async () => {
      fixture.store.texts.set('signIn:one', text.replace('…', fixture.server.url));
      const server = await fixture.client();
      assert.equal((await server.start()).kind, 'needsSignIn');
      assert.equal((await server.signIn()).kind, 'running');
    });

  it('asks the store again after it failed', async () => {
    await fixture.signedIn();
    const works = fixture.store.get.bind(fixture.store);
    const server = await fixture.client();
    fixture.store.get = () => Promise.reject(new Error('The key ring is locked'));
    const outcome = await server.start();
    assert.match('message' in outcome ? outcome.message : '', /The key ring is locked/);
    fixture.store.get = works;
    assert.equal((await server.start()).kind, 'running');
  });

  it('says so when the server does not take the new sign-in', async () => {
    fixture.authServer.permissions = () => undefined;
    const server = await fixture.client();
    assert.deepEqual(await server.signIn(), {
      kind: 'failed',
      message: 'The server does not accept the sign-in that was just made.',
    });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('does not have the user sign in for one call again and again', async () => {
    const server = await fixture.signedIn();
    fixture.server.refusesCalls = true;
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    await assert.rejects(server.callTool('read', {}), /The server needs a sign-in/);
    assert.equal(fixture.user.visited.length, 3);
  });

  it('says what to do where the authorization server registers nobody', async () => {
    fixture.authServer.behaviour.metadata = { registration_endpoint: undefined };
    const outcome = await (await fixture.client()).signIn();
    assert.equal(outcome.kind, 'failed');
    assert.match('message' in outcome ? outcome.message : '', /"oauth": \{ "clientId"/);
    assert.equal(fixture.user.visited.length, 0);
  });

  it('says what to do where a server says nothing of a sign-in', async () => {
    const refuse = (response: ServerResponse) => void response.writeHead(401).end();
    fixture.server.answers.set('/mcp', refuse);
    fixture.server.answers.set('/.well-known/oauth-protected-resource/mcp', refuse);
    const outcome = await (await fixture.client()).signIn();
    assert.equal(outcome.kind, 'failed');
    assert.match('message' in outcome ? outcome.message : '', /add an "Authorization" header/);
    assert.equal(fixture.user.visited.length, 0);
  });

  it('stays signed in over restarts, without the user', async () => {
    await fixture.signedIn();
    const later = await fixture.client();
    assert.deepEqual(await later.start(), { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is done once for several windows', async () => {
    const here = await fixture.client();
    assert.equal((await here.start()).kind, 'needsSignIn');
    await fixture.signedIn();
    assert.deepEqual(await here.start(), { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('has nothing and shows so after the user declined', async () => {
    fixture.user.declines = true;
    const server = await fixture.client();
    assert.deepEqual(await server.signIn(), {
      kind: 'refused',
      message: 'The sign-in was cancelled.',
      byUser: true,
    });
    assert.equal(server.state.kind, 'needsSignIn');
    assert.equal(fixture.store.texts.size, 0);
    assert.equal(fixture.user.waiting, 0);
  });

  const refusals: readonly (readonly [string, AuthServer['behaviour']['error'], string])[] = [
    ['a bare denial', { error: 'access_denied' }, '.'],
    ['a denial without words', { error: 'access_denied', error_description: '' }, '.'],
    [
      'the reason of a denial',
      { error: 'access_denied', error_description: 'Your account is blocked' },
      ': Your account is blocked',
    ],
    [
      'another error, hidden characters shown',
      { error: 'server_error', error_description: 'Come back\u202E later' },
      ': Come back⟨U+202E⟩ later',
    ],
    ['an error without words', { error: 'server_error', error_description: '' }, ': server_error'],
  ];
  for (const [what, error, words] of refusals)
    it(`passes on that the authorization server refused: ${what}`, async () => {
      fixture.authServer.behaviour.error = error;
      assert.deepEqual(await (await fixture.client()).signIn(), {
        kind: 'failed',
        message: `${fixture.authServer.issuer} refused the sign-in${words}`,
      });
    });

  const endings: readonly (readonly [string, (user: SignInFixture) => void, RegExp])[] = [
    ['an exchange that succeeds', () => {}, /Done/],
    ['a refusal', ({ authServer }) => (authServer.behaviour.error = { error: 'x' }), /Failed/],
    ['an answer of another issuer', ({ authServer }) => (authServer.behaviour.iss = 'y'), /Failed/],
    ['an exchange that fails', ({ user }) => (user.tamper = (a) => a.set('code', 'z')), /Failed/],
  ];
  for (const [what, prepare, expected] of endings)
    it(`shows in the browser what came of ${what}`, async () => {
      prepare(fixture);
      await (await fixture.client()).signIn();
      assert.match((await fixture.user.pages[0]) ?? '', expected);
    });

  it('does not take an answer without a code', async () => {
    fixture.user.tamper = (answer) => answer.delete('code');
    const outcome = await (await fixture.client()).signIn();
    assert.match(
      'message' in outcome ? outcome.message : '',
      /answered the sign-in without a code/,
    );
    assert.equal(fixture.authServer.requestsTo('/token').length, 0);
  });

  it('forgets everything when the user signs out', async () => {
    const server = await fixture.signedIn();
    await server.signOut();
    assert.equal(server.state.kind, 'stopped');
    assert.equal(fixture.store.texts.size, 0);
    assert.equal((await server.start()).kind, 'needsSignIn');
  });

  it('says that a configured header is refused instead of signing in', async () => {
    const server = await fixture.client({ headers: { authorization: 'Bearer wrong' } });
    const message =
      'The server refuses the configured Authorization header. Check its value, or remove it to sign in with the browser.';
    assert.deepEqual(await server.signIn(), { kind: 'failed', message });
    assert.equal(fixture.user.visited.length, 0);
    assert.equal(fixture.authServer.seen.length, 0);
  });

  it('signs in for a call that a user waits for, and makes the call', async () => {
    const server = await fixture.client();
    assert.equal((await server.callTool('read', {})).isError, false);
    assert.deepEqual(fixture.server.called, ['read']);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('does not sign in for a completion', async () => {
    const server = await fixture.client();
    const reference = { type: 'ref/prompt', name: 'any' } as const;
    await assert.rejects(
      server.complete(reference, { name: 'a', value: '' }, {}),
      /"one" could not complete "a": it is not running\. It needs a sign-in\./,
    );
    assert.equal(fixture.user.visited.length, 0);
  });

  it('shares one sign-in between calls that want it at the same time', async () => {
    const server = await fixture.client();
    await Promise.all([server.callTool('read', {}), server.callTool('read', {})]);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('goes on for the user who joined it when the call that began it is cancelled', async () => {
    const server = await fixture.client();
    const { opened, agree } = hesitate(fixture.user);
    const call = new AbortController();
    const called = assert.rejects(server.callTool('read', {}, { signal: call.signal }), {
      name: 'CancelledError',
    });
    await opened;
    const joined = new Promise<void>((resolve) => (fixture.user.showAgain = () => resolve()));
    const signedIn = server.signIn();
    await joined;
    call.abort();
    await called;
    agree();
    assert.deepEqual(await signedIn, { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is not waited for by a call that is cancelled while others sign in', async () => {
    const server = await fixture.client();
    const { opened, agree } = hesitate(fixture.user);
    const signedIn = server.signIn();
    await opened;
    const call = new AbortController();
    const called = server.callTool('read', {}, { signal: call.signal });
    await new Promise<void>((resolve) => {
      server.onDidChangeState(({ kind }) => kind === 'needsSignIn' && resolve());
    });
    await nextTurn();
    call.abort();
    await assert.rejects(called, { name: 'CancelledError' });
    agree();
    assert.deepEqual(await signedIn, { kind: 'running' });
    assert.deepEqual(fixture.server.called, []);
  });

  it('ends when the call that it is for is cancelled, and begins anew for the next', async () => {
    const server = await fixture.client();
    const { opened } = hesitate(fixture.user);
    const call = new AbortController();
    const called = server.callTool('read', {}, { signal: call.signal });
    await opened;
    call.abort();
    await assert.rejects(called, { name: 'CancelledError' });
    assert.equal(server.state.kind, 'needsSignIn');
    fixture.user.agree = async () => {};
    assert.deepEqual(await server.signIn(), { kind: 'running' });
    assert.equal(fixture.user.waiting, 0);
  });
});
