import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { toMcpJson } from '../../../../src/config/add/importedServer';
import { readCopied } from '../../../../src/config/add/snippet';

describe('a command that is a whole command line', () => {
  for (const [command, expected, more = {}] of [
    ['npx @playwright/mcp@latest', ['npx', '@playwright/mcp@latest']],
    [' npx  -y foo "a b" ', ['npx', '-y', 'foo', 'a b']],
    ['npx.cmd -y foo', ['npx.cmd', '-y', 'foo'], { args: [] }],
    ['node C:\\srv\\main.js', ['node', 'C:\\srv\\main.js'], { args: null }],
    ['npx foo --key ${input:key}', ['npx', 'foo', '--key', '${input:key}']],
  ] as const)
    it(`is taken apart: ${command}`, () => {
      const [program, ...args] = expected;
      assert.deepEqual(toMcpJson({ command, ...more }), { type: 'stdio', command: program, args });
    });

  for (const [command, more = {}] of [
    ['npx'],
    ['C:\\Program Files\\nodejs\\node.exe'],
    ['/opt/My App/server'],
    ['./my server'],
    ['~/My Apps/server'],
    ['${workspaceFolder}/my server'],
    ['my program', { args: ['-y'] }],
  ] as const)
    it(`is none, and stays: ${command}`, () =>
      assert.deepEqual(toMcpJson({ command, ...more }), { type: 'stdio', command, ...more }));

  it('is taken apart in a link, and named for what it launches', () => {
    const config = btoa(JSON.stringify({ command: 'npx -y @scope/server-files' }));
    const link = `cursor://anysphere.cursor-deeplink/mcp/install?config=${config}`;
    const server = { type: 'stdio', command: 'npx', args: ['-y', '@scope/server-files'] };
    assert.deepEqual(readCopied(link, inEnglish).servers, [{ name: 'files', server }]);
  });
});

describe('an imported server', () => {
  const ofAll = { timeouts: { start: 1 }, maxMessageMegabytes: 2 };
  const ofProcess = {
    cwd: 'a',
    envFile: '.env',
    inheritEnvironment: 'none',
    sandboxEnabled: true,
    sandbox: { network: {} },
  };
  const ofAddress = { oauth: { clientId: 'a' } };
  const never = { dev: { watch: 'a' }, registry: { url: 'u', name: 'n', version: 'v' }, extra: 1 };
  const run = { type: 'stdio', command: 'node' };
  const reach = { type: 'http', url: 'https://example.com/mcp' };
  const all = { ...never, ...ofAll, ...ofAddress, ...ofProcess };

  for (const [what, entry, expected] of [
    ['a process', { ...all, ...run }, { ...run, ...ofProcess, ...ofAll }],
    ['an address', { ...all, ...reach }, { ...reach, ...ofAddress, ...ofAll }],
    ['a process with texts that are none', { ...run, cwd: 1, envFile: null }, run],
  ] as const)
    it(`keeps the keys of ${what} that are read for one, in a fixed order, and no others`, () =>
      assert.equal(JSON.stringify(toMcpJson(entry)), JSON.stringify(expected)));
});
