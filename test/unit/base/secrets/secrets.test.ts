import assert from 'node:assert/strict';
import { looksSecret, redacted, redactSecrets } from '../../../../src/base/secrets/secrets';

describe('names of values', () => {
  const secret = [
    'password',
    'dbPassword',
    'dbpass',
    'passphrase',
    'PWD',
    'secret',
    'client_secret',
    'token',
    'accessToken',
    'GITHUB_TOKEN',
    'apikey',
    'apiKey',
    'api-key',
    'API_KEY',
    'private key',
    'ssh_key',
    'credentials',
    'auth',
    'Authorization',
    'cookie',
    'pin',
    'otp',
  ];
  for (const name of secret)
    it(`${name} looks secret`, () => assert.equal(looksSecret(name), true));

  const open = ['code', 'language', 'key', 'keyboard', 'author', 'pinned', 'passenger', 'monkey'];
  for (const name of open) it(`${name} does not`, () => assert.equal(looksSecret(name), false));
});

describe('values', () => {
  it('are taken out where their name or their form is that of a secret, at any depth', () => {
    const github = `ghp_${'a'.repeat(36)}`;
    assert.deepEqual(
      redactSecrets({ user: 'eve', password: 'x', list: [github, { note: 'plain' }] }),
      { user: 'eve', password: redacted, list: [redacted, { note: 'plain' }] },
    );
  });

  it('that are empty stay, because they tell nothing', () => {
    assert.deepEqual(redactSecrets({ token: '', secret: null }), { token: '', secret: null });
  });
});
