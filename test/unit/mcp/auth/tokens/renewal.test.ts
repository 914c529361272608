import assert from 'node:assert/strict';
import { AuthServer, directoryPath } from '../../../../fixtures/authServer/authServer';
import { loadMinifiedCore } from '../../../../support/minifiedCore';
import { SignInFixture } from '../signInFixture';

describe('an access token that is no longer valid', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const refreshes = () =>
    fixture.authServer
      .requestsTo('/token')
      .filter(({ params }) => params['grant_type'] === 'refresh_token');

  it('is renewed in the middle of a session, and the call goes through once', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    await server.callTool('read', {});
    assert.deepEqual(fixture.server.called, ['read']);
    assert.equal(refreshes().length, 1);
    assert.equal(refreshes()[0]?.params['resource'], fixture.server.origin);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is renewed with the secret that the authorization server gave at the registration', async () => {
    fixture.authServer.behaviour.secretExpiresAt = 0;
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    await server.callTool('read', {});
    assert.deepEqual(fixture.server.called, ['read']);
    assert.match(refreshes()[0]?.headers.authorization ?? '', /^Basic /);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is renewed once for many calls', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    await Promise.all(Array.from({ length: 10 }, () => server.callTool('read', {})));
    assert.equal(fixture.server.called.length, 10);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is renewed before it expires', async () => {
    await fixture.signedIn();
    fixture.ageTokens();
    const before = fixture.server.seen.length;
    const later = await fixture.client();
    await later.start();
    assert.equal(refreshes().length, 1);
    const refused = fixture.server.seen.slice(before);
    assert.deepEqual(
      refused.filter(({ headers }) => headers.authorization === undefined),
      [],
    );
  });

  for (const lifetime of [0, 0.001, 2])
    it(`is used until it is refused where it is said to live for ${lifetime} s`, async () => {
      fixture.authServer.behaviour.expiresIn = lifetime;
      const server = await fixture.signedIn();
      for (let call = 0; call < 5; call += 1) await server.callTool('read', {});
      assert.equal(refreshes().length, 0);
      fixture.authServer.expireAccessTokens();
      for (let call = 0; call < 5; call += 1) await server.callTool('read', {});
      assert.equal(refreshes().length, 1);
      assert.equal(fixture.server.called.length, 10);
      assert.equal(fixture.user.visited.length, 1);
    });

  it('is taken from another window that renewed it', async () => {
    const here = await fixture.signedIn();
    const there = await fixture.client();
    await there.start();
    fixture.authServer.expireAccessTokens();
    await there.callTool('read', {});
    await here.callTool('read', {});
    assert.equal(refreshes().length, 1);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('needs a sign-in when it cannot be renewed; the issuer is known by then', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    fixture.user.declines = true;
    await assert.rejects(
      server.callTool('read', {}),
      /"one" could not call the tool "read"\. The sign-in was cancelled\./,
    );
    assert.deepEqual(server.state, { kind: 'needsSignIn', issuer: fixture.authServer.issuer });

    fixture.user.declines = false;
    assert.deepEqual(await server.signIn(), { kind: 'running' });
  });

  it('is renewed at no other place than the one where the code went, which the user saw', async () => {
    await using moved = await AuthServer.start();
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.metadata = { token_endpoint: `${moved.issuer}/token` };
    fixture.user.declines = true;
    await assert.rejects(server.callTool('read', {}), /The sign-in was cancelled/);
    assert.deepEqual(moved.requestsTo('/token'), []);
    assert.deepEqual(refreshes(), []);
  });

  for (const status of [429, 403, 502])
    it(`can be renewed later where its place is not known for a while (${status})`, async () => {
      const { answers, behaviour, issuer } = fixture.authServer;
      // Without metadata, only the issuer's own address would be left.
      const elsewhere = issuer.replace('127.0.0.1', 'localhost');
      behaviour.metadata = { token_endpoint: `${elsewhere}/token` };
      const server = await fixture.signedIn();
      fixture.authServer.expireAccessTokens();
      answers.set(behaviour.metadataPath, (response) => void response.writeHead(status).end());
      fixture.user.declines = true;
      await assert.rejects(server.callTool('read', {}));
      assert.deepEqual(refreshes(), []);
      answers.clear();
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.equal(refreshes().length, 1);
      assert.equal(fixture.user.visited.length, 1);
    });

  it('can be replaced by a sign-in while the authorization server has troubles', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'server_error';
    fixture.user.declines = true;
    await assert.rejects(server.callTool('read', {}), /The sign-in was cancelled/);
    assert.equal(server.state.kind, 'needsSignIn');
    // The trouble is over, and the stored tokens are still valid.
    fixture.authServer.behaviour.refreshError = undefined;
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('is said to be out of reach where the authorization server is', async () => {
    await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    await fixture.authServer[Symbol.asyncDispose]();
    const outcome = await (await fixture.client()).start();
    assert.match(
      'message' in outcome ? outcome.message : '',
      /^The sign-in failed at http:\/\/\S+: Nothing listens there \(connection refused\)\.$/,
    );
  });

  it('is replaced by a sign-in in the middle of a session, which goes on', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.refreshError = 'invalid_grant';
    const before = fixture.server.seen.length;
    await server.callTool('read', {});
    const methods = fixture.server.seen.slice(before).map(({ method }) => method);
    assert.deepEqual(methods, ['tools/call', 'tools/call']);
    assert.equal(fixture.user.visited.length, 2);
  });

  it('is not renewed at an authorization server that the server moved to', async () => {
    fixture.authServer.behaviour.secretExpiresAt = 0;
    const server = await fixture.signedIn();
    const other = await AuthServer.start();
    const refreshToken = JSON.stringify([...fixture.store.texts.values()]).match(/refresh-[-\w]+/);
    fixture.server.authServer = other;
    fixture.authServer.expireAccessTokens();
    assert.equal((await server.signIn()).kind, 'running');
    await server.callTool('read', {});
    const leaked = JSON.stringify(other.seen).includes(refreshToken?.[0] ?? 'none');
    assert.equal(leaked, false);
    assert.ok(other.seen.every(({ headers }) => headers.authorization === undefined));
    assert.equal(other.requestsTo('/register').length, 1);
    assert.equal(refreshes().length, 0);
    await other[Symbol.asyncDispose]();
  });
});

