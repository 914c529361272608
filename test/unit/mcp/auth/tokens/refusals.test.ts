import assert from 'node:assert/strict';
import { silentLogger } from '../../../../../src/base/log';
import { Authorization } from '../../../../../src/mcp/auth/authorization';
import { createMemoryStore, createUser } from '../../../../support/workbench/signIn';
import { until } from '../../../../support/until';
import { SignInFixture } from '../signInFixture';

describe('a server that refuses fresh tokens', () => {
  let fixture: SignInFixture;
  beforeEach(async () => {
    fixture = await SignInFixture.start();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const refreshes = () =>
    fixture.authServer
      .requestsTo('/token')
      .filter(({ params }) => params['grant_type'] === 'refresh_token').length;
  /** Makes all tokens invalid from now on, including renewed ones. */
  const refuseAll = () => {
    fixture.authServer.expireAccessTokens();
    fixture.authServer.behaviour.givesVoidTokens = true;
  };
  const notAccepted = {
    kind: 'failed',
    message: 'The server does not accept the sign-in that was just made.',
  };

  for (const type of ['http', 'sse'] as const)
    it(`is signed in to again after a start in vain (${type})`, async () => {
      const url = type === 'sse' ? `${fixture.server.origin}/sse` : fixture.server.url;
      await fixture.signedIn({ type, url });
      refuseAll();
      const server = await fixture.client({ type, url });
      assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
      assert.equal(refreshes(), 1);
      assert.equal(fixture.user.visited.length, 1);

      assert.deepEqual(await server.signIn(), notAccepted);
      assert.equal(fixture.user.visited.length, 2);
      assert.equal(server.state.kind, 'needsSignIn');

      fixture.authServer.behaviour.givesVoidTokens = false;
      assert.deepEqual(await server.signIn(), { kind: 'running' });
    });

  it('is signed in to again for a call, which goes through once in the same session', async () => {
    const server = await fixture.signedIn();
    refuseAll();
    fixture.user.tamper = () => (fixture.authServer.behaviour.givesVoidTokens = false);
    const before = fixture.server.seen.length;
    await server.callTool('read', {});
    const methods = fixture.server.seen.slice(before).map(({ method }) => method);
    assert.deepEqual(methods, ['tools/call', 'tools/call', 'tools/call']);
    assert.deepEqual(fixture.server.called, ['read']);
    assert.equal(refreshes(), 1);
    assert.equal(fixture.user.visited.length, 2);
  });

  it('is not signed in to for one call again and again', async () => {
    const server = await fixture.signedIn();
    refuseAll();
    await assert.rejects(server.callTool('read', {}), /: The server needs a sign-in\.$/);
    assert.equal(fixture.user.visited.length, 3);
    assert.equal(refreshes(), 1);
    await until(() => server.state.kind === 'needsSignIn');
  });

  it('waits for a sign-in after a request that nobody signs in for', async () => {
    const server = await fixture.signedIn();
    refuseAll();
    const reference = { type: 'ref/prompt', name: 'any' } as const;
    await assert.rejects(
      server.complete(reference, { name: 'a', value: '' }, {}),
      /: The server needs a sign-in\.$/,
    );
    await until(() => server.state.kind === 'needsSignIn');
    assert.equal(fixture.user.visited.length, 1);
    assert.equal(refreshes(), 1);
  });

  it('says so where tokens are got without a user, which is tried once for a start', async () => {
    fixture.authServer.addClient('robot', 'hush');
    fixture.authServer.behaviour.givesVoidTokens = true;
    const { issuer } = fixture.authServer;
    const how = { clientId: 'robot', clientSecret: 'hush', issuer };
    const server = await fixture.client({ oauth: { ...how, grantType: 'client_credentials' } });
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
    assert.equal(fixture.authServer.requestsTo('/token').length, 1);
    assert.deepEqual(await server.signIn(), notAccepted);
    assert.equal(fixture.user.visited.length, 0);
  });
});

describe('the sign-in of a server', () => {
  /** Creates a sign-in that has seen these answers to requests for its stream, each with the token that was sent. */
  async function afterAnswers(answers: readonly (readonly [string, number])[]) {
    const authorization = new Authorization(
      { id: 'one', name: 'One' },
      {
        store: createMemoryStore(),
        ui: createUser(),
        identity: { name: 'Test Client' },
        log: silentLogger,
      },
    );
    authorization.attach({ type: 'http', url: 'http://127.0.0.1/mcp', headers: {} });
    for (const [token, status] of answers)
      await authorization.observe(new Response(null, { status }), {
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      });
    return authorization;
  }

  for (const [what, answers, need] of [
    ['one token is refused', [['a', 401]], undefined],
    [
      'one token is refused to several',
      [
        ['a', 401],
        ['a', 401],
      ],
      undefined,
    ],
    [
      'one token after another is refused',
      [
        ['a', 401],
        ['b', 401],
      ],
      'signIn',
    ],
    [
      'a token is refused long after it was renewed',
      [
        ['a', 401],
        ['b', 200],
        ['b', 401],
      ],
      undefined,
    ],
    [
      'a token is refused that was refused before',
      [
        ['a', 401],
        ['b', 503],
        ['b', 401],
      ],
      'signIn',
    ],
  ] as const)
    it(`is ${need ? '' : 'not yet '}needed where ${what}, of a stream that nobody waits for`, async () => {
      assert.equal((await afterAnswers(answers)).need, need);
    });

  it('is announced where a stream is refused in vain', async () => {
    const authorization = await afterAnswers([['a', 401]]);
    const announced = new Promise<void>((resolve) => void authorization.onDidRequire(resolve));
    await authorization.observe(new Response(null, { status: 401 }), { method: 'GET' });
    await announced;
  });
});
