import assert from 'node:assert/strict';
import { refusingRule } from '../../../../src/config/switches/serverRules';
import { parseServerConfig } from '../../../../src/mcp/launch/launchKinds';
import { processMs, leeway } from '../../../support/processes/ownLoad';

function ruled(value: object, name = 's') {
  const parsed = parseServerConfig(value);
  assert.ok('config' in parsed);
  return { name, config: parsed.config };
}

const npx = { command: 'npx', args: ['-y', 'a'] };
const web = { url: 'https://mcp.example.com/mcp' };
const byName = { serverName: 's' };
const byCommand = { serverCommand: ['npx', '-y', 'a'] };
const byUrl = { serverUrl: 'https://*.example.com/*' };

describe("an administrator's list", () => {
  const denied: readonly [title: string, entry: unknown, server: object, isDenied: boolean][] = [
    ['a name', byName, npx, true],
    ['a name in other letters', { serverName: 'S' }, npx, true],
    ['another name', { serverName: 't' }, npx, false],
    ['a command line', byCommand, npx, true],
    [
      'a command line by the path of its program',
      byCommand,
      { ...npx, command: '/usr/bin/npx' },
      true,
    ],
    [
      'a command line by its name on Windows',
      byCommand,
      { ...npx, command: String.raw`C:\n\NPX.cmd` },
      true,
    ],
    ['other arguments', byCommand, { ...npx, args: ['-y', 'b'] }, false],
    ['one more argument', byCommand, { ...npx, args: ['-y', 'a', 'b'] }, false],
    ['a command for an address', byCommand, web, false],
    ['an address', byUrl, web, true],
    ['an address in other letters', byUrl, { url: 'HTTPS://MCP.EXAMPLE.COM/mcp' }, true],
    ['another address', byUrl, { url: 'https://example.org/mcp' }, false],
    ['an address for a command', byUrl, npx, false],
    ['an entry that cannot be read', { serverPackage: 'a' }, npx, true],
    ['an entry that is no object', 'other', npx, true],
    [
      'a name beside the command line of another server',
      { ...byCommand, serverName: 't' },
      npx,
      true,
    ],
    ['another name beside an address', { ...byUrl, serverName: 't' }, web, true],
    ['two parts that are neither', { ...byUrl, serverName: 't' }, npx, false],
    ['a part that nobody knows', { serverName: 't', unless: 's' }, npx, true],
  ];
  for (const [title, entry, server, isDenied] of denied)
    it(`${isDenied ? 'forbids' : 'does not forbid'} ${title}`, () => {
      const rule = refusingRule({ denied: [entry], allowed: null }, ruled(server));
      assert.equal(rule?.startsWith('chat.mcp.deniedServers: '), isDenied || undefined);
    });

  const allowed: readonly [title: string, entry: unknown, server: object, isAllowed: boolean][] = [
    ['a name', byName, npx, true],
    ['a name in other letters', { serverName: 'S' }, npx, false],
    ['a command line', byCommand, npx, true],
    ['a command line by another path', byCommand, { ...npx, command: '/tmp/npx' }, false],
    [
      'a variable in a command line',
      { serverCommand: ['npx', '${env:A}'] },
      { command: 'npx', args: ['${env:A}'] },
      false,
    ],
    ['an address', byUrl, web, true],
    [
      'an address of its own site alone',
      { serverUrl: 'https://a.b' },
      { url: 'https://a.b/' },
      true,
    ],
    [
      'another site with the name in its path',
      byUrl,
      { url: 'https://evil.org/x.example.com/' },
      false,
    ],
    [
      'another site with the name as a user',
      { serverUrl: 'https://a.example.com*' },
      { url: 'https://a.example.com@evil.org/' },
      false,
    ],
    [
      'a site that begins like it',
      { serverUrl: 'https://a.b/*' },
      { url: 'https://a.b.evil.org/' },
      false,
    ],
    ['a variable in an address', byUrl, { url: 'https://${input:x}.example.com/mcp' }, false],
    ['another scheme', byUrl, { url: 'http://mcp.example.com/mcp' }, false],
    ['an entry that cannot be read', { serverPackage: 'a' }, npx, false],
    ['a name beside its command line', { ...byCommand, serverName: 's' }, npx, true],
    ['a name beside another command line', { ...byName, serverCommand: ['rm'] }, npx, false],
    ['a part that nobody knows', { serverName: 's', unless: 's' }, npx, false],
  ];
  for (const [title, entry, server, isAllowed] of allowed)
    it(`${isAllowed ? 'allows' : 'does not allow'} ${title}`, () =>
      assert.equal(
        refusingRule({ denied: undefined, allowed: [entry] }, ruled(server)),
        isAllowed ? undefined : 'chat.mcp.allowedServers',
      ));

  it('that forbids wins over one that allows', () =>
    assert.equal(
      refusingRule({ denied: [byName], allowed: [byName] }, ruled(npx)),
      'chat.mcp.deniedServers: s',
    ));

  it('that is empty allows or forbids nothing', () => {
    assert.equal(refusingRule({ denied: [], allowed: [] }, ruled(npx)), 'chat.mcp.allowedServers');
    assert.equal(refusingRule({ denied: [], allowed: undefined }, ruled(npx)), undefined);
  });

  for (const list of ['x', 7, {}, true])
    it(`that is none forbids everything: ${JSON.stringify(list)}`, () => {
      const { name, config } = ruled(npx);
      assert.equal(
        refusingRule({ denied: list, allowed: null }, { name, config }),
        'chat.mcp.deniedServers',
      );
      assert.equal(
        refusingRule({ denied: null, allowed: list }, { name, config }),
        'chat.mcp.allowedServers',
      );
    });

  it('looks at what variables stand for once that is known, where it forbids', () => {
    const server = { ...ruled(npx), isResolved: true } as const;
    assert.equal(
      refusingRule({ denied: [byCommand], allowed: [] }, server),
      'chat.mcp.deniedServers: npx -y a',
    );
    assert.equal(refusingRule({ denied: [], allowed: [] }, server), undefined);
  });

  it('takes no time, however many stars a pattern has', () => {
    const serverUrl = `https://${'*a'.repeat(5000)}b/`;
    const server = ruled({ url: `https://${'a'.repeat(200)}.example.com/${'a'.repeat(50_000)}` });
    const begun = processMs();
    assert.equal(refusingRule({ denied: [{ serverUrl }], allowed: null }, server), undefined);
    assert.ok((processMs() - begun) / leeway() < 1000);
  });
});
