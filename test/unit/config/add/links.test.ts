import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { maxLinkLength } from '../../../../src/config/add/linkFormats';
import { readCopied } from '../../../../src/config/add/snippet';

const read = (text: string) => structuredClone(readCopied(text, inEnglish));
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const password = (id: string, description: string) => {
  return { id, type: 'promptString', description, password: true };
};
const npx = { type: 'stdio', command: 'npx', args: ['-y', 'größe@1.0.0'] };
const { type: _, ...bare } = npx;
const web = { type: 'http', url: 'https://a.b/mcp', headers: { Authorization: 'Bearer x' } };
const vscode = `mcp/install?${encoded({ name: 'l', ...bare })}`;

describe('an install link', () => {
  const links: readonly [title: string, link: string, found: unknown][] = [
    ['VS Code', `vscode:${vscode}`, { name: 'l', server: npx }],
    ['VS Code Insiders', `vscode-insiders:${vscode}`, { name: 'l', server: npx }],
    [
      'a page of VS Code around the link',
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:${vscode}`)}`,
      { name: 'l', server: npx },
    ],
    [
      'a page of VS Code for Insiders',
      `https://insiders.vscode.dev/redirect/mcp/install?name=l&config=${encoded(bare)}&quality=insiders`,
      { name: 'l', server: npx },
    ],
    [
      'Cursor',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=l&config=${base64(bare)}`,
      { name: 'l', server: npx },
    ],
    [
      'Cursor, with the name in the configuration too',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=l&config=${base64({ l: bare })}`,
      { name: 'l', server: npx },
    ],
    [
      'LM Studio',
      `lmstudio://add_mcp?name=l&config=${encodeURIComponent(base64(web))}`,
      { name: 'l', server: web },
    ],
    [
      'a page of LM Studio',
      `https://lmstudio.ai/install-mcp?name=l&config=${base64(web)}`,
      { name: 'l', server: web },
    ],
    [
      'goose',
      'goose://extension?cmd=npx&arg=-y&arg=%40a%2Fb%401.0.0&id=b&name=B&description=d&timeout=300&env=B_KEY%3DKey%20of%20B&env=OTHER',
      {
        name: 'B',
        server: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', '@a/b@1.0.0'],
          env: { B_KEY: '${input:B-B_KEY}', OTHER: '${input:B-OTHER}' },
        },
        inputs: [password('B-B_KEY', 'Key of B'), password('B-OTHER', 'OTHER')],
      },
    ],
    [
      'goose, to a URL',
      'goose://extension?url=https%3A%2F%2Fa.b%2Fmcp&name=w&env=TOKEN%3DYour%20token&header=Authorization%3DBearer%20%24%7BTOKEN%7D&header=X-Id%3D&header=X-Fixed%3Da%3Db',
      {
        name: 'w',
        server: {
          type: 'http',
          url: 'https://a.b/mcp',
          headers: {
            Authorization: 'Bearer ${input:w-TOKEN}',
            'X-Id': '${input:w-X-Id}',
            'X-Fixed': 'a=b',
          },
        },
        inputs: [password('w-TOKEN', 'Your token'), password('w-X-Id', 'X-Id')],
      },
    ],
    [
      'our own',
      `vscode://mcp-workbench.mcp-workbench/add?${encoded({ name: 'l', ...bare })}`,
      { name: 'l', server: npx },
    ],
    [
      'our own, with parameters',
      `vscode-insiders://mcp-workbench.mcp-workbench/add?name=l&config=${base64(web)}`,
      { name: 'l', server: web },
    ],
    [
      'a server that wants a sandbox',
      `vscode:mcp/install?${encoded({ name: 's', command: 'a', sandboxEnabled: true })}`,
      { name: 's', server: { type: 'stdio', command: 'a', sandboxEnabled: true } },
    ],
  ];
  for (const [title, link, found] of links)
    it(`is read: ${title}`, () => assert.deepEqual(read(link), { servers: [found] }));

  const own = 'vscode://mcp-workbench.mcp-workbench/add?';
  const cursor = 'cursor://anysphere.cursor-deeplink/mcp/install?';
  const nested = `${'['.repeat(8000)}${']'.repeat(8000)}`;
  const hostile: readonly [title: string, link: string, problem: RegExp][] = [
    ['JSON that is cut off', 'vscode:mcp/install?%7B%22name', /damaged or incomplete/],
    ['JSON that is no object', 'vscode:mcp/install?%5B%5D', /damaged or incomplete/],
    ['nothing', 'vscode:mcp/install?', /damaged or incomplete/],
    ['a broken percent sign', 'vscode:mcp/install?%', /damaged or incomplete/],
    ['base 64 that is none', `${cursor}name=a&config=%25%25%25`, /damaged or incomplete/],
    ['base 64 of other bytes', `${cursor}name=a&config=gICA`, /damaged or incomplete/],
    ['base 64 of no JSON', `${cursor}name=a&config=${btoa('{')}`, /damaged or incomplete/],
    ['no configuration', `${cursor}name=a`, /damaged or incomplete/],
    [
      'inputs that are no list',
      `${cursor}name=a&config=${base64(bare)}&inputs=7`,
      /damaged or incomplete/,
    ],
    [
      'no server in the configuration',
      `${cursor}name=a&config=${base64({ cwd: '/' })}`,
      /neither the command nor the URL/,
    ],
    [
      'an unknown parameter',
      `${cursor}name=a&config=${base64(bare)}&run=1`,
      /unknown parameter: "run"/,
    ],
    [
      'an endless parameter',
      `${cursor}config=&${'x'.repeat(9000)}=1`,
      /unknown parameter: "x{39}…"/,
    ],
    [
      'two configurations',
      `lmstudio://add_mcp?config=${base64(bare)}&config=${base64(web)}`,
      /more than one "config"/,
    ],
    ['goose without a command', 'goose://extension?name=a', /damaged or incomplete/],
    [
      'goose with a command and a URL',
      'goose://extension?name=a&cmd=b&url=c',
      /damaged or incomplete/,
    ],
    ['goose without a name', 'goose://extension?cmd=a', /damaged or incomplete/],
    ['goose with an unknown one', 'goose://extension?name=a&cmd=b&sh=c', /parameter: "sh"/],
    ['a line break inside', 'goose://extension?name=a&cmd=b\n&arg=c', /invisible or control/],
    [
      'a line break in an argument',
      'goose://extension?name=a&cmd=b&arg=c%0Ad',
      /invisible or cont/,
    ],
    [
      'a control character in the command',
      `vscode:mcp/install?${encoded({ name: 'a', command: 'b\u0007' })}`,
      /invisible or control/,
    ],
    [
      'a name that reads backwards',
      `vscode:mcp/install?${encoded({ name: 'a\u202Eb', command: 'c' })}`,
      /invisible or control/,
    ],
    [
      'what is nested without end',
      `vscode:mcp/install?{"name":"a","url":"https://a.b","oauth":${nested}}`,
      /damaged or incomplete/,
    ],
    ['our own without anything', own, /damaged or incomplete/],
    [
      'our own with an unknown key',
      `${own}${encoded({ name: 'a', command: 'b', run: true })}`,
      /unknown parameter: "run"/,
    ],
    [
      'our own to a script',
      `${own}${encoded({ name: 'a', url: 'javascript:alert(1)' })}`,
      /neither the command nor the URL/,
    ],
    [
      'our own with a control character',
      `${own}${encoded({ name: 'a', command: 'b', args: ['c\u001B[2J'] })}`,
      /invisible or control/,
    ],
    [
      'our own of a megabyte',
      `${own}${encoded({ name: 'a', command: 'b', args: ['c'.repeat(1_000_000)] })}`,
      /longer than 32768 characters/,
    ],
    [
      'a page that leads to a page',
      'https://vscode.dev/redirect?url=vscode%3Aextension%2Fa',
      /damaged or incomplete/,
    ],
  ];
  for (const [title, link, problem] of hostile)
    it(`gets one sentence: ${title}`, () => {
      const { servers, problem: told = '' } = read(link);
      assert.deepEqual(servers, []);
      assert.match(told, problem);
      assert.match(told, /^[A-Z][^\n]{1,120}$/);
    });

  it('is read up to a length, and refused beyond', () => {
    const start = `goose://extension?name=a&cmd=b&arg=`;
    const longest = start.padEnd(maxLinkLength, 'x');
    assert.equal(read(longest).servers.length, 1);
    assert.match(read(`${longest}x`).problem ?? '', /longer than 32768 characters/);
  });

  it('is not what merely has such words in its path', () => {
    const url = 'https://example.com/mcp/install?key=1';
    assert.deepEqual(
      read(url).servers.map(({ server }) => server),
      [{ type: 'http', url }],
    );
  });
});
