import assert from 'node:assert/strict';
import { askPlaceholders } from '../../../../src/config/add/text/placeholders';

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
          asks('a-org', 'org: <org>', false),
          asks('a-api-key', 'api-key: <key>', true),
        ],
      },
    ));

  it('takes no input that the server has', () => {
    const own = { id: 'a-KEY', type: 'promptString' };
    const server = { command: 'x', env: { KEY: '<key>', OTHER: '${input:a-KEY}' } };
    const { inputs } = askPlaceholders({ name: 'a', server, inputs: [own] });
    assert.deepEqual(
      inputs?.map(({ id }) => id),
      ['a-KEY', 'a-KEY-2'],
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
