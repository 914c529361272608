import assert from 'node:assert/strict';
import { takeSecrets } from '../../../src/config/plainSecrets';

describe('secrets in plain text', () => {
  it('give way to inputs, and what is no secret stays', () =>
    assert.deepEqual(
      takeSecrets({
        name: 'my server',
        server: {
          command: 'x',
          env: {
            API_KEY: 'hush',
            LOG: 'debug',
            REGION: 'eu',
            TOKEN: '${env:TOKEN}',
            EMPTY_KEY: '',
          },
        },
      }),
      {
        server: {
          command: 'x',
          env: {
            API_KEY: '${input:my-server-API_KEY}',
            LOG: 'debug',
            REGION: 'eu',
            TOKEN: '${env:TOKEN}',
            EMPTY_KEY: '',
          },
        },
        secrets: [{ inputId: 'my-server-API_KEY', name: 'API_KEY', value: 'hush' }],
      },
    ));

  it('are found in headers by their form, and the scheme before them stays', () => {
    const { server, secrets } = takeSecrets({
      name: 'web',
      server: { url: 'https://a.b', headers: { Authorization: 'Bearer abc', 'X-Trace': 'on' } },
    });
    assert.deepEqual(server, {
      url: 'https://a.b',
      headers: { Authorization: 'Bearer ${input:web-Authorization}', 'X-Trace': 'on' },
    });
    assert.equal(secrets[0]?.value, 'abc');
  });

  it('are found by their form whatever their name is', () =>
    assert.equal(
      takeSecrets({
        name: 'a',
        server: { command: 'x', env: { VALUE: `ghp_${'a1'.repeat(18)}` } },
      }).secrets.length,
      1,
    ));
});
