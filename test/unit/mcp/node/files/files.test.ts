import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { silentLogger } from '../../../../../src/base/log';
import { findEscape } from '../../../../../src/mcp/node/files/findEscape';
import { isPathInside } from '../../../../../src/mcp/node/files/insidePath';
import {
  makePrivateFolder,
  writePrivateFile,
} from '../../../../../src/mcp/node/files/privateFiles';
import { readSmallFile } from '../../../../../src/mcp/node/files/readSmallFile';
import { createFileMemory } from '../../../../../src/mcp/node/fileMemory';
import { openJsonLines } from '../../../../../src/mcp/node/jsonLines';

describe('files', function () {
  if (process.platform === 'win32') return;
  let folder = '';
  const at = (...path: string[]) => join(folder, ...path);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-files-')));
    await mkdir(at('workspace/inner'), { recursive: true });
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere/secret'), 'mine');
    await symlink(at('elsewhere'), at('workspace/out'));
    await symlink('../elsewhere/secret', at('workspace/file'));
    await symlink(at('elsewhere/new'), at('workspace/dangling'));
    await symlink('inner', at('workspace/in'));
    await symlink(at('workspace'), at('door'));
    await symlink('loop', at('workspace/loop'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const [path, escape] of [
    ['new.txt', undefined],
    ['inner/new.txt', undefined],
    ['in/new.txt', undefined],
    ['not/there/yet', undefined],
    ['file', 'file'],
    ['dangling', 'dangling'],
    ['loop', 'loop'],
    ['out/new.txt', 'out'],
    ['in/../out', undefined],
  ] as const)
    it(`are ${escape ? 'not ' : ''}saved in the folder at ${path}`, async () => {
      const segments = path.split('/').filter((segment) => segment !== '..');
      const expected = escape && at('workspace', escape);
      assert.equal(
        await findEscape(at('workspace'), segments),
        path.includes('..') ? undefined : expected,
      );
      if (!path.includes('..')) assert.equal(await findEscape(at('door'), segments), expected);
    });

  for (const [platform, outer, inner, expected] of [
    [posix, '/a', '/a', true],
    [posix, '/a', '/a/b', true],
    [posix, '/a', '/a/..b', true],
    [posix, '/a', '/ab', false],
    [posix, '/a/b', '/a', false],
    [win32, 'C:\\a', 'c:\\A\\b', true],
    [win32, 'C:\\a', 'D:\\a', false],
  ] as const)
    it(`at ${inner} are ${expected ? '' : 'not '}inside of ${outer}`, () =>
      assert.equal(isPathInside(outer, inner, platform), expected));

  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  it('of our own are for the user alone, in folders of the same kind', async () => {
    await mkdir(at('open'), { mode: 0o755 });
    await makePrivateFolder(at('open'));
    await makePrivateFolder(at('new/deep'));
    await writePrivateFile(at('new/deep/file'), 'x');
    await openJsonLines(at('log/lines'), 1000).append({});
    const memory = createFileMemory(at('lists'), silentLogger);
    const none = { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [] };
    await memory.save({}, { snapshot: none, era: 'modern', savedAt: 0 });
    for (const path of ['open', 'new', 'new/deep', 'log', 'lists'])
      assert.equal(await modeOf(at(path)), 0o700, path);
    for (const path of ['new/deep/file', 'log/lines'])
      assert.equal(await modeOf(at(path)), 0o600, path);
  });

  it('that are no files or too large are not read', async () => {
    assert.equal(await readSmallFile(at('elsewhere/secret'), 4), 'mine');
    await assert.rejects(readSmallFile(at('elsewhere/secret'), 3), /larger than 3 B/);
    await assert.rejects(readSmallFile('/dev/zero', 100), /not a file/);
    await assert.rejects(readSmallFile(at('elsewhere'), 100), /not a file|EISDIR/);
  });

  it('are read without the byte order mark that some editors write', async () => {
    await writeFile(at('elsewhere/marked'), '\uFEFF{ "é": 1 }');
    assert.equal(await readSmallFile(at('elsewhere/marked'), 100), '{ "é": 1 }');
  });
});
