import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { readCopied } from '../../../../src/config/add/snippet';
import {
  mentionsTables,
  withJsonTables,
} from '../../../../src/config/applications/agents/codexTables';

const table = '[mcp_servers.files]\ncommand = "npx"\nargs = [\n  "-y",\n  "foo",\n]';
const files = ['files', { type: 'stdio', command: 'npx', args: ['-y', 'foo'] }];
const remote = '[mcp_servers.remote]\nurl = "https://a.b/mcp"';
const far = ['remote', { type: 'http', url: 'https://a.b/mcp' }];

describe('the tables of servers that Codex has', () => {
  for (const [title, text, expected] of [
    ['alone', table, [files]],
    ['with line ends of Windows', table.replaceAll('\n', '\r\n'), [files]],
    [
      'with variables in a table of their own, and a name in quotes',
      `${table.replace('files', '"my files"')}\n\n[mcp_servers."my files".env]\nKEY = "a"`,
      [['my files', { type: 'stdio', command: 'npx', args: ['-y', 'foo'], env: { KEY: 'a' } }]],
    ],
    [
      'with a token from the environment',
      `${remote}\nbearer_token_env_var = "A_TOKEN"`,
      [
        [
          'remote',
          {
            type: 'http',
            url: 'https://a.b/mcp',
            headers: { Authorization: 'Bearer ${env:A_TOKEN}' },
          },
        ],
      ],
    ],
    ['several', `${table}\n\n# Far away\n${remote}`, [files, far]],
    ['among others', `model = "x"\n\n${table}\n\n[profiles.a]\nmodel = "y"`, [files]],
    ['in a code block', `Add this:\n\n\`\`\`toml\n${table}\n\`\`\`\n\nThen restart.`, [files]],
    [
      'in a code block below others',
      `\`\`\`sh\nnpx -y foo\n\`\`\`\n\n  ~~~toml\n  ${remote}\n  ~~~\n`,
      [far],
    ],
    [
      'between lines of prose',
      `Add this to config.toml:\n\n${table}\n\n[Codex](https://a.b) is then restarted.`,
      [files],
    ],
    ['apart from each other', `${table}\n\nOr this:\n\n${remote}\n`, [files, far]],
  ] as const)
    it(`are read from a text: ${title}`, async () => {
      const { servers, isNamed } = readCopied(await withJsonTables(text), inEnglish);
      assert.deepEqual(
        structuredClone(servers).map(({ name, server }) => [name, server]),
        expected,
      );
      assert.equal(isNamed, true);
    });

  for (const text of [
    'two\nlines',
    '[mcp_servers.files]\ncommand = npx',
    '```json\n{ "mcpServers": {} }\n```\n',
  ])
    it(`are none in others, which stay: ${JSON.stringify(text)}`, async () =>
      assert.equal(await withJsonTables(text), text));

  it('are seen where their lines were joined', () => {
    assert.ok(mentionsTables(table.replaceAll('\n', '')));
    assert.ok(!mentionsTables('mcp_servers'));
  });
});
