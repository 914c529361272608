import assert from 'node:assert/strict';
import { findCommand, locateCommand } from '../../../../../src/mcp/node/commands/findCommand';
import { serverEnvironment } from '../../../../../src/mcp/node/commands/serverEnvironment';

/** A machine with only these programs. */
const having =
  (...files: string[]) =>
  (file: string) =>
    Promise.resolve(files.includes(file));

describe('the program of a server', () => {
  const unix = { PATH: '.::node_modules/.bin:/usr/bin:/opt/bin' };
  const windows = {
    Path: '.;node_modules\\.bin;\\tools;"C:\\Node JS";C:\\bin',
    PATHEXT: '.EXE;.CMD',
  };
  const table = [
    ['linux', 'x', unix, ['/repo/x', '/repo/node_modules/.bin/x'], undefined],
    ['linux', 'x', unix, ['/repo/x', '/opt/bin/x'], '/opt/bin/x'],
    ['linux', 'x', { PATH: '' }, ['/repo/x'], undefined],
    ['linux', 'x', {}, ['/repo/x', '/x'], undefined],
    ['darwin', './x', unix, ['/repo/x', '/usr/bin/x'], '/repo/x'],
    ['darwin', '/usr/bin/x', {}, ['/usr/bin/x'], '/usr/bin/x'],
    ['win32', 'x', windows, ['C:\\repo\\x.exe', 'C:\\repo\\x.cmd', 'C:\\repo\\x'], undefined],
    ['win32', 'x', windows, ['C:\\repo\\x.EXE', 'C:\\bin\\x.EXE'], 'C:\\bin\\x.EXE'],
    ['win32', 'npx', windows, ['C:\\Node JS\\npx', 'C:\\Node JS\\npx.CMD'], 'C:\\Node JS\\npx.CMD'],
    ['win32', 'x.cmd', windows, ['C:\\bin\\x.cmd'], 'C:\\bin\\x.cmd'],
    [
      'win32',
      'x',
      { ...windows, PATHEXT: ';\\evil' },
      ['C:\\bin\\x', 'C:\\bin\\x\\evil'],
      undefined,
    ],
    ['win32', '.\\x', windows, ['C:\\repo\\x.EXE'], 'C:\\repo\\x.EXE'],
  ] as const;
  for (const [system, command, env, files, found] of table)
    it(`called ${command} on ${system} is ${found ?? 'not there'} among ${files.join(' ')}`, async () => {
      const cwd = system === 'win32' ? 'C:\\repo' : '/repo';
      assert.equal(
        await findCommand(command, env, { cwd, system, isProgram: having(...files) }),
        found,
      );
    });

  it('is not started at all when it is nowhere but in the working directory', async () => {
    const located = locateCommand(
      { command: 'no-such-program', cwd: '/repo' },
      { PATH: '.' },
      {},
      'linux',
    );
    await assert.rejects(located, {
      name: 'UserError',
      message: /"no-such-program" was not found/,
    });
  });

  for (const [command, shape] of [
    ['npx -y @scope/server', '"command": "npx", "args": ["-y", …]'],
    [' node  server.js', '"command": "node", "args": ["server.js"]'],
    ['uvx "a b"', '"command": "uvx", "args": ["\\"a", …]'],
  ] as const)
    it(`has its arguments in "args": ${command}`, () =>
      assert.rejects(locateCommand({ command, cwd: '/repo' }, { PATH: '/bin' }, {}, 'linux'), {
        name: 'UserError',
        message: `"command" is the program alone. Its arguments belong in "args": ${shape}.`,
      }));

  for (const command of ['/no/such folder/x', './no such', '${input:a b}/x'])
    it(`may be a path with a blank: ${command}`, async () =>
      assert.match(
        await locateCommand({ command, cwd: '/repo' }, { PATH: '/bin' }, {}, 'linux'),
        /^\/.* /,
      ));
});

describe('the environment of a server', () => {
  it('inherits no folder of programs that depends on where it runs', () => {
    const { PATH } = serverEnvironment({ PATH: '.:/bin::bin:/usr/bin' }, {}, 'safe', 'linux');
    assert.equal(PATH, '/bin:/usr/bin');
  });

  it('keeps Windows from looking for programs in the working directory', () =>
    assert.deepEqual(serverEnvironment({ Path: '.;C:\\bin' }, {}, 'safe', 'win32'), {
      NoDefaultCurrentDirectoryInExePath: '1',
      Path: 'C:\\bin',
    }));

  it('has no name of Windows twice, where only one of both was shown', () =>
    assert.deepEqual(
      serverEnvironment(
        { Path: 'C:\\bin', COMSPEC: 'a' },
        { PATH: 'D:\\', ComSpec: null },
        'safe',
        'win32',
      ),
      { NoDefaultCurrentDirectoryInExePath: '1', PATH: 'D:\\' },
    ));
});