describe('the permissions that a renewal names', () => {
  const directory = (number: number, error = 'invalid_request') => ({
    error,
    error_description: `AADSTS${number}: Something is wrong. Trace ID: 1`,
  });
  const invalid = { error: 'invalid_scope' };
  const needs = (refusal: Readonly<Record<string, string>>) => (scope: string | undefined) =>
    scope === undefined ? refusal : undefined;
  const refuses = (refusal: Readonly<Record<string, string>>) => (scope: string | undefined) =>
    scope === undefined ? undefined : refusal;
  const granted = 'files:read/.default';

  /** How an authorization server takes permissions, and what each of two renewals names in turn. */
  const servers: readonly (readonly [
    string,
    (scope: string | undefined) => Readonly<Record<string, string>> | undefined,
    readonly (string | undefined)[],
    number,
  ])[] = [
    ['takes any', () => undefined, ['files:read', 'files:read'], 1],
    [
      'needs some, as the client is the resource',
      needs(directory(90009)),
      ['files:read', 'files:read'],
      1,
    ],
    [
      'needs some, as the parameter is required',
      needs(directory(900144)),
      ['files:read', 'files:read'],
      1,
    ],
    [
      'needs some, and calls it an empty scope',
      needs(directory(28003, 'invalid_grant')),
      ['files:read', 'files:read'],
      1,
    ],
    [
      'takes those that were requested alone',
      (scope) => (scope === 'files:read' ? undefined : invalid),
      ['files:read', 'files:read'],
      1,
    ],
    ['refuses any', refuses(invalid), ['files:read', undefined, undefined], 1],
    [
      'refuses any by its number',
      refuses(directory(70011)),
      ['files:read', undefined, undefined],
      1,
    ],
    [
      'refuses any as those of two resources',
      refuses(directory(28000)),
      ['files:read', undefined, undefined],
      1,
    ],
    [
      'refuses any as a parameter',
      refuses({ error: 'invalid_request', error_description: 'Unknown parameter: scope' }),
      ['files:read', undefined, undefined],
      1,
    ],
    ['renews neither way', () => invalid, ['files:read', undefined, 'files:read', undefined], 3],
    ['renews nothing', () => ({ error: 'invalid_grant' }), ['files:read', 'files:read'], 3],
  ];
  for (const [what, refusesRenewal, named, visits] of servers)
    it(`are ${named.map((one) => one ?? 'none').join(', then ')} where the authorization server ${what}`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer, user } = fixture;
      authServer.behaviour.refusesRenewal = refusesRenewal;
      // What was granted is not what was requested; another sign-in would request that, too.
      if (visits === 1) authServer.behaviour.extraScope = granted;
      const server = await fixture.signedIn();
      for (const _again of [1, 2]) {
        authServer.expireAccessTokens();
        await server.callTool('read', {});
      }
      const renewals = authServer
        .requestsTo('/token')
        .filter(({ params }) => params['grant_type'] === 'refresh_token');
      assert.deepEqual(
        renewals.map(({ params }) => params['scope']),
        named,
      );
      assert.equal(user.visited.length, visits);
    });

  it('stay those that worked for the next window, and after another sign-in', async () => {
    await using fixture = await SignInFixture.start();
    const { authServer, user } = fixture;
    const refused: (string | undefined)[] = [];
    authServer.behaviour.refusesRenewal = (scope) => {
      refused.push(scope);
      return scope === undefined ? undefined : invalid;
    };
    await fixture.signedIn();
    authServer.expireAccessTokens();
    await (await fixture.client()).start();
    assert.deepEqual(refused.splice(0), ['files:read', undefined]);
    authServer.expireAccessTokens();
    const there = await fixture.client();
    await there.start();
    await there.callTool('write', {});
    assert.equal(user.visited.length, 2);
    authServer.expireAccessTokens();
    await there.callTool('read', {});
    assert.deepEqual(refused, [undefined, undefined]);
  });

  it('are named again where the way that worked is refused for lack of them', async () => {
    await using fixture = await SignInFixture.start();
    const { authServer, user } = fixture;
    const server = await fixture.signedIn();
    for (const refusesRenewal of [refuses(invalid), needs(directory(90009))]) {
      authServer.behaviour.refusesRenewal = refusesRenewal;
      authServer.expireAccessTokens();
      await server.callTool('read', {});
    }
    assert.equal(user.visited.length, 1);
  });
});

