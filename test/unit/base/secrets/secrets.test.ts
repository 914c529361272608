import assert from 'node:assert/strict';
import { looksSecret, redacted, redactSecrets } from '../../../../src/base/secrets';

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

  for (const [name, value, stays] of [
    ['maxTokens', 1000, true],
    ['max_tokens', 1000, true],
    ['max-output-tokens', 1000, true],
    ['inputTokens', 0, true],
    ['total_tokens', 12.5, true],
    ['tokens', 3, true],
    ['tokenCount', 3, true],
    ['token_limit', 3, true],
    ['MAX_TOKENS', 3, true],
    ['hasToken', true, true],
    ['secret', false, true],
    ['token', 123_456, false],
    ['tokenCode', 123_456, false],
    ['pin', 1234, false],
    ['otp', 123_456, false],
    ['passcode', 1234, false],
    ['clientSecretTokens', 1234, false],
    ['maxTokens', 'hush', false],
    ['accessTokens', ['hush'], false],
    ['refresh_tokens', { one: 'hush' }, false],
    ['tokenCount', '3', false],
  ] as const)
    it(`${stays ? 'stay' : 'are taken out'} below “${name}” where they are ${JSON.stringify(value)}`, () => {
      const kept = stays ? value : redacted;
      assert.deepEqual(redactSecrets({ limits: [{ [name]: value }] }), {
        limits: [{ [name]: kept }],
      });
    });

  it('are taken out where what is beside them calls them secret', () => {
    assert.deepEqual(
      redactSecrets([
        { name: 'X-Api-Key', value: 'x' },
        { value: ['x'], key: 'TOKEN' },
        { name: 'Accept', value: 'x' },
        { name: 'maxTokens', value: 1 },
        { label: 'token', value: 'x' },
      ]),
      [
        { name: 'X-Api-Key', value: redacted },
        { value: redacted, key: 'TOKEN' },
        { name: 'Accept', value: 'x' },
        { name: 'maxTokens', value: 1 },
        { label: 'token', value: 'x' },
      ],
    );
  });

  it('are taken out behind the option that has them in a list', () =>
    assert.deepEqual(redactSecrets(['--token', 'x', '--token', '--all', '--max-tokens', '9']), [
      '--token',
      redacted,
      '--token',
      '--all',
      '--max-tokens',
      '9',
    ]));

  for (const [value, shown] of [
    [{ args: ['docker', 'login', '-p', 'hunter2'] }, { args: ['docker', 'login', '-p', redacted] }],
    [
      { command: 'mysql', args: ['-phunter2'] },
      { command: 'mysql', args: [`-p${redacted}`] },
    ],
    [
      ['curl', '-u', 'me:hunter2'],
      ['curl', '-u', `me:${redacted}`],
    ],
    [
      { command: 'serve', args: ['-p', '8080'] },
      { command: 'serve', args: ['-p', '8080'] },
    ],
  ] as const)
    it(`are taken out behind an option of one letter: ${JSON.stringify(value)}`, () =>
      assert.deepEqual(redactSecrets(value), shown));

  it('that are empty stay, because they tell nothing', () => {
    assert.deepEqual(redactSecrets({ token: '', secret: null }), { token: '', secret: null });
  });
});
