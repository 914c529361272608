import assert from 'node:assert/strict';
import {
  askAllPlaceholders,
  askPlaceholders,
  openValues,
} from '../../../../src/config/add/text/placeholders';

const asks = (id: string, description: string, password: boolean) => {
  return { id, type: 'promptString', description, password };
};

describe('what a README leaves to its reader', () => {
  for (const [text, left] of [
    ['<your key>', '${input:a-KEY}'],
    ['<YOUR_API_KEY>', '${input:a-KEY}'],
    ['YOUR_API_KEY', '${input:a-KEY}'],
    ['your-api-key-here', '${input:a-KEY}'],
    ['[your key]', '${input:a-KEY}'],
    ['<你的密钥>', '${input:a-KEY}'],
    ['您的API密钥', '${input:a-KEY}'],
    ['Bearer <token>', 'Bearer ${input:a-KEY}'],
    ['sk-xxxxxxxx', '${input:a-KEY}'],
    ['ghp_...', '${input:a-KEY}'],
    ['/path/to/your/files', '${input:a-KEY}'],
    ['C:\\path\\to\\files', '${input:a-KEY}'],
    ['/Users/username/Desktop', '${input:a-KEY}'],
  ] as const)
    it(`is asked for at the start: ${text}`, () => {
      const { server, inputs } = askPlaceholders({
        name: 'a',
        server: { command: 'x', env: { KEY: text } },
      });
      assert.deepEqual(server, { command: 'x', env: { KEY: left } });
      assert.deepEqual(
        inputs?.map(({ id }) => id),
        ['a-KEY'],
      );
    });

  for (const [name, text, description] of [
    ['API_KEY', '<your key>', 'API_KEY'],
    ['API_KEY', 'YOUR_API_KEY', 'API_KEY'],
    ['API_KEY', 'your-api-key-here', 'API_KEY'],
    ['API_KEY', 'xxxxxxxx', 'API_KEY'],
    ['API_KEY', 'sk-xxxxxxxx', 'API_KEY: sk-xxxxxxxx'],
    ['REGION', '<region, optional>', 'REGION: <region, optional>'],
    ['ROOT', '/path/to/root', 'ROOT: /path/to/root'],
    ['KEY', '<你的密钥>', 'KEY: <你的密钥>'],
  ] as const)
    it(`is described by no more than it says beyond its name: ${text}`, () => {
      const found = { name: 'a', server: { command: 'x', env: { [name]: text } } };
      assert.deepEqual(
        askPlaceholders(found).inputs?.map(
          (input) => 'description' in input && input['description'],
        ),
        [description],
      );
      const hint = description === name ? '' : text;
      assert.deepEqual(
        openValues([found]).map((value) => value.text),
        [hint],
      );
    });

  it('is told from what it stands in: options, headers and arguments', () =>
    assert.deepEqual(
      askPlaceholders({
        name: 'a',
        server: {
          command: 'x',
          args: [
            '-y',
            'files',
            '/path/to/one',
            '/path/to/two',
            '--org',
            '<org>',
            '--api-key=<key>',
          ],
          headers: { Authorization: 'Bearer YOUR_TOKEN', Plain: 'yes' },
        },
      }),
      {
        name: 'a',
        server: {
          command: 'x',
          args: [
            '-y',
            'files',
            '${input:a-argument-3}',
            '${input:a-argument-4}',
            '--org',
            '${input:a-org}',
            '--api-key=${input:a-api-key}',
          ],
          headers: { Authorization: 'Bearer ${input:a-Authorization}', Plain: 'yes' },
        },
        inputs: [
          asks('a-Authorization', 'Authorization: YOUR_TOKEN', true),
          asks('a-argument-3', 'argument 3: /path/to/one', false),
          asks('a-argument-4', 'argument 4: /path/to/two', false),
          asks('a-org', 'org', false),
          asks('a-api-key', 'api-key', true),
        ],
      },
    ));

  const env = { KEY: '<key>', PLAIN: 'yes' };
  const headers = { Authorization: 'Bearer YOUR_TOKEN' };
  const run = ['run', '-e', 'KEY', '-e', 'ORG', 'a/b'];
  for (const [title, server, open, leftOut, expected] of [
    [
      'of several',
      { command: 'x', env },
      ['KEY'],
      ['KEY'],
      { command: 'x', env: { PLAIN: 'yes' } },
    ],
    ['the only one', { url: 'x', headers }, ['Authorization'], ['Authorization'], { url: 'x' }],
    [
      'an argument never',
      { command: 'x', args: ['<dir>'], env: { KEY: '<key>' } },
      ['KEY'],
      ['KEY'],
      { command: 'x', args: ['${input:a-argument-1}'] },
    ],
    [
      'a variable of a container, with or without a value in its place',
      { command: 'docker', args: run, env: { KEY: '<key>' } },
      ['KEY', 'ORG'],
      ['KEY', 'ORG'],
      { command: 'docker', args: run },
    ],
    [
      'none, and all is as it was',
      { command: 'x', env },
      ['KEY'],
      [],
      { command: 'x', env: { KEY: '${input:a-KEY}', PLAIN: 'yes' } },
    ],
  ] as const)
    it(`can be left out where it stands by its name: ${title}`, () => {
      const found = { name: 'a', server };
      const values = openValues([found]);
      assert.deepEqual(
        values.map(({ name }) => name),
        open,
      );
      const left = values.filter(({ name }) => leftOut.some((one) => one === name));
      const [asked] = askAllPlaceholders([found], [], left);
      assert.deepEqual(asked?.server, expected);
    });

  it('is left out of the server alone that does not need it', () => {
    const all = ['a', 'b'].map((name) => ({ name, server: { command: 'x', env: { KEY: '<k>' } } }));
    const [first] = openValues(all);
    assert.ok(first);
    assert.deepEqual(
      askAllPlaceholders(all, [], [first]).map(({ server }) => server),
      [{ command: 'x' }, { command: 'x', env: { KEY: '${input:b-KEY}' } }],
    );
  });

  it('takes no input that the server has', () => {
    const own = { id: 'a-KEY', type: 'promptString' };
    const server = { command: 'x', env: { KEY: '<key>', OTHER: '${input:a-KEY}' } };
    const { inputs } = askPlaceholders({ name: 'a', server, inputs: [own] });
    assert.deepEqual(
      inputs?.map(({ id }) => id),
      ['a-KEY', 'a-KEY-2'],
    );
  });

  it('shares none with a server whose name is nearly the same, nor with another one', () => {
    const open = (name: string) => ({ name, server: { command: 'x', env: { KEY: '<key>' } } });
    const brings = { ...open('d'), inputs: [{ id: 'c-KEY', type: 'promptString' }] };
    const all = askAllPlaceholders([open('a b'), open('a-b'), open('c'), brings], ['d-KEY']);
    assert.deepEqual(
      all.map(({ server, inputs }) => [server['env'], inputs?.at(-1)?.id]),
      ['a-b-KEY', 'a-b-KEY-2', 'c-KEY-2', 'd-KEY-2'].map((id) => [{ KEY: `\${input:${id}}` }, id]),
    );
  });

  for (const value of [
    'sk-live-4f9a8c77d1',
    'youremail@example.com',
    'yes',
    './...',
    '${input:key}',
    'cat <in >out',
    'if (a<b && c>d) echo',
    '/Users/ana/Desktop',
    `${'=: '.repeat(100)}<key>`,
    'https://example.com/xxxxx',
  ])
    it(`is not ${value.slice(0, 40)}`, () => {
      const found = { name: 'a', server: { command: 'x', args: [value], env: { KEY: value } } };
      assert.equal(askPlaceholders(found), found);
    });
});

