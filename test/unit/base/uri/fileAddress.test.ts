import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { array, assert as check, constantFrom, property, string, tuple } from 'fast-check';
import { truncateMiddle } from '../../../../src/base/text/text';
import {
  comparedAddress,
  comparedPath,
  fileAddress,
  pathOfAddress,
  resolvedAddress,
  shownPath,
} from '../../../../src/base/uri/fileAddress';

describe('the address of a file', () => {
  const addresses: readonly [path: string, expected: string, host?: string][] = [
    ['/home/me/a b', 'file:///home/me/a%20b'],
    ['/c:/Users/me', 'file:///C:/Users/me'],
    ['/what?/50%/#1', 'file:///what%3F/50%25/%231'],
    ['/share/x', 'file://server/share/x', 'server'],
  ];
  for (const [path, expected, host] of addresses)
    it(`${host ?? ''}${path} is ${expected}`, () => {
      assert.equal(fileAddress(path, host), expected);
    });

  it('is that of Node, whatever is in the names', () => {
    const name = string({ unit: 'binary', minLength: 1 }).filter(isName);
    check(
      property(array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`;
        assert.equal(
          decodeURIComponent(fileAddress(path)),
          decodeURIComponent(pathToFileURL(path, { windows: false }).href),
        );
      }),
    );
  });
});

describe('the path of an address', () => {
  for (const [address, path] of [
    ['file:///c%3A/Users/me/my%20code/mcp.json', 'C:\\Users\\me\\my code\\mcp.json'],
    ['file:///D:/x', 'D:\\x'],
    ['file://server/share/a%20b/mcp.json', '\\\\server\\share\\a b\\mcp.json'],
    ['file://wsl%24/Ubuntu/home/me/mcp.json', '\\\\wsl$\\Ubuntu\\home\\me\\mcp.json'],
    ['file://wsl.localhost/Ubuntu/mcp.json', '\\\\wsl.localhost\\Ubuntu\\mcp.json'],
    ['file:///home/me/%E4%B8%96/mcp.json', '/home/me/世/mcp.json'],
    ['file:///home/100%/x', '/home/100%/x'],
    ['vscode-remote://wsl+ubuntu/home/me/mcp.json', 'vscode-remote://wsl+ubuntu/home/me/mcp.json'],
    ['User Settings', 'User Settings'],
    ['', ''],
  ] as const)
    it(`is as its system writes it: ${address}`, () => assert.equal(pathOfAddress(address), path));
});

describe('the address of a place where its steps lead', () => {
  for (const [address, expected] of [
    ['file:///w/app', 'file:///w/app'],
    ['file:///w/a%20b/', 'file:///w/a%20b/'],
    ['file:///w/app/../..', 'file:///'],
    ['file:///w/app/%2e%2E/x', 'file:///w/x'],
    ['file:///w/app%2F..%2F..%2Fx', 'file:///x'],
    ['file:///w/app/..%2f../x', 'file:///x'],
    ['file:/w/app/../x', 'file:///w/x'],
    ['FILE:///w/app%2F../x', 'file:///w/x'],
    [`file:///w/app${'%20'.repeat(300)}/x/../../../etc`, 'file:///etc'],
    ['file:///c%3A/w/..%5C../x', 'file:///C:/x'],
    ['file:///C:/w/..%20/x', 'file:///C:/x'],
    ['file://server/share/a%2F../b', 'file://server/share/b'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/a%20b', 'https://example.com/a%20b'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['nonsense/../x', 'nonsense/../x'],
  ] as const)
    it(`is found: ${truncateMiddle(address, 60)}`, () => {
      assert.equal(resolvedAddress(address), expected);
      assert.equal(resolvedAddress(expected), expected);
    });

  it('has no step that leads up for anybody who reads it', () => {
    const step = constantFrom('..', '.', '%2e%2e', '%2E.', 'a', '', '%20');
    const part = tuple(constantFrom('/', '%2F', '%2f', '\\'), step);
    check(
      property(array(part, { maxLength: 12 }), (parts) => {
        const address = resolvedAddress(`file:///w${parts.flat().join('')}`);
        const path = decodeURIComponent(new URL(address).pathname);
        assert.ok(!path.split('/').some((one) => /^\.\.?$/.test(one)), address);
        assert.equal(pathOfAddress(address), path);
      }),
    );
  });
});

describe('the path of a file that is shown', () => {
  for (const [fsPath, path] of [
    ['c:\\Users\\me', 'C:\\Users\\me'],
    ['D:\\x', 'D:\\x'],
    ['\\\\wsl$\\Ubuntu\\x', '\\\\wsl$\\Ubuntu\\x'],
    ['/home/me', '/home/me'],
    [`/w/project${' '.repeat(300)}/x/../../..`, '/'],
    ['/w/a/./b/../c', '/w/a/c'],
    ['/w/../../..', '/'],
    ['/w/a/..', '/w'],
    ['/w/..a/...', '/w/..a/...'],
    ['c:\\w\\..\\x', 'C:\\x'],
    ['c:\\w\\.. \\..', 'C:\\'],
    ['\\\\server\\share\\a\\..\\b', '\\\\server\\share\\b'],
    ['\\\\server\\share\\..\\x', '\\\\server\\share\\x'],
    ['\\\\server\\share\\a\\..\\..\\..', '\\\\server\\share\\'],
    ['\\\\server\\..\\share', '\\\\server\\share\\'],
    ['../a', '../a'],
    ['a', 'a'],
  ] as const)
    it(`has its drive as people write it: ${fsPath}`, () =>
      assert.equal(shownPath({ fsPath }), path));
});

describe('two paths', () => {
  for (const [one, other, isSame] of [
    ['c:\\Users\\me', 'C:/users/Me/', true],
    ['C:\\', 'c:', true],
    ['C:\\a', 'D:\\a', false],
    ['\\\\Server\\share\\a', '//server/SHARE/a', true],
    ['/home/me', '/home/me/', true],
    ['/home/me', '/home/Me', false],
    ['/home/a\\b', '/home/a/b', false],
  ] as const)
    it(`are ${isSame ? 'one' : 'different'}: ${one} and ${other}`, () =>
      assert.equal(comparedPath(one) === comparedPath(other), isSame));
});

describe('two addresses', () => {
  const drive = ['file:///c:/work', 'file:///C:/work', 'file:///c%3A/work/', 'file:///C|/work'];
  for (const [one, other, isSame] of [
    ...drive.map((address) => ['file:///C:/work', address, true] as const),
    ['file:///c:', 'file:///C:/', true],
    ['file:///C:/work', 'file:///D:/work', false],
    ['file:///C:/work', 'file:///C:/Work', false],
    ['file://c/work', 'file://C/work', true],
    ['file:///cc:/x', 'file:///CC:/x', false],
    ['https://example.com/a/', 'https://example.com/a', true],
    ['https://example.com/c:/a', 'https://example.com/C:/a', false],
    ['not an address', 'not an address', true],
  ] as const)
    it(`are ${isSame ? 'one' : 'different'}: ${one} and ${other}`, () =>
      assert.equal(comparedAddress(one) === comparedAddress(other), isSame));
});

/** True if a file can have this name; `.` and `..` cannot be names. */
function isName(name: string): boolean {
  // A letter and a colon are a drive.
  return !/[/\0]|^\.\.?$|^[a-z]:$/.test(name);
}
