import assert from 'node:assert/strict';
import { launchSecrets } from '../../../../src/config/launch/launch';
import { parseServerConfig } from '../../../../src/mcp/launch/launchKinds';
import type { ServerConfig } from '../../../../src/mcp/serverConfig';

function config(value: unknown): ServerConfig {
  const parsed = parseServerConfig(value);
  assert.ok('config' in parsed);
  return parsed.config;
}

describe('what of a launch no log may show', () => {
  it('are the values of variables, but not words and numbers that say nothing', () => {
    const env = {
      API_KEY: 'word',
      SETTING: 'postgres://me:pw@host/db',
      MODE: 'debug',
      PORT: '8080',
      GONE: null,
    };
    const server = config({ command: 'x', env });
    assert.deepEqual(launchSecrets(server, server, {}), ['word', 'postgres://me:pw@host/db']);
  });

  it('are the values of headers without the scheme before them, and secrets of the sign-in', () => {
    const server = config({
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer abc', 'X-Any': 'value' },
      oauth: { clientId: 'me', clientSecret: 'hush', scopes: 'read' },
    });
    assert.deepEqual(launchSecrets(server, server, {}), ['abc', 'value', 'hush']);
  });

  it('are secrets in the address', () => {
    const server = config({ url: 'https://me:pass%20word@example.com/mcp?api_key=k-1&lang=en' });
    assert.deepEqual(launchSecrets(server, server, {}), ['pass%20word', 'pass word', 'k-1']);
    const odd = config({ url: 'https://me:50%25%@example.com/mcp' });
    assert.deepEqual(launchSecrets(odd, odd, {}), ['50%25%']);
  });

  it('is what named variables of the environment stood for, where the name looks secret', () => {
    const written = config({ command: 'x', args: ['--key=${env:MY_TOKEN}', '${env:REGION}'] });
    const expanded = config({ command: 'x', args: ['--key=t-1', 'eu'] });
    assert.deepEqual(launchSecrets(expanded, written, { MY_TOKEN: 't-1', REGION: 'eu' }), ['t-1']);
  });

  it('are arguments that are secret by their flag or their form', () => {
    const key = `sk-${'a1'.repeat(20)}`;
    const args = [
      'serve',
      '--token=t-1',
      '--api-key',
      'k-1',
      '--region=eu',
      '--password',
      '--x',
      key,
    ];
    const server = config({ command: 'x', args });
    assert.deepEqual(launchSecrets(server, server, {}), ['t-1', 'k-1', key]);
  });
});
