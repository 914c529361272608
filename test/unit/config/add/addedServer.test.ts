import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { readCopied } from '../../../../src/config/add/snippet';

const npx = { type: 'stdio', command: 'npx', args: ['-y', 'foo'] };
const http = { type: 'http', url: 'https://a.b/mcp' };

const serversOf = (text: string) =>
  structuredClone(readCopied(text, inEnglish)).servers.map(({ name, server }) => [name, server]);

describe('a command that adds a server', () => {
  for (const [text, server] of [
    ['codex mcp add mine -- npx -y foo', npx],
    ['codex mcp add mine npx -y foo', npx],
    [
      'codex mcp add mine --env KEY=a --env OTHER="b c" -- npx -y foo',
      { ...npx, env: { KEY: 'a', OTHER: 'b c' } },
    ],
    ['codex mcp add \\\n  --env KEY=a \\\n  mine -- npx -y foo', { ...npx, env: { KEY: 'a' } }],
    [
      'codex mcp add mine -- npx -y foo --url https://a.b',
      { ...npx, args: ['-y', 'foo', '--url', 'https://a.b'] },
    ],
    ['codex mcp add mine --url https://a.b/mcp', http],
    ['codex mcp add --url https://a.b/mcp mine', http],
    [
      'codex mcp add mine --url https://a.b/mcp --bearer-token-env-var A_TOKEN',
      { ...http, headers: { Authorization: 'Bearer ${env:A_TOKEN}' } },
    ],
    [
      'codex mcp add mine --url=https://a.b/mcp --oauth-client-id me',
      { ...http, oauth: { clientId: 'me' } },
    ],
    ['gemini mcp add mine npx -y foo', npx],
    ['gemini mcp add -s user mine npx -- -y foo', npx],
    ['gemini mcp add --trust -e KEY=a mine npx -y foo', { ...npx, env: { KEY: 'a' } }],
    [
      'gemini mcp add mine npx -y foo --trust --scope project --env KEY=a -s user',
      { ...npx, env: { KEY: 'a' } },
    ],
    [
      'gemini mcp add mine docker run -i -t -e KEY foo',
      { type: 'stdio', command: 'docker', args: ['run', '-i', '-t', '-e', 'KEY', 'foo'] },
    ],
    ['gemini mcp add mine "npx -y foo" --trust -s project', npx],
    ['gemini mcp add mine https://a.b/mcp', http],
    ['gemini mcp add --transport sse mine https://a.b/mcp', { ...http, type: 'sse' }],
    [
      'gemini mcp add -s user -t http -H "Authorization: Bearer a" -H "X-Key: b" mine https://a.b/mcp',
      { ...http, headers: { Authorization: 'Bearer a', 'X-Key': 'b' } },
    ],
    [
      'gemini mcp add mine npx -y foo --include-tools a,b --exclude-tools "c, d" --timeout 9000',
      {
        ...npx,
        tools: ['a', 'b'],
        disabledTools: ['c', 'd'],
        timeouts: { request: 9, total: 9 },
      },
    ],
  ] as const)
    it(`is understood: ${text}`, () => assert.deepEqual(serversOf(text), [['mine', server]]));

  for (const text of ['codex mcp add', 'codex mcp add mine', 'gemini mcp add -s user', 'codex mcp'])
    it(`is none where it lacks a part: ${text}`, () => assert.deepEqual(serversOf(text), []));

  it('is one server for all applications', () =>
    assert.deepEqual(
      serversOf(
        [
          '**Claude Code**\n\n```sh\nclaude mcp add mine -- npx -y foo',
          'codex mcp add mine -- npx -y foo',
          'gemini mcp add mine npx -y foo\n```',
        ].join('\n'),
      ),
      [['mine', npx]],
    ));
});
