import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { configurationOf, installLinkOf } from '../../../../src/config/share/shareable';
import { maxLinkLength } from '../../../../src/config/add/linkFormats';
import { readCopied } from '../../../../src/config/add/snippet';

/** Returns what *Add Server…* reads from a server's link, which is the same as from its JSON. */
function roundTrip(value: unknown, inputs: unknown = []) {
  const link = installLinkOf('my server', value, inputs) ?? '';
  assert.match(link, /^vscode:mcp\/install\?[\w%.!~*'()-]+$/);
  const { servers, problem } = readCopied(link, inEnglish);
  assert.equal(problem, undefined);
  const copied = readCopied(configurationOf('my server', value, inputs) ?? '', inEnglish);
  assert.deepEqual(copied.servers[0], servers[0]);
  return structuredClone(servers[0]);
}
const password = (id: string, description: string) => {
  return { id, type: 'promptString', description, password: true };
};

describe('the install link of a server', () => {
  const kept: readonly [title: string, server: object][] = [
    ['a command', { type: 'stdio', command: 'npx', args: ['-y', '@a/b@1.0.0', 'größe & 100%20'] }],
    [
      'plain variables',
      {
        type: 'stdio',
        command: 'a',
        env: { REGION: 'eu', PORT: 8080, DIR: '/data/x', AT: 'https://a.b/c', KEY: '${env:KEY}' },
        cwd: '${workspaceFolder}',
      },
    ],
    ['a URL', { type: 'http', url: 'https://a.b/mcp', headers: { Accept: 'application/json' } }],
    ['SSE', { type: 'sse', url: 'https://a.b/sse' }],
    ['a wanted sandbox', { type: 'stdio', command: 'a', sandboxEnabled: true }],
  ];
  for (const [title, server] of kept)
    it(`is read back as the same: ${title}`, () =>
      assert.deepEqual(roundTrip(server), { name: 'my server', server }));

  it('is read by VS Code, which decodes it twice', () => {
    const server = { type: 'stdio', command: 'a', args: ['100%20', '%'] };
    const query = installLinkOf('l', server, [])?.split('?')[1] ?? '';
    assert.deepEqual(JSON.parse(decodeURIComponent(decodeURIComponent(query))), {
      name: 'l',
      ...server,
    });
  });

  const secret = 'hush-7f3a9c';
  const secrets: readonly [title: string, server: object, asked: readonly string[]][] = [
    ['a variable called so', { command: 'a', env: { API_KEY: secret } }, ['my-server-API_KEY']],
    ['a variable that may be one', { command: 'a', env: { STRIPE: secret } }, ['my-server-STRIPE']],
    [
      'a header',
      { url: 'https://a.b', headers: { Authorization: `Bearer ${secret}`, 'X-Id': secret } },
      ['my-server-Authorization', 'my-server-X-Id'],
    ],
    ['an argument', { command: 'a', args: ['--token', secret] }, ['my-server-token']],
    ['a password in a URL', { url: `https://me:${secret}@a.b/` }, ['my-server-password']],
    ['a parameter of a URL', { url: `https://a.b/?key=${secret}` }, ['my-server-api_key']],
    [
      'what proves a client',
      {
        url: 'https://a.b',
        oauth: { clientId: 'me', clientSecret: secret, privateKey: secret, assertion: secret },
      },
      ['my-server-clientSecret', 'my-server-privateKey', 'my-server-assertion'],
    ],
  ];
  for (const [title, server, asked] of secrets)
    it(`asks for a secret in place of having it: ${title}`, () => {
      const link = installLinkOf('my server', server, []) ?? '';
      assert.ok(!decodeURIComponent(link).includes(secret));
      const found = roundTrip(server);
      assert.deepEqual(
        found?.inputs?.map(({ id }) => id),
        asked,
      );
      for (const input of found?.inputs ?? []) assert.equal(input['password'], true);
    });

  it('brings its inputs without the secrets that they begin with, and defines those that nobody did', () => {
    const server = { command: 'a', args: ['${input:key}', '${input:mode}', '${input:odd}'] };
    const key = { ...password('key', 'Key'), default: secret };
    const mode = { id: 'mode', type: 'pickString', options: ['x', 'y'], default: 'x' };
    const other = { ...password('other', 'Other'), default: secret };
    assert.deepEqual(roundTrip(server, [key, mode, other])?.inputs, [
      password('key', 'Key'),
      mode,
      password('odd', 'odd'),
    ]);
  });

  const impossible: readonly [title: string, server: unknown][] = [
    ['a line break', { command: 'a', args: ['b\nc'] }],
    ['a hidden character', { command: 'a\u202E' }],
    ['a configuration that is too long', { command: 'a'.repeat(maxLinkLength) }],
    ['no configuration', undefined],
  ];
  for (const [title, server] of impossible)
    it(`is none where nobody could read it: ${title}`, () =>
      assert.equal(installLinkOf('my server', server, []), undefined));
});