describe('a container that gets variables from its launch', () => {
  const run = (...args: string[]) => ({ command: 'docker', args: ['run', ...args] });
  const KEY = '${input:a-KEY}';
  const both = { KEY, ORG: '${input:a-ORG}' };
  for (const [title, server, env] of [
    ['one', run('-i', '--rm', '-e', 'KEY', 'a/b'), { KEY }],
    ['several', run('-i', '-e', 'KEY', '--env', 'ORG', '-e', 'KEY', 'a/b'), both],
    ['in one word', run('-it', '-eKEY', '--env=ORG', 'a/b'), both],
    ['behind other options', run('--memory', '1g', '-v', '/a:/b', '-e', 'KEY', 'a/b'), { KEY }],
    ['behind letters', run('-ite', 'KEY', 'a/b'), { KEY }],
    [
      'beside others',
      { ...run('-e', 'KEY', '-e', 'ORG', 'a/b'), env: { ORG: 'x' } },
      { KEY, ORG: 'x' },
    ],
    ['beside a placeholder', run('-e', 'ORG=<org>', '-e', 'KEY', 'a/b'), { KEY }],
    [
      'by another launcher',
      {
        command: '/usr/bin/podman',
        args: ['--log-level', 'warn', 'container', 'run', '-e', 'KEY', 'a/b'],
      },
      { KEY },
    ],
  ] as const)
    it(`is asked for them at the start: ${title}`, () => {
      const found = askPlaceholders({ name: 'a', server });
      assert.deepEqual(found.server['env'], env);
      assert.ok(found.inputs?.some(({ id }) => id === 'a-KEY'));
    });

  it('has its keys hidden as they are typed', () =>
    assert.deepEqual(
      askPlaceholders({ name: 'a', server: run('-e', 'API_KEY', '-e', 'ORG', 'a/b') }).inputs,
      [asks('a-API_KEY', 'API_KEY', true), asks('a-ORG', 'ORG', false)],
    ));

  for (const [title, server] of [
    ['with a value', run('-e', 'KEY=1', 'a/b')],
    ['with a value in the environment', { ...run('-e', 'KEY', 'a/b'), env: { KEY: '' } }],
    ['from a file of its own', run('--env-file', 'KEY', 'a/b')],
    ['with a file of variables', { ...run('-e', 'KEY', 'a/b'), envFile: '.env' }],
    ['that every server gets', run('-e', 'HTTPS_PROXY', 'a/b')],
    ['that this server gets', { ...run('-e', 'KEY', 'a/b'), inheritEnvironment: 'all' }],
    ['of the program inside', run('-i', 'a/b', '-e', 'KEY')],
    ['of the name of a container', run('--name', '-e', 'KEY', 'a/b')],
    ['of another program', { command: 'node', args: ['run', '-e', 'KEY'] }],
    ['of another verb', { command: 'docker', args: ['exec', '-e', 'KEY', 'a'] }],
  ] as const)
    it(`is asked for none: ${title}`, () => {
      const found = { name: 'a', server };
      assert.equal(askPlaceholders(found), found);
    });
});