describe('the resource that a renewal names', () => {
  const target = { error: 'invalid_target' };
  const directory = (number: number, error = 'invalid_request') => ({
    error,
    error_description: `AADSTS${number}: Something is wrong. Trace ID: 1`,
  });
  const refuses =
    (refusal: Readonly<Record<string, string>>) =>
    (_scope: string | undefined, resource: string | undefined) =>
      resource === undefined ? undefined : refusal;
  const own = 'its own';
  const once = [own, undefined, undefined];

  /** How an authorization server takes a resource, and what each of two renewals names in turn. */
  const servers: readonly (readonly [
    string,
    (
      scope: string | undefined,
      resource: string | undefined,
    ) => Readonly<Record<string, string>> | undefined,
    readonly (string | undefined)[],
    number,
  ])[] = [
    ['takes it', () => undefined, [own, own], 1],
    ['refuses any', refuses(target), once, 1],
    ['refuses any that is not one of the permissions', refuses(directory(9010010)), once, 1],
    ['refuses any by another name', refuses(directory(9010010, 'invalid_grant')), once, 1],
    ['has no such parameter', refuses(directory(901002)), once, 1],
    ['does not know it', refuses(directory(50001, 'invalid_resource')), once, 1],
    [
      'says that it has no such parameter',
      refuses({ error: 'invalid_request', error_description: 'Unsupported parameter: resource' }),
      once,
      1,
    ],
    [
      'refuses it and permissions',
      (scope, resource) => (scope ? { error: 'invalid_scope' } : resource ? target : undefined),
      [own, own, undefined, undefined],
      1,
    ],
    ['renews neither way', () => target, [own, undefined, own, undefined], 3],
  ];
  for (const [what, refusesRenewal, named, visits] of servers)
    it(`is ${named.map((one) => one ?? 'none').join(', then ')} where the authorization server ${what}`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer, user, server } = fixture;
      authServer.behaviour.refusesRenewal = refusesRenewal;
      const client = await fixture.signedIn();
      for (const _again of [1, 2]) {
        authServer.expireAccessTokens();
        await client.callTool('read', {});
      }
      const renewals = authServer
        .requestsTo('/token')
        .filter(({ params }) => params['grant_type'] === 'refresh_token');
      assert.deepEqual(
        renewals.map(({ params }) => params['resource']),
        named.map((one) => one && server.origin),
      );
      assert.equal(user.visited.length, visits);
    });

  for (const [scopes, isNamed] of [
    ['api://files/.default', false],
    ['https://files.example/user_impersonation offline_access', false],
    ['4f1c1f4e-0f0e-4d5c-9a57-6d3c6a3a8f11/.default', false],
    ['offline_access openid', true],
  ] as const)
    it(`is ${isNamed ? 'its own' : 'none, as at the sign-in,'} at a directory of Microsoft with the permission ${scopes}`, async () => {
      await using fixture = await SignInFixture.start();
      const { authServer, server, user } = fixture;
      authServer.behaviour.metadata = {
        authorization_endpoint: `${authServer.issuer}${directoryPath}?p=policy`,
      };
      const expected = isNamed ? server.origin : undefined;
      server.wantedResource = expected ?? '';
      const client = await fixture.signedIn({ oauth: { scopes } });
      authServer.expireAccessTokens();
      await client.callTool('read', {});
      const asked = authServer.requestsTo('/token').map(({ params }) => params['resource']);
      assert.deepEqual(asked, [expected, expected]);
      const [page] = user.visited;
      assert.deepEqual(
        [page?.pathname, page?.searchParams.get('resource') ?? undefined],
        [directoryPath, expected],
      );
    });
});

