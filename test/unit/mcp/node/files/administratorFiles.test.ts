import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  createAdministratorFiles,
  maxAdministratorBytes,
} from '../../../../../src/mcp/node/files/administratorFiles';

const { uid, username } = userInfo();

describe('the files of an administrator', function () {
  before(function () {
    // Windows has neither owners nor modes.
    if (process.platform === 'win32') this.skip();
  });
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-administrator-'));
    path = join(folder, 'policy.json');
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are read as they are', async () => {
    assert.equal(createAdministratorFiles(folder, uid).read(), undefined);
    await writeFile(path, '{"a": 1}', { mode: 0o644 });
    assert.equal(createAdministratorFiles(folder, uid).read(), '{"a": 1}');
    assert.equal(createAdministratorFiles(join(folder, 'missing'), uid).read(), undefined);
  });

  const refused: readonly [title: string, prepare: () => Promise<unknown>, error: RegExp][] = [
    ['of another owner', async () => writeFile(path, '{}'), /can write/],
    ['that the group can write', async () => chmod(path, 0o664), /can write .*policy\.json/],
    ['that anybody can write', async () => chmod(path, 0o646), /can write .*policy\.json/],
    [
      'in a folder that anybody can write',
      async () => chmod(folder, 0o777),
      /can write (?!.*json)/,
    ],
    [
      'of too many bytes',
      async () => writeFile(path, ' '.repeat(maxAdministratorBytes + 1)),
      /is larger than/,
    ],
    [
      'that is a folder',
      async () => {
        await rm(path);
        await mkdir(path);
      },
      /is not a file|EISDIR/,
    ],
  ];
  for (const [title, prepare, error] of refused)
    it(`are not read from a file ${title}`, async () => {
      await writeFile(path, '{}', { mode: 0o644 });
      await prepare();
      const administrator = title === 'of another owner' ? uid + 1 : uid;
      assert.throws(() => createAdministratorFiles(folder, administrator).read(), error);
    });

  it('take lines into a file of the user that nobody else reads', async () => {
    const files = createAdministratorFiles(folder, uid);
    await files.append(folder, 'one\n');
    await files.append(folder, 'two\n');
    const log = join(folder, `${username}.jsonl`);
    assert.equal(await readFile(log, 'utf8'), 'one\ntwo\n');
    assert.equal((await stat(log)).mode & 0o777, 0o600);
  });

  const planted: readonly [title: string, plant: (log: string, other: string) => unknown][] = [
    ['a link', (log, other) => symlink(other, log)],
    ['a second name of another file', (log, other) => link(other, log)],
    ['a folder', (log) => mkdir(log)],
    ['a pipe', (log) => execFileSync('mkfifo', [log])],
  ];
  for (const [title, plant] of planted)
    it(`take no line into ${title} that stands there, but into a file beside it`, async () => {
      const other = join(folder, 'other');
      await writeFile(other, '');
      const log = join(folder, `${username}.jsonl`);
      await plant(log, other);
      const files = createAdministratorFiles(folder, uid);
      await files.append(folder, 'secret\n');
      await files.append(folder, 'more\n');
      assert.equal(await readFile(other, 'utf8'), '');
      const names = (await readdir(folder)).filter((name) => name.startsWith(`${username}-`));
      assert.equal(names.length, 1);
      assert.equal(await readFile(join(folder, names[0] ?? ''), 'utf8'), 'secret\nmore\n');
    });

  it('take no line into a folder that is none of this system', async () => {
    const files = createAdministratorFiles(folder, uid);
    await assert.rejects(files.append('D:\\Logs', 'line\n'), /no folder of this system/);
  });
});
