import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { asRecord } from '../../../../src/base/json';
import { addForTeam, forTeam } from '../../../../src/config/share/exportForTeam';
import { parseMcpJson } from '../../../../src/config/places/mcpJson';

const secret = 'ghp_0123456789abcdefghij0123';
const places = [
  ['/work/app', '${workspaceFolder}'],
  ['/home/me', '${userHome}'],
] as const;

const exported = async (value: unknown, { inputs = [] as unknown, text = '' } = {}) => {
  const found = forTeam({ name: 'one', value, inputs, folder: '/work/other' }, places);
  assert.ok(found);
  const written = await addForTeam(text, [found], inEnglish);
  return { written, file: asRecord(JSON.parse(written)) };
};

describe('servers for a team', () => {
  const rows: readonly [title: string, value: object, server: object, inputs: readonly string[]][] =
    [
      [
        'as they are where nothing is personal',
        { command: 'npx', args: ['-y', 'one@1.0.0'], env: { MODE: 'fast' } },
        { type: 'stdio', command: 'npx', args: ['-y', 'one@1.0.0'], env: { MODE: 'fast' } },
        [],
      ],
      [
        'with an input for each secret',
        { command: 'npx', args: ['one', `--token=${secret}`], env: { API_KEY: secret } },
        {
          type: 'stdio',
          command: 'npx',
          args: ['one', '--token=${input:one-token}'],
          env: { API_KEY: '${input:one-API_KEY}' },
        },
        ['one-token', 'one-API_KEY'],
      ],
      [
        'with the folder that their relative paths are in',
        { command: 'node', args: ['server.js'], timeout: 60_000 },
        { type: 'stdio', command: 'node', args: ['server.js'], cwd: '/work/other' },
        [],
      ],
      [
        'with what says how they run, such as a region',
        { command: 'npx', env: { AWS_REGION: 'us-east-1', MODEL: 'gpt-4o', RUNTIME: 'nodejs18' } },
        {
          type: 'stdio',
          command: 'npx',
          env: { AWS_REGION: 'us-east-1', MODEL: 'gpt-4o', RUNTIME: 'nodejs18' },
        },
        [],
      ],
      [
        'with an input for what is somebody’s own',
        { command: 'npx', env: { ACCOUNT: 'Ada Lovelace, 42' } },
        { type: 'stdio', command: 'npx', env: { ACCOUNT: '${input:one-ACCOUNT}' } },
        ['one-ACCOUNT'],
      ],
      [
        'with paths that each has',
        {
          command: '/home/me/bin/one',
          args: [
            '/work/app/data',
            '/work/application',
            '/home/me',
            '--dirs=/work/app:/home/me/x',
            '${workspaceFolder}/y',
          ],
          cwd: '/work/app',
        },
        {
          type: 'stdio',
          command: '${userHome}/bin/one',
          args: [
            '${workspaceFolder}/data',
            '/work/application',
            '${userHome}',
            '--dirs=${workspaceFolder}:${userHome}/x',
            '/work/other/y',
          ],
          cwd: '${workspaceFolder}',
        },
        [],
      ],
      [
        'with their times and restrictions, and not switched off',
        {
          type: 'http',
          url: 'https://one.example/mcp',
          headers: { Authorization: `Bearer ${secret}` },
          timeouts: { request: 90 },
          tools: ['read_*'],
          disabled: true,
        },
        {
          type: 'http',
          url: 'https://one.example/mcp',
          headers: { Authorization: 'Bearer ${input:one-Authorization}' },
          timeouts: { request: 90 },
          tools: ['read_*'],
        },
        ['one-Authorization'],
      ],
    ];
  for (const [title, value, server, inputs] of rows)
    it(`are written ${title}, and read again without a problem`, async () => {
      const { written, file } = await exported(value);
      assert.deepEqual(asRecord(file['mcpServers'])['one'], server);
      const described = (file['inputs'] ?? []) as { id: string; description: string }[];
      assert.deepEqual(described.map(({ id }) => id).toSorted(), inputs.toSorted());
      assert.ok(described.every(({ description }) => description !== ''));
      assert.doesNotMatch(written, new RegExp(secret));
      assert.deepEqual(parseMcpJson(written, { timeUnit: 'ms' }).problems, []);
    });

  it('name a folder of Windows by a variable, however its drive and slashes are written', () => {
    const args = ['C:\\Work\\App\\s.js', '--out=c:/work/app', 'C:\\Work\\Apps'];
    const configured = { name: 'one', value: { command: 'node', args }, inputs: [] };
    const found = forTeam({ ...configured, folder: undefined }, [
      ['c:\\work\\app', '${workspaceFolder}'],
    ]);
    assert.deepEqual(found?.server['args'], [
      '${workspaceFolder}\\s.js',
      '--out=${workspaceFolder}',
      'C:\\Work\\Apps',
    ]);
  });

  it('bring the inputs that they have, without a secret that is filled in', async () => {
    const inputs = [
      { id: 'key', type: 'promptString', description: 'The key', password: true, default: secret },
      { id: 'other', type: 'promptString', description: 'Not used' },
    ];
    const value = { command: 'npx', env: { API_KEY: '${input:key}' } };
    const { file } = await exported(value, { inputs });
    assert.deepEqual(file['inputs'], [
      { id: 'key', type: 'promptString', description: 'The key', password: true },
    ]);
  });

  it('leave all else in the file as it is', async () => {
    const text = '{\n  // ours\n  "mcpServers": {\n    "mine": { "command": "mine" }\n  }\n}\n';
    const found = forTeam(
      { name: 'one', value: { command: 'one' }, inputs: [], folder: undefined },
      places,
    );
    assert.ok(found);
    const written = await addForTeam(text, [found], inEnglish);
    assert.ok(
      written.startsWith('{\n  // ours\n  "mcpServers": {\n    "mine": { "command": "mine" }'),
    );
    assert.deepEqual(
      parseMcpJson(written).entries.map(({ name }) => name),
      ['mine', 'one'],
    );
  });

  it('are not written into a file that cannot be read again', async () => {
    const found = forTeam(
      { name: 'one', value: { command: 'one' }, inputs: [], folder: undefined },
      places,
    );
    assert.ok(found);
    await assert.rejects(addForTeam('{"mcpServers": [', [found], inEnglish));
    await assert.rejects(addForTeam('{"mcpServers": "none"}', [found], inEnglish));
  });
});