const cores = { 'the sources': undefined, 'the minified core': loadMinifiedCore() };
for (const [from, core] of Object.entries(cores)) describeStepUp(from, core);

function describeStepUp(from: string, core: ReturnType<typeof loadMinifiedCore> | undefined) {
  describe(`a call that needs more permissions, of ${from}`, () => {
    let fixture: SignInFixture;
    beforeEach(async () => {
      fixture = await SignInFixture.start(core);
    });
    afterEach(() => fixture[Symbol.asyncDispose]());

    it('has the user grant them, with those that there were, and goes through once', async () => {
      const server = await fixture.signedIn();
      await server.callTool('write', {});
      assert.deepEqual(fixture.server.called, ['write']);
      assert.equal(fixture.user.visited[1]?.searchParams.get('scope'), 'files:read files:write');
      await server.callTool('erase', {});
      const scope = 'files:read files:write files:erase';
      assert.equal(fixture.user.visited[2]?.searchParams.get('scope'), scope);
      await server.callTool('write', {});
      assert.equal(fixture.user.visited.length, 3);
    });

    it('shows the lists that it gives access to after the user signed in for them', async () => {
      fixture.server.listScope = 'files:list';
      const server = await fixture.signedIn();
      assert.equal(server.tools.status, 'failed');
      assert.equal((await server.signIn()).kind, 'running');
      assert.equal(server.tools.status, 'loaded');
      assert.equal(server.tools.items.length, 3);
      assert.equal(fixture.user.visited.length, 2);
    });

    it('keeps what the authorization server gave unasked', async () => {
      fixture.authServer.behaviour.extraScope = 'profile';
      const server = await fixture.signedIn();
      await server.callTool('write', {});
      const scope = 'files:read profile files:write';
      assert.equal(fixture.user.visited[1]?.searchParams.get('scope'), scope);
    });

    it('does not ask again for what the last sign-in already asked for', async () => {
      const server = await fixture.signedIn();
      const granted = fixture.authServer.permissions.bind(fixture.authServer);
      fixture.authServer.permissions = (token, resource) =>
        granted(token, resource)?.filter((scope) => scope !== 'files:write');
      await assert.rejects(
        server.callTool('write', {}),
        /It wants the permission "files:write", which the sign-in already asked for\./,
      );
      assert.equal(fixture.user.visited.length, 2);
      assert.deepEqual(fixture.server.called, []);
      assert.equal(server.state.kind, 'running');
    });
  });
}
