import assert from 'node:assert/strict';
import { createSignInNetwork } from '../../../../src/mcp/node/signInNetwork';
import { BrowserIdentity } from '../../../../src/mcp/auth/identity/browserIdentity';
import {
  type Identity,
  type IdentityProvider,
  readIdentityProvider,
} from '../../../../src/mcp/auth/identity/identity';
import { AuthServer } from '../../../fixtures/authServer/authServer';
import { SignInFixture, type ClientOptions } from './signInFixture';

type Claims = Readonly<Record<string, unknown>>;

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const jwt = (claims: Claims) => `${encode({ alg: 'none' })}.${encode(claims)}.signature`;
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('enterprise-managed authorization', () => {
  let fixture: SignInFixture;
  let idp: AuthServer;
  let provider: IdentityProvider;
  let source: BrowserIdentity;
  /** Override the identity provider's claims. */
  let identityClaims: Claims;
  let grantClaims: Claims;

  beforeEach(async () => {
    fixture = await SignInFixture.start();
    idp = await AuthServer.start();
    fixture.authServer.addClient('workbench', 'hush');
    idp.addClient('at-idp', '');
    provider = { issuer: idp.issuer, clientId: 'at-idp' };
    identityClaims = {};
    grantClaims = {};
    idp.behaviour.identityToken = (aud) =>
      jwt({ iss: idp.issuer, aud, sub: 'somebody', exp: inAnHour(), ...identityClaims });
    idp.behaviour.exchange = ({ audience, resource }) => ({
      access_token: jwt({ aud: audience, resource, ...grantClaims }),
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
    });
    use({});
    fixture.findIdentity = async (name): Promise<Identity | undefined> =>
      name === 'acme' ? { name, provider, source } : undefined;
  });
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]();
    await idp[Symbol.asyncDispose]();
  });

  /** Adds something to what is configured of the identity provider. */
  const use = (more: Partial<IdentityProvider>) => {
    provider = { ...provider, ...more };
    const { store, user: ui } = fixture;
    source = new BrowserIdentity(provider, { store, ui, network: createSignInNetwork() });
  };
  const managed = (more: object = {}): ClientOptions => ({
    oauth: {
      clientId: 'workbench',
      clientSecret: 'hush',
      issuer: fixture.authServer.issuer,
      provider: 'acme',
      ...more,
    },
  });
  const refused = async (options: ClientOptions = managed()) => {
    const outcome = await (await fixture.client(options)).signIn();
    return 'message' in outcome ? outcome.message : outcome.kind;
  };
  const exchanges = () =>
    idp.requestsTo('/token').filter(({ params }) => params['grant_type']?.endsWith('exchange'));

  it('signs in at the identity provider alone, and calls in the name of who signed in', async () => {
    const server = await fixture.signedIn(managed());
    await server.callTool('read', {});
    assert.deepEqual(
      fixture.user.visited.map(({ origin }) => origin),
      [idp.issuer],
    );
    const [exchange] = exchanges();
    assert.equal(exchange?.params['audience'], fixture.authServer.issuer);
    assert.equal(exchange?.params['resource'], fixture.server.origin);
    const [request] = fixture.authServer.requestsTo('/token');
    assert.match(request?.params['grant_type'] ?? '', /:jwt-bearer$/);
    assert.match(request?.headers.authorization ?? '', /^Basic /);
  });

  it('waits for the user where nobody signed in yet, and needs no second page after that', async () => {
    const server = await fixture.client(managed());
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
    assert.equal(fixture.user.visited.length, 0);
    await server.signIn();
    const other = await fixture.client({ ...managed(), id: 'two' });
    assert.deepEqual(await other.start(), { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('gets new tokens without the user where those of the server expire', async () => {
    const server = await fixture.signedIn(managed());
    fixture.authServer.expireAccessTokens();
    await server.callTool('read', {});
    assert.deepEqual(fixture.server.called, ['read']);
    assert.equal(fixture.user.visited.length, 1);
  });

  it('renews an identity token that has expired', async () => {
    identityClaims = { exp: 1 };
    await fixture.client(managed()).then((server) => server.signIn());
    identityClaims = {};
    const later = await fixture.client(managed());
    assert.deepEqual(await later.start(), { kind: 'running' });
    assert.equal(fixture.user.visited.length, 1);
  });

  it('signs in where the identity provider says and gets its tokens where the user says', async () => {
    const at = (path: string) => `${idp.issuer}/${path}`;
    idp.behaviour.metadata = {
      authorization_endpoint: at('authorize?tenant=acme'),
      token_endpoint: at('nowhere'),
    };
    use({ tokenEndpoint: at('token') });
    identityClaims = { exp: 1 };
    await fixture.client(managed()).then((server) => server.signIn());
    assert.deepEqual(
      fixture.user.visited.map(({ searchParams }) => searchParams.get('tenant')),
      ['acme'],
    );
    identityClaims = {};
    const later = await fixture.client(managed());
    assert.deepEqual(await later.start(), { kind: 'running' });
    assert.deepEqual(idp.requestsTo('/nowhere'), []);
  });

  it('exchanges tokens where the user says, even nearer than the identity provider', async () => {
    const issuer = 'https://idp.invalid';
    provider = { issuer, clientId: 'at-idp', tokenEndpoint: `${idp.issuer}/token` };
    const token = jwt({ iss: issuer, aud: 'at-idp', sub: 'somebody', exp: inAnHour() });
    const own = Object.assign(Object.create(source) as typeof source, { token: async () => token });
    const found = { name: 'acme', provider, source: own };
    fixture.findIdentity = () => Promise.resolve(found as unknown as Identity);
    const server = await fixture.client(managed());
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.equal(exchanges().length, 1);
  });

  it('opens no page where the identity provider does not say which', async () => {
    idp.answers.set('/.well-known/oauth-authorization-server', (response) =>
      response.writeHead(404).end(),
    );
    assert.match(await refused(), /does not describe itself, so its sign-in page is unknown/);
    use({ tokenEndpoint: `${idp.issuer}/token` });
    assert.match(await refused(), /does not describe itself, so its sign-in page is unknown/);
    assert.deepEqual(fixture.user.visited, []);
  });

  it('is forgotten by signing out', async () => {
    const server = await fixture.signedIn(managed());
    await server.signOut();
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
  });

  it('is not sent where it is for another client', async () => {
    identityClaims = { aud: 'another' };
    assert.equal(
      await refused(),
      'The identity token of the identity provider "acme" is for another, not for "at-idp". Correct its "clientId".',
    );
    assert.equal(exchanges().length, 0);
  });

  it('is not sent where it is from another issuer', async () => {
    identityClaims = { iss: 'https://elsewhere.example' };
    assert.match(await refused(), /^The identity token is from https:\/\/elsewhere\.example, but/);
    assert.equal(exchanges().length, 0);
  });

  it('sends no grant that is for another authorization server', async () => {
    grantClaims = { aud: 'https://elsewhere.example' };
    assert.match(await refused(), /gave a grant for https:\/\/elsewhere\.example, not for/);
    assert.equal(fixture.authServer.requestsTo('/token').length, 0);
  });

  it('says what the identity provider refused', async () => {
    idp.behaviour.exchange = () => ({ error: 'access_denied', error_description: 'Not for you' });
    assert.equal(
      await refused(),
      'The identity provider "acme" gave no access to the server: Token exchange failed: access_denied - Not for you',
    );
  });

  it('needs the provider in the settings of the user, and the issuer of the server', async () => {
    assert.match(await refused(managed({ provider: 'unknown' })), /"unknown" is not configured/);
    assert.match(await refused(managed({ issuer: undefined })), /set "oauth\.issuer" to it/);
    assert.equal(exchanges().length, 0);
  });
});

describe('an identity provider of the settings', () => {
  const good = { issuer: 'https://idp.example', clientId: 'me' };
  it('is read with what is known of it', () =>
    assert.deepEqual(readIdentityProvider({ ...good, scopes: 'openid', more: 1 }), {
      ...good,
      scopes: 'openid',
    }));

  for (const [what, value] of [
    ['nothing', undefined],
    ['a text', 'https://idp.example'],
    ['no issuer', { clientId: 'me' }],
    ['an issuer that is no address', { ...good, issuer: 'idp' }],
    ['no client', { issuer: good.issuer }],
    ['an empty client', { ...good, clientId: '' }],
    ['a secret that is no text', { ...good, clientSecret: 7 }],
  ] as const)
    it(`is not used where it has ${what}`, () =>
      assert.equal(readIdentityProvider(value), undefined));
});
