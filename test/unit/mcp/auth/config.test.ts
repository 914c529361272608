import assert from 'node:assert/strict';
import { joinScopes, scopeToRequest, uncovered } from '../../../../src/mcp/auth/client/discovery';
import { parseServerConfig } from '../../../../src/mcp/launch/launchKinds';

const parse = (oauth: unknown) => parseServerConfig({ url: 'https://mcp.example', oauth });

describe('the sign-in in the configuration of a server', () => {
  it('may name a client and scopes, as a text or a list', () => {
    for (const scopes of ['a b', ['a', 'b']]) {
      const read = parse({ clientId: 'id', clientSecret: 'secret', scopes });
      assert.deepEqual('config' in read && read.config.type !== 'stdio' && read.config.oauth, {
        clientId: 'id',
        clientSecret: 'secret',
        scopes: 'a b',
      });
    }
  });

  const grant = { clientId: 'id', clientSecret: 'x', grantType: 'client_credentials' };
  it('may name a way without a user', () => {
    const read = parse(grant);
    assert.deepEqual('config' in read && read.config.type !== 'stdio' && read.config.oauth, grant);
  });

  for (const [callbackPort, kept] of [
    [3118, '3118'],
    ['3118', '3118'],
    [65_535, '65535'],
    ['${env:PORT}', '${env:PORT}'],
  ] as const)
    it(`may name the port that the browser comes back to: ${JSON.stringify(callbackPort)}`, () => {
      const read = parse({ callbackPort });
      assert.deepEqual('config' in read && read.config.type !== 'stdio' && read.config.oauth, {
        callbackPort: kept,
      });
    });

  const noPort = '"oauth.callbackPort" must be the number of a port, from 1 to 65535.';
  for (const [oauth, problem] of [
    [{ callbackPort: 0 }, noPort],
    [{ callbackPort: 65_536 }, noPort],
    [{ callbackPort: 80.5 }, noPort],
    [{ callbackPort: -1 }, noPort],
    [{ callbackPort: '3118 ' }, noPort],
    [{ callbackPort: '0x50' }, noPort],
    [{ callbackPort: [3118] }, '"oauth.callbackPort" must be a text.'],
    ['id', '"oauth" must be an object.'],
    [null, '"oauth" must be an object.'],
    [{ clientId: 1 }, '"oauth.clientId" must be a text.'],
    [{ clientSecret: 'x' }, '"oauth.clientSecret" needs "oauth.clientId".'],
    [{ ...grant, clientId: undefined }, '"oauth.clientSecret" needs "oauth.clientId".'],
    [{ ...grant, clientSecret: undefined }, '"oauth.grantType" needs "oauth.clientSecret".'],
    [{ ...grant, grantType: 'jwt_bearer' }, '"oauth.grantType" needs "oauth.assertion".'],
    [
      { ...grant, grantType: 'password' },
      '"oauth.grantType" must be "client_credentials" or "jwt_bearer".',
    ],
    [{ provider: 'acme' }, '"oauth.provider" needs "oauth.clientId".'],
    [{ ...grant, provider: 'acme' }, '"oauth.provider" and "oauth.grantType" exclude one another.'],
  ] as const)
    it(`is refused: ${problem}`, () => assert.deepEqual(parse(oauth), { problem }));
});

describe('the scopes to ask for', () => {
  const place = { issuer: 'i', authorizationServer: 'i', scopes: 'all these' };
  const none = { configured: undefined, challenged: undefined, earlier: undefined, place };

  for (const [what, known, expected] of [
    ['all that the server names', none, 'all these'],
    ['what the request was refused for', { ...none, challenged: 'x' }, 'x'],
    ['what is configured', { ...none, configured: 'own' }, 'own'],
    ['both of these', { ...none, configured: 'own', challenged: 'x' }, 'own x'],
    ['what there was too', { ...none, earlier: 'old', challenged: 'x old' }, 'old x'],
    ['nothing', { ...none, place: { issuer: 'i', authorizationServer: 'i' } }, undefined],
  ] as const)
    it(`are ${what}`, () => assert.equal(scopeToRequest(known), expected));

  it('come once each', () => assert.equal(joinScopes('a b', undefined, ' b  c '), 'a b c'));

  it('are covered when all are there', () => {
    assert.equal(uncovered('a b', 'b a c'), undefined);
    assert.equal(uncovered('a d e', 'b a c'), 'd e');
    assert.equal(uncovered('a', undefined), 'a');
  });
});
