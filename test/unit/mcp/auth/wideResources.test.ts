import assert from 'node:assert/strict';
import { sendJson } from '../../../fixtures/authServer/http';
import { audiencesOf } from '../../../../src/mcp/auth/client/discovery';
import type { OAuthConfig } from '../../../../src/mcp/serverConfig';
import { SignInFixture } from './signInFixture';

const atRoot = '/.well-known/oauth-protected-resource';
const atTenant = `${atRoot}/tenants/a`;

describe('a server that names more than itself as the resource', () => {
  let fixture: SignInFixture;
  /** The documents of the gateway, and which of them were asked for. */
  let documents: Record<string, object> = {};
  let asked: string[] = [];
  beforeEach(async () => {
    fixture = await SignInFixture.start();
    [documents, asked] = [{}, []];
    for (const path of [atRoot, atTenant, '/tenants/a/own.json'])
      fixture.server.answers.set(path, (response) => {
        asked.push(path);
        const document = documents[path];
        if (document) sendJson(response, document);
        else response.writeHead(404).end();
      });
    fixture.server.answers.set('/tenants/a', (response) => {
      const pointer = `Bearer resource_metadata="${fixture.server.origin}${pointed}"`;
      sendJson(response, {}, 401, pointed === '' ? {} : { 'www-authenticate': pointer });
    });
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  let pointed = '';
  const describing = (resource: string) => ({
    resource: `${fixture.server.origin}${resource}`,
    authorization_servers: [fixture.authServer.issuer],
  });
  const signIn = async (path = '/tenants/a') => {
    const server = await fixture.client({ url: `${fixture.server.origin}${path}` });
    await server.start();
    await server.signIn();
    const [shown] = fixture.user.shown;
    const resource = shown?.url.searchParams.get('resource')?.replace(fixture.server.origin, '…');
    const { wider, isUnlimited } = shown ?? {};
    return {
      resource,
      wider: wider?.replace(fixture.server.origin, '…'),
      ...(isUnlimited && { isUnlimited }),
    };
  };

  /** What the server points to, what the gateway says of its root and of the tenant, and what comes of it. */
  const cases: readonly (readonly [
    string,
    string,
    readonly (string | undefined)[],
    string,
    string | undefined,
  ])[] = [
    ['its own address is not shown', atTenant, [undefined, '/tenants/a'], '…/tenants/a', undefined],
    [
      'its own address with a slash is not shown',
      atTenant,
      [undefined, '/tenants/a/'],
      '…/tenants/a/',
      undefined,
    ],
    ['the whole origin is shown', atTenant, [undefined, ''], '…', '…'],
    ['the origin with a slash is shown', atTenant, [undefined, '/'], '…/', '…/'],
    [
      'the folder of all tenants is shown',
      atTenant,
      [undefined, '/tenants'],
      '…/tenants',
      '…/tenants',
    ],
    ['what the root says of itself is shown', '', ['', undefined], '…', '…'],
    [
      'a pointer to the root is shown, where there is nothing nearer',
      atRoot,
      ['', undefined],
      '…',
      '…',
    ],
    [
      'a pointer to the root gives way to the exact address',
      atRoot,
      ['', '/tenants/a'],
      '…/tenants/a',
      undefined,
    ],
    [
      'a pointer to the root stays, where the address says no less',
      atRoot,
      ['', '/tenants'],
      '…',
      '…',
    ],
  ];
  for (const [what, pointer, [root, tenant], resource, wider] of cases)
    it(`signs in for what is asked of the metadata: ${what}`, async () => {
      pointed = pointer;
      if (root !== undefined) documents[atRoot] = describing(root);
      if (tenant !== undefined) documents[atTenant] = describing(tenant);
      assert.deepEqual(await signIn(), { resource, wider });
      const [token] = fixture.authServer.requestsTo('/token');
      assert.equal(token?.params['resource']?.replace(fixture.server.origin, '…'), resource);
    });

  it('does not get there by a document of its own, where the gateway says what is exact', async () => {
    pointed = '/tenants/a/own.json';
    documents[pointed] = describing('');
    documents[atTenant] = describing('/tenants/a');
    assert.deepEqual(await signIn(), { resource: '…/tenants/a', wider: undefined });
  });

  it('is not led to another authorization server by the exact address', async () => {
    pointed = atRoot;
    documents[atRoot] = describing('');
    documents[atTenant] = {
      ...describing('/tenants/a'),
      authorization_servers: ['https://other.example'],
    };
    assert.deepEqual(await signIn(), { resource: '…', wider: '…' });
  });

  it('is its own where the exact address names another authorization server first', async () => {
    pointed = atRoot;
    documents[atRoot] = describing('');
    documents[atTenant] = {
      ...describing('/tenants/a'),
      authorization_servers: ['https://other.example', fixture.authServer.issuer],
    };
    assert.deepEqual(await signIn(), { resource: '…/tenants/a', wider: undefined });
  });

  it('names a neighbour in vain', async () => {
    pointed = atTenant;
    documents[atTenant] = describing('/tenants/ab');
    await signIn();
    assert.deepEqual(fixture.user.shown, []);
  });

  for (const [address, told, expected] of [
    ['/tenants/a?team=1', '/tenants/a?team=1', ['…/tenants/a?team=1', undefined]],
    ['/tenants/a?team=1', '/tenants/a', ['…/tenants/a', '…/tenants/a']],
    ['/tenants/a?team=1', '', ['…', '…']],
    ['/tenants/a?team=1', '/tenants/a?team=2', undefined],
    ['/tenants/a', '/tenants/a?team=2', undefined],
    ['/tenants/a', '?team=2', undefined],
  ] as const)
    it(`is ${expected?.[1] === undefined ? (expected ? 'itself' : 'another server') : 'more than itself'} by what follows the question mark: ${address} names ${told || 'its origin'}`, async () => {
      pointed = atTenant;
      documents[atTenant] = describing(told);
      const found = await signIn(address);
      assert.deepEqual([found.resource, found.wider], expected ?? [undefined, undefined]);
      assert.equal(fixture.user.shown.length, expected ? 1 : 0);
    });

  it('that has no metadata is asked for by its own address, and the question says that it names nothing', async () => {
    pointed = '';
    // As servers of the first revision have it: what issues the tokens is at their own root.
    const { issuer } = fixture.authServer;
    fixture.server.answers.set('/.well-known/oauth-authorization-server', (response) =>
      sendJson(response, {
        issuer: fixture.server.origin,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      }),
    );
    assert.deepEqual(await signIn(), {
      resource: '…/tenants/a',
      wider: undefined,
      isUnlimited: true,
    });
  });

  it('says so on its row and in the log where nobody is asked, and after each renewal', async () => {
    fixture.authServer.addClient('robot', 'hush');
    const oauth = { grantType: 'client_credentials', clientId: 'robot', clientSecret: 'hush' };
    const { origin } = fixture.server;
    const { issuer } = fixture.authServer;
    const server = await fixture.client({ oauth: { ...oauth, issuer } as OAuthConfig });
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.deepEqual(server.validFor, { address: origin, isWider: true });
    assert.ok(
      fixture.log.lines.info.some((line) => line.includes(`valid for all of ${origin}`)),
      fixture.log.lines.info.join('\n'),
    );
    fixture.authServer.expireAccessTokens();
    await server.callTool('read', {});
    assert.deepEqual(server.validFor, { address: origin, isWider: true });
    const exact = await fixture.client({ id: 'exact', oauth: { ...oauth, issuer } as OAuthConfig });
    fixture.server.wantedResource = fixture.server.url;
    fixture.server.description = { resource: fixture.server.url };
    assert.deepEqual(await exact.start(), { kind: 'running' });
    assert.equal(exact.validFor, undefined);
  });

  for (const [scope, isDirectory, audiences] of [
    ['files:read offline_access user:email repo/read patient/*.read', false, []],
    ['…/files:read …', false, []],
    ['https://graph.microsoft.com/.default', false, ['https://graph.microsoft.com']],
    ['HTTPS://graph.microsoft.com//.default', false, ['HTTPS://graph.microsoft.com']],
    ['https://other.example', false, ['https://other.example']],
    ['https://a.example/auth/x https://a.example/auth/y', false, ['https://a.example/auth']],
    ['api://files/.default openid', true, ['api://files']],
    // A directory is told no resource, so the permission alone says which tenant of the origin it is for.
    ['…/tenants/b/.default …/tenants/b/read', true, ['…/tenants/b']],
    ['…/.default', true, ['…']],
    ['…/mcp/.default …/mcp/read openid', true, []],
    ['urn:zitadel:iam:org:project:id:1:aud', false, ['urn:zitadel:iam:org:project:id:1:aud']],
    ['4f1c1f4e-0f0e/.default', false, ['4f1c1f4e-0f0e']],
    ['4f1c1f4e-0f0e/Mail.Read', true, ['4f1c1f4e-0f0e']],
    ['~@other.example/x', false, ['~@other.example']],
  ] as const)
    it(`shows what a permission names beside the server: ${scope}${isDirectory ? ' at a directory' : ''}`, async () => {
      const { authServer, server, user } = fixture;
      const own = (text: string) => text.replaceAll('…', server.origin).replace('~', server.origin);
      if (isDirectory)
        authServer.behaviour.metadata = {
          authorization_endpoint: `${authServer.issuer}/tenant/oauth2/v2.0/authorize`,
        };
      server.description = { scopes_supported: own(scope).split(' ') };
      server.alterChallenge = (challenge) => challenge.replace(/,? *scope="[^"]*"/, '');
      await (await fixture.client()).start();
      await (await fixture.client()).signIn().catch(() => {});
      assert.deepEqual(user.shown[0]?.audiences, audiences.map(own));
    });

  it('shows it in no time to speak of, however long its name is', () => {
    const name = `api:${'/'.repeat(100_000)}a`;
    const { user } = process.cpuUsage();
    assert.deepEqual(audiencesOf(`${name}/b`, new URL('https://mcp.example')), [name]);
    assert.ok(process.cpuUsage().user - user < 500_000);
  });

  it('gets no tokens for the service of somebody else where nobody is asked, unless that is configured', async () => {
    fixture.authServer.addClient('robot', 'hush');
    const { issuer } = fixture.authServer;
    fixture.server.description = { scopes_supported: ['api://files/.default'] };
    fixture.server.alterChallenge = (challenge) => challenge.replace(/,? *scope="[^"]*"/, '');
    const oauth = { clientId: 'robot', clientSecret: 'hush', issuer };
    const way = { ...oauth, grantType: 'client_credentials' } as OAuthConfig;
    const outcome = await (await fixture.client({ oauth: way })).start();
    assert.equal(
      'message' in outcome && outcome.message,
      'The server wants a permission of api://files, which would accept its token. If that is right, name the permission in "oauth.scopes".',
    );
    assert.equal(fixture.authServer.requestsTo('/token').length, 0);
    const own = { ...way, scopes: 'api://files/.default' } as OAuthConfig;
    const server = await fixture.client({ id: 'own', oauth: own });
    await server.start();
    assert.equal(fixture.authServer.requestsTo('/token').length, 1);
    assert.deepEqual(server.validFor, { address: 'api://files', isWider: false });
    const told = fixture.log.lines.info.at(-1) ?? '';
    assert.match(told, /valid for api:\/\/files\.$/);
  });

  it('says so of a permission that only a directory takes for the name of a service, also after a restart', async () => {
    const { authServer, server } = fixture;
    authServer.addClient('robot', 'hush');
    const { issuer } = authServer;
    authServer.behaviour.metadata = { authorization_endpoint: `${issuer}/oauth2/v2.0/authorize` };
    // A directory is told no resource.
    server.wantedResource = '';
    server.alterChallenge = (challenge) => challenge.replace(/,? *scope="[^"]*"/, '');
    const oauth = {
      grantType: 'client_credentials',
      clientId: 'robot',
      clientSecret: 'hush',
      issuer,
      scopes: 'files:read 4f1c1f4e-0f0e/Mail.Read',
    } as OAuthConfig;
    for (const tokens of [1, 1]) {
      const client = await fixture.client({ oauth });
      assert.deepEqual(await client.start(), { kind: 'running' });
      assert.deepEqual(client.validFor, { address: '4f1c1f4e-0f0e', isWider: false });
      assert.equal(authServer.requestsTo('/token').length, tokens);
    }
  });

  it('is asked no more than before where it names itself', async () => {
    pointed = atTenant;
    documents[atTenant] = describing('/tenants/a');
    await signIn();
    assert.deepEqual([...new Set(asked)], [atTenant]);
  });

  it('renews for what it signed in for, whatever it names by then', async () => {
    const server = await fixture.signedIn();
    fixture.authServer.expireAccessTokens();
    fixture.server.description = { resource: `${fixture.server.origin}/mcp` };
    await server.callTool('read', {});
    const resources = fixture.authServer
      .requestsTo('/token')
      .map(({ params }) => params['resource']);
    assert.deepEqual(resources, [fixture.server.origin, fixture.server.origin]);
  });
});
