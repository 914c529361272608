import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { array, assert as check, property, string } from 'fast-check';
import { fileAddress, pathOfAddress } from '../../../../src/base/uri/fileAddress';

describe('the address of a file', () => {
  const addresses: readonly [path: string, expected: string, host?: string][] = [
    ['/home/me/a b', 'file:///home/me/a%20b'],
    ['/c:/Users/me', 'file:///c:/Users/me'],
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
    ['file:///home/me/%E4%B8%96/mcp.json', '/home/me/世/mcp.json'],
    ['file:///home/100%/x', '/home/100%/x'],
    ['vscode-remote://wsl+ubuntu/home/me/mcp.json', 'vscode-remote://wsl+ubuntu/home/me/mcp.json'],
    ['User Settings', 'User Settings'],
    ['', ''],
  ] as const)
    it(`is as its system writes it: ${address}`, () => assert.equal(pathOfAddress(address), path));
});

/** True if a file can have this name; `.` and `..` cannot be names. */
function isName(name: string): boolean {
  return !/[/\0]|^\.\.?$/.test(name);
}
