import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { UserError } from '../../../../../src/base/errors';
import { silentLogger } from '../../../../../src/base/log';
import {
  appendBelow,
  findEscape,
  isSegment,
  workspaceFiles,
} from '../../../../../src/mcp/node/files/workspaceFiles';
import {
  isPathInside,
  readOwnFile,
  withoutModes,
  readSmallFile,
} from '../../../../../src/mcp/node/files/fileAccess';
import {
  makePrivateFolder,
  writePrivateFile,
} from '../../../../../src/mcp/node/files/privateFiles';
import { createFileMemory, nodeFiles, openJsonLines } from '../../../../../src/mcp/node/nodeFiles';
import { thisSystem } from '../../../../../src/mcp/node/system';

/** Windows lets only some users make links, and has no modes of files. */
const isWindows = thisSystem() === 'win32';

/** True for a path that leads over a link or a pipe, which are made only where everybody can. */
const hasLink = (path: string) =>
  /^(?:in|inner\/out|file|dangling|loop|out|near|pipe)(?:\/|$)/.test(path);

describe('files', () => {
  let folder = '';
  const at = (...path: string[]) => join(folder, ...path);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-files-')));
    await mkdir(at('workspace/inner'), { recursive: true });
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere/secret'), 'mine');
    if (isWindows) return;
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
  ] as const) {
    if (isWindows && hasLink(path)) continue;
    it(`are ${escape ? 'not ' : ''}saved in the folder at ${path}`, async () => {
      const segments = path.split('/').filter((segment) => segment !== '..');
      const expected = escape && at('workspace', escape);
      assert.equal(
        await findEscape(at('workspace'), segments),
        path.includes('..') ? undefined : expected,
      );
      if (!path.includes('..') && !isWindows)
        assert.equal(await findEscape(at('door'), segments), expected);
    });
  }

  for (const [what, prepare, path, problem] of [
    ['their own', async () => {}, 'inner/own', undefined],
    ['one that is not there', async () => {}, 'inner/none', undefined],
    ['one in a folder that is none', async () => {}, 'plain/own', undefined],
    [
      'a file that all can write to',
      () => chmod(at('workspace/inner/own'), 0o666),
      'inner/own',
      /inner\/own\.$/,
    ],
    [
      'a folder that all can write to',
      () => chmod(at('workspace/inner'), 0o777),
      'inner/own',
      /inner\.$/,
    ],
    [
      'a folder that all can write to, with a mark',
      () => chmod(at('workspace/inner'), 0o1777),
      'inner/own',
      /inner\.$/,
    ],
    [
      'one below a folder that all can write to',
      () => chmod(at('workspace'), 0o777),
      'inner/own',
      /workspace\.$/,
    ],
    [
      'a link below a folder that all can write to',
      () => chmod(at('workspace'), 0o777),
      'in/own',
      /workspace\.$/,
    ],
  ] as const) {
    if (isWindows) continue;
    it(`decide what runs only where no other account can write them: ${what}`, async () => {
      await writeFile(at('workspace/inner/own'), 'mine', { mode: 0o644 });
      await writeFile(at('workspace/plain'), '');
      await prepare();
      const reading = readOwnFile(at('workspace'), path, 9);
      if (problem) await assert.rejects(reading, { name: 'UserError', message: problem });
      else assert.equal(await reading, path === 'inner/own' ? 'mine' : undefined);
    });
  }

  it('decide what runs only where they belong to this account or the administrator', async () => {
    if (isWindows) return;
    await writeFile(at('workspace/own'), 'mine');
    const { uid } = await stat(at('workspace/own'));
    const read = (...accounts: number[]) =>
      readOwnFile(at('workspace'), 'own', 9, { own: new Set(accounts) });
    assert.equal(await read(uid), 'mine');
    await assert.rejects(read(uid + 1), /own belongs to another account of this machine\.$/);
  });

  for (const [what, prepare] of [
    ['of a container, whose files another account has checked out', async () => {}],
    [
      'of a codespace, whose files every account can write',
      async () => {
        for (const path of ['workspace', 'workspace/inner']) await chmod(at(path), 0o777);
        await chmod(at('workspace/inner/own'), 0o666);
      },
    ],
  ] as const)
    it(`decide what runs in a project where its owner has made them, as in one ${what}`, async () => {
      if (isWindows) return;
      await writeFile(at('workspace/inner/own'), 'mine');
      await prepare();
      const { uid } = await stat(at('workspace/inner/own'));
      const own = new Set([uid + 1]);
      const read = (project?: string) =>
        readOwnFile(at('workspace'), 'inner/own', 9, { project, own });
      assert.equal(await read(at('workspace/inner')), 'mine');
      await assert.rejects(read(), /belongs to another account/);
      // The root belongs to neither.
      if (uid !== 0) await assert.rejects(read('/'), /belongs to another account/);
    });

  it('decide what runs on disks without modes, whatever those seem to be', () =>
    assert.ok(withoutModes.has(0x65735546)));

  it('are none where there is a folder in their place', async () => {
    await mkdir(at('workspace/own'));
    assert.equal(await readOwnFile(at('workspace'), 'own', 9), undefined);
  });

  const folderOf = (path: string) => ({ scheme: 'file', authority: '', path, fsPath: path });
  const ways: readonly [string, (path: string, folder?: string) => Promise<unknown>][] = [
    [
      'read',
      (path, root = at('workspace')) => workspaceFiles.read(folderOf(root), path.split('/'), 9),
    ],
    [
      'written',
      (path, root = at('workspace')) => workspaceFiles.write(folderOf(root), path.split('/'), 'x'),
    ],
    [
      'removed',
      (path, root = at('workspace')) => workspaceFiles.remove(folderOf(root), path.split('/')),
    ],
    [
      'added to',
      (path, root = at('workspace')) => appendBelow(folderOf(root), path.split('/'), 'x'),
    ],
    [
      'checked',
      (path, root = at('workspace')) => workspaceFiles.check(folderOf(root), path.split('/')),
    ],
  ];
  const ledElsewhere: readonly [path: string, why: RegExp][] = [
    ['file', /workspace\/file is a link that leads out of the folder\./],
    ['dangling', /dangling is a link that leads out of the folder\./],
    ['loop', /loop is a link that leads out of the folder\./],
    ['out/new', /workspace\/out is a link that leads out of the folder\./],
    ['out/secret', /workspace\/out is a link that leads out of the folder\./],
    ['in/out/new', /inner\/out is a link that leads out of the folder\./],
    ['near', /: near is a link\. Remove it/],
    ['in/near', /: in\/near is a link\. Remove it/],
    ['in', /: in is a link\. Remove it/],
    ['inner', /: inner is not a file\./],
    ['pipe', /: pipe is not a file\./],
    ['../elsewhere/secret', /is not a path in the folder\./],
    ['inner/../../elsewhere/secret', /is not a path in the folder\./],
    ['./plain', /is not a path in the folder\./],
    ['inner//plain', /is not a path in the folder\./],
    ['', /is not a path in the folder\./],
    ['pla\0in', /is not a path in the folder\./],
  ];
  for (const [way, use] of ways)
    for (const [path, why] of ledElsewhere.filter(([one]) => !isWindows || !hasLink(one)))
      it(`of a workspace are not ${way} at ${JSON.stringify(path)}`, async () => {
        await writeFile(at('workspace/plain'), 'plain');
        if (!isWindows) {
          await symlink('plain', at('workspace/near'));
          await symlink('../plain', at('workspace/inner/near'));
          await symlink('../out', at('workspace/inner/out'));
          execFileSync('mkfifo', [at('workspace/pipe')]);
        }
        for (const root of isWindows ? ['workspace'] : ['workspace', 'door'])
          await assert.rejects(use(path, at(root)), (error: Error) => {
            assert.ok(error instanceof UserError);
            assert.match(error.message, /^Nothing was (?:saved|read): /);
            assert.match(error.message, why);
            return true;
          });
        assert.equal(await readFile(at('elsewhere/secret'), 'utf8'), 'mine');
        assert.equal(await readFile(at('workspace/plain'), 'utf8'), 'plain');
        assert.deepEqual(await readdir(at('elsewhere')), ['secret']);
      });

  /** Links of a repository that stay in it, where they lead, and whether that is refused. */
  const within: readonly [link: string, target: string, path: string, isRefused: boolean][] = [
    ['docs', '.git/hooks', 'docs/pre-commit', true],
    ['docs', '.vscode', 'docs/settings.json', true],
    ['docs', '.github/workflows', 'docs/ci.yml', true],
    ['docs', 'inner/.devcontainer', 'docs/devcontainer.json', true],
    ['docs', 'chain', 'docs/settings.json', true],
    ['settings.json', '.vscode/settings.json', 'settings.json', true],
    ['.claude', '.git', '.claude/config', true],
    ['.claude', '.agents', '.claude/new.md', false],
    ['docs', 'inner', 'docs/new.md', false],
  ];
  for (const [way, use] of isWindows ? [] : ways)
    for (const [link, target, path, isRefused] of within)
      it(`of a repository are ${isRefused ? 'not ' : ''}${way} at ${path}, by ${link} → ${target}`, async () => {
        for (const own of [
          '.git/hooks',
          '.vscode',
          '.github/workflows',
          'inner/.devcontainer',
          '.agents',
        ])
          await mkdir(at('workspace', own), { recursive: true });
        await writeFile(at('workspace/.vscode/settings.json'), '{}');
        await symlink('.vscode', at('workspace/chain'));
        await symlink(target, at('workspace', link));
        if (!isRefused) return void (await use(path));
        await assert.rejects(
          use(path),
          /^UserError: Nothing was .*: .* is a link that leads to configuration of the folder\.$/,
        );
      });

  for (const [way, use] of ways)
    it(`of a folder of many repositories are not ${way} through what one of them has of another`, async () => {
      for (const own of ['one', 'two/deep', 'home'])
        await mkdir(at('workspace', own), { recursive: true });
      await mkdir(at('workspace/one/.git'));
      // As a submodule or another work tree has it.
      await writeFile(at('workspace/two/.git'), 'gitdir: elsewhere');
      await symlink('../home', at('workspace/one/out'));
      await symlink('../../home', at('workspace/two/deep/out'));
      await symlink('deep', at('workspace/two/in'));
      for (const path of ['one/out/new', 'two/deep/out/new', 'two/in/out/new'])
        await assert.rejects(use(path), /out is a link that leads out of the folder\./);
      assert.deepEqual(await readdir(at('workspace/home')), []);
      if (way === 'written') await use('two/in/new');
    });

  for (const [name, onWindows, elsewhere] of [
    ['plain.txt', true, true],
    ['.hidden', true, true],
    ['..a', true, true],
    ['', false, false],
    ['.', false, false],
    ['..', false, false],
    ['a/b', false, false],
    ['a\0b', false, false],
    ['a\\b', false, true],
    ['.. ', false, true],
    ['. ', false, true],
    ['.. .', false, true],
    ['...', false, true],
    ['name.', false, true],
    ['name ', false, true],
    ['C:', false, true],
    ['name:stream', false, true],
  ] as const)
    it(`have a name that is ${onWindows ? '' : 'no '}one step of a path on Windows, and ${elsewhere ? '' : 'not '}elsewhere: ${JSON.stringify(name)}`, () => {
      assert.equal(isSegment(name, '\\'), onWindows);
      assert.equal(isSegment(name, '/'), elsewhere);
    });

  it('of a workspace are written, read, added to and removed, through links that stay inside', async () => {
    const [root, path] = isWindows
      ? [folderOf(at('workspace')), ['inner', 'new', 'file']]
      : [folderOf(at('door')), ['in', 'new', 'file']];
    assert.equal(await workspaceFiles.read(root, path, 9), undefined);
    await workspaceFiles.write(root, path, 'a longer one');
    await workspaceFiles.write(root, path, 'one');
    await appendBelow(root, path, ' two');
    assert.equal(await workspaceFiles.read(root, path, 9), 'one two');
    assert.equal(await readFile(at('workspace/inner/new/file'), 'utf8'), 'one two');
    await assert.rejects(workspaceFiles.read(root, path, 6), /larger than 6 B/);
    await workspaceFiles.remove(root, path);
    await workspaceFiles.remove(root, path);
    assert.deepEqual(await readdir(at('workspace/inner/new')), []);
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

  it('of our own are for the user alone, in folders of the same kind', async function () {
    if (isWindows) this.skip();
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
    if (!isWindows) await assert.rejects(readSmallFile('/dev/zero', 100), /not a file/);
    // The editor writes the letter of a drive in lower case, people do not.
    const inLower = at('elsewhere/secret').replace(/^[A-Z](?=:)/, (drive) => drive.toLowerCase());
    await assert.rejects(readSmallFile(inLower, 3), {
      message: `${at('elsewhere/secret')} is larger than 3 B.`,
    });
    await assert.rejects(readSmallFile(at('elsewhere'), 100), /not a file|EISDIR/);
  });

  describe('at a path of more than 260 characters', () => {
    const steps = [...Array.from({ length: 6 }, (_, step) => `${step}`.repeat(60)), 'Grüße 世界'];
    const deep = (...names: string[]) => at(...steps, ...names);
    const none = { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [] };
    const kept = { snapshot: none, era: 'modern', savedAt: 0 } as const;
    beforeEach(() => makePrivateFolder(deep()));

    for (const [what, write, expected] of [
      [
        'a private file, also once more',
        async () => {
          for (const text of ['one', 'another']) await writePrivateFile(deep('file'), text);
          return readSmallFile(deep('file'), 100);
        },
        'another',
      ],
      [
        'a log, which is put aside',
        async () => {
          const log = openJsonLines(deep('log'), 5);
          for (const a of [1, 2]) await log.append({ a });
          return JSON.stringify((await log.read()).values);
        },
        '[{"a":1},{"a":2}]',
      ],
      [
        'a file of a workspace, which is added to',
        async () => {
          await workspaceFiles.write(folderOf(folder), [...steps, 'file'], 'one');
          await appendBelow(folderOf(folder), [...steps, 'file'], ' two');
          return workspaceFiles.read(folderOf(folder), [...steps, 'file'], 100);
        },
        'one two',
      ],
      [
        'what was learned of a server',
        async () => {
          await createFileMemory(deep('lists'), silentLogger).save({ id: 1 }, kept);
          const found = await createFileMemory(deep('lists'), silentLogger).load({ id: 1 });
          return found?.era;
        },
        'modern',
      ],
      [
        'a folder of ours, which is removed with all in it',
        async () => {
          const folders = nodeFiles.ownFolders(folderOf(deep()));
          await folders.make('bundle', 'me');
          await writePrivateFile(deep('bundle', 'file'), 'x');
          const isRemoved = await folders.remove('bundle', 'me');
          return [isRemoved, ...(await readdir(deep()))].join();
        },
        'true',
      ],
      [
        'what one window does at a time',
        () => nodeFiles.exclusively(folderOf(deep('lock')), () => Promise.resolve('done')),
        'done',
      ],
    ] as const)
      it(`is written and read: ${what}`, async () => {
        assert.ok(deep().length > 260);
        assert.ok(isPathInside(folder, deep('file')));
        assert.equal(await write(), expected);
      });
  });

  it('are read without the byte order mark that some editors write', async () => {
    await writeFile(at('elsewhere/marked'), '\uFEFF{ "é": 1 }');
    assert.equal(await readSmallFile(at('elsewhere/marked'), 100), '{ "é": 1 }');
  });
});
