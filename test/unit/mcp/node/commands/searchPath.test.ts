import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '../../../../../src/base/log';
import { findCommand } from '../../../../../src/mcp/node/commands/findCommand';
import {
  createOwnEnvironment,
  findToolFolders,
  readShellPath,
} from '../../../../../src/mcp/node/commands/searchPath';
import { poll } from '../../../../support/poll';
import { isAlive } from '../../../../support/processes/processTree';

/** How long a hanging shell is waited for, in milliseconds: a busy machine has begun its profile by then. */
const hangMs = 2000;

describe('the search path of servers', function () {
  if (process.platform === 'win32') return;
  let home = '';

  const write = async (path: string, text: string, mode = 0o755) => {
    const file = join(home, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    await chmod(file, mode);
    return file;
  };
  /** Creates a login shell whose profile runs `profile`. */
  const shell = async (profile: string) => ({
    SHELL: await write('shell', `#!/bin/sh\n${profile}\nshift 3; eval "$1"\n`),
    PATH: '/usr/bin:/bin:/of/the/editor',
  });

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'mcp-workbench-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('is the one that the login shell sets up, whatever else its profile prints', async () => {
    const env = await shell('echo Welcome back; export PATH="/from/the/profile:$PATH"; echo more');
    assert.equal(await readShellPath(env, 5000), '/from/the/profile:/usr/bin:/bin:/of/the/editor');
  });

  for (const real of ['/bin/sh', '/bin/bash'])
    it(`is told by ${real}`, async () =>
      // Without the profile of whoever runs the tests, which may take any time.
      assert.match(
        await readShellPath({ ...process.env, HOME: home, SHELL: real }, 10_000),
        /\/bin/,
      ));

  it('is asked for by no program of the folder that the editor was started in', async () => {
    const mark = join(home, 'ran');
    for (const name of ['printenv', 'env', 'sh', 'echo', 'ps'])
      await write(`opened/bin/${name}`, `#!/bin/sh\n: > "${mark}"\nexec /bin/${name} "$@"\n`);
    // Of the editor, and of the profile.
    const env = await shell('export PATH="bin:./bin:$PATH"; pwd; ps');
    const before = process.cwd();
    process.chdir(join(home, 'opened'));
    try {
      const told = await readShellPath({ ...env, PATH: `./bin::bin:${env.PATH}` }, 5000);
      assert.ok(!existsSync(mark), 'a program of the folder ran');
      assert.equal(told, `bin:./bin:${env.PATH}`);
    } finally {
      process.chdir(before);
    }
  });

  for (const [what, variables] of [
    ['in its search path', (opened: string) => ({ PATH: `${opened}/bin:/usr/bin:/bin` })],
    ['in its search path, by a link', (_, link) => ({ PATH: `${link}/bin:/usr/bin:/bin` })],
    ['as what a shell reads first', (opened: string) => ({ BASH_ENV: `${opened}/bin/start` })],
    ['as what each program loads', (opened: string) => ({ NODE_OPTIONS: `-r "${opened}/a.js"` })],
    ['as the shell', (opened: string) => ({ SHELL: `${opened}/bin/sh` })],
  ] as readonly [string, (opened: string, link: string) => Readonly<Record<string, string>>][])
    it(`is asked for by nothing of a folder that is not trusted, which the editor has ${what}`, async () => {
      const [opened, link, mark] = [join(home, 'opened'), join(home, 'link'), join(home, 'ran')];
      for (const name of ['ps', 'sh', 'start'])
        await write(`opened/bin/${name}`, `#!/bin/sh\n: > "${mark}"\n`);
      await symlink(opened, link);
      const env = await shell(
        `ps; [ -z "$BASH_ENV" ] || . "$BASH_ENV"; [ -z "$NODE_OPTIONS" ] || : > "${mark}"`,
      );
      const given = { ...env, ...variables(opened, link) };
      const told = await readShellPath(given, 5000, [opened]).catch(() => '');
      assert.ok(!existsSync(mark), 'something of the folder ran');
      assert.ok(!told.includes(opened));
      // It still is where servers are looked for, as far as they may.
      const environment = createOwnEnvironment(silentLogger, given, {
        home,
        untrusted: () => [opened],
      });
      const known = (await environment())['PATH']?.split(':') ?? [];
      for (const folder of given.PATH.split(':')) assert.ok(known.includes(folder), folder);
    });

  for (const [which, trap] of [
    ['', ''],
    [' that does not end when it is asked to', `trap '' HUP; `],
  ] as const)
    it(`is not waited for when the profile hangs, and nothing stays of a shell${which}`, async () => {
      const env = await shell(`${trap}echo $$ > "${home}/pid"; sleep 60`);
      await assert.rejects(readShellPath(env, hangMs), {
        name: 'Error',
        message: new RegExp(`took longer than ${hangMs} ms`),
      });
      const pid = Number(await readFile(join(home, 'pid'), 'utf8'));
      await poll('the end of the shell', 5000, async () => (isAlive(pid) ? undefined : true));
    });

  it('leaves no lock of the profile behind when it is not waited for', async () => {
    const lock = join(home, 'lock');
    const env = await shell(`trap 'rm "${lock}"; exit' HUP; touch "${lock}"; sleep 60`);
    await assert.rejects(readShellPath(env, hangMs), /took longer/);
    await poll('the end of the lock', 5000, async () => (existsSync(lock) ? undefined : true));
  });

  it('asks what the profile started to end once: it may not clean up if it is asked again', async () => {
    // The one in the background outlives the shell, and what kills it at last is not asked for.
    const script = `const { appendFileSync, writeFileSync } = require("fs");
process.on("SIGHUP", () => appendFileSync("asked", "x"));
setInterval(() => {}, 1000);
writeFileSync("pid", String(process.pid));`;
    const env = await shell(`cd "${home}"; "${process.execPath}" -e '${script}' & wait`);
    await assert.rejects(readShellPath(env, hangMs), /took longer/);
    const pid = Number(await readFile(join(home, 'pid'), 'utf8'));
    await poll('the end of the one in the background', 5000, async () =>
      isAlive(pid) ? undefined : true,
    );
    assert.equal(await readFile(join(home, 'asked'), 'utf8'), 'x');
  });

  it('does not come from a shell that is not there, fails or says nothing', async () => {
    await assert.rejects(readShellPath({ SHELL: '/no/such/shell' }, 5000), /could not be started/);
    await assert.rejects(readShellPath(await shell('exit 1'), 5000), /did not tell/);
  });

  it('is read once, and goes on with ours and the folders of tools', async () => {
    await write('.volta/bin/node', '');
    const env = await shell(`echo x >> "${home}/count"; export PATH=/from/the/profile:/usr/bin`);
    const environment = createOwnEnvironment(silentLogger, env, { home });
    const [first, second] = await Promise.all([environment(), environment()]);
    assert.equal(first, second);
    assert.equal(await readFile(join(home, 'count'), 'utf8'), 'x\n');
    assert.ok(
      first['PATH']?.startsWith(
        `/from/the/profile:/usr/bin:/bin:/of/the/editor:${home}/.volta/bin`,
      ),
      first['PATH'],
    );
  });

  it('does without the shell, and says so in the log', async () => {
    const warnings: string[] = [];
    const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
    const env = await createOwnEnvironment(log, await shell('exit 1'), { home })();
    assert.match(env['PATH'] ?? '', /^\/usr\/bin:\/bin:\/of\/the\/editor/);
    assert.match(warnings.join(), /did not tell its search path/);
  });

  it('has the folders of nvm, fnm, volta, asdf and mise, of nvm the newest version', async () => {
    const expected = [
      '.volta/bin',
      '.asdf/shims',
      '.local/share/mise/shims',
      '.nvm/versions/node/v22.3.0/bin',
      '.local/share/fnm/aliases/default/bin',
    ];
    for (const folder of [...expected, '.nvm/versions/node/v9.11.2/bin'])
      await mkdir(join(home, folder), { recursive: true });
    assert.deepEqual(
      (await findToolFolders(home)).filter((folder) => folder.startsWith(home)),
      expected.map((folder) => join(home, folder)),
    );
  });

  it('leads to the first program of a name, never to a folder or another kind of file', async () => {
    await mkdir(join(home, 'a', 'tool'), { recursive: true });
    await write('b/tool', '', 0o644);
    const tool = await write('c/tool', '');
    await write('d/tool', '');
    const PATH = ['a', 'b', 'c', 'd'].map((folder) => join(home, folder)).join(':');
    assert.equal(await findCommand('tool', { PATH }), tool);
    assert.equal(await findCommand('other', { PATH }), undefined);
    assert.equal(await findCommand(tool, {}), tool);
    assert.equal(await findCommand('./c/tool', { PATH }, { cwd: home }), tool);
  });
});
