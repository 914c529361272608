import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { createInterface } from 'node:readline';
import {
  checkDebuggable,
  debugTypesOf,
  debuggedLaunch,
} from '../../../../../src/mcp/launch/debuggees';
import { execute } from '../../../../support/run/execute';
import { findFreePort } from '../../../../../src/mcp/node/openDebugged';
import {
  debugTypes,
  type Confinement,
  type StdioServerConfig,
} from '../../../../../src/mcp/serverConfig';
import { inEnglish } from '../../../../../src/base/translate';

const place = { port: 4711, path: 'secret' };
const launch = (command: string, args: readonly string[] = []): StdioServerConfig => ({
  type: 'stdio',
  command,
  args,
  env: {},
});
const confinement: Confinement = {
  tool: 'bwrap',
  program: '/usr/bin/bwrap',
  writable: [],
  readOnly: [],
  hidden: [],
  hasNetwork: false,
  letsCreate: false,
  unkept: [],
};

describe('what lets a debugger into a process', () => {
  const inspect = '--inspect-brk=127.0.0.1:4711';
  const listen = ['-m', 'debugpy', '--listen', '127.0.0.1:4711', '--wait-for-client'];
  const uv = ['run', '--with', 'debugpy'];
  for (const [type, command, args, expected] of [
    ['node', '/usr/bin/node', ['--import', 'tsx', 'a.ts'], [inspect, '--import', 'tsx', 'a.ts']],
    ['node', 'C:\\nodejs\\node.EXE', ['a.js'], [inspect, 'a.js']],
    ['node', 'node22', [], [inspect]],
    ['node', 'cmd', ['/c', 'node', 'a.js'], ['/c', 'node', inspect, 'a.js']],
    ['node', 'deno', ['run', '-A', 'a.ts'], ['run', inspect, '-A', 'a.ts']],
    ['debugpy', '/a/.venv/bin/python3.12', ['a.py', '-v'], [...listen, 'a.py', '-v']],
    ['debugpy', 'python.exe', ['-u', '-X', 'dev', 'a.py'], ['-u', '-X', 'dev', ...listen, 'a.py']],
    ['debugpy', 'python', ['-um', 'server'], [...listen, '-um', 'server']],
    ['debugpy', 'python', ['-I', '-m', 'server'], ['-I', ...listen, '-m', 'server']],
    ['debugpy', 'python', ['-X'], ['-X', ...listen]],
    [
      'debugpy',
      'uv',
      ['run', '-w', 'mcp', 'a.py'],
      [...uv, '-w', 'mcp', 'python', ...listen, 'a.py'],
    ],
    ['debugpy', 'uv', ['run', 'a.py', '-v'], [...uv, 'python', ...listen, 'a.py', '-v']],
    [
      'debugpy',
      'uv',
      ['--directory', '/a', 'run', '--with', 'mcp', '-q', '--', 'python3', '-u', 'a.py'],
      ['--directory', '/a', ...uv, '--with', 'mcp', '-q', 'python3', '-u', ...listen, 'a.py'],
    ],
    [
      'debugpy',
      'uv',
      ['run', '-m', 'server', 'x'],
      [...uv, 'python', ...listen, '-m', 'server', 'x'],
    ],
    [
      'bun',
      '/opt/bun',
      ['run', 'a.ts'],
      ['--inspect-wait=ws://127.0.0.1:4711/secret', 'run', 'a.ts'],
    ],
  ] as const)
    it(`is found out of the launch ${command} ${args.join(' ')}`, () => {
      assert.deepEqual(debugTypesOf({ command, args }), [type]);
      assert.deepEqual(debuggedLaunch(launch(command, args), type, place).args, expected);
    });

  it('calls the function of a program that a package of Python installs', () => {
    const { args } = debuggedLaunch(launch('uv', ['run', 'weather-server', 'x']), 'debugpy', place);
    assert.deepEqual(args.slice(0, -2), [...uv, 'python', ...listen, '-c']);
    assert.match(args.at(-2) ?? '', /name="weather-server"/);
    assert.equal(args.at(-1), 'x');
  });

  for (const command of ['npx', 'C:\\nodejs\\npx.cmd', 'npm', 'pnpm', 'yarn', 'tsx', 'ts-node'])
    it(`is an option of Node's variable below ${command}, behind those that are there`, () => {
      const config = { ...launch(command, ['a']), env: { node_options: '--no-warnings' } };
      const waiting = debuggedLaunch(config, 'node', place, { nodeOptions: '--inherited' });
      assert.deepEqual(waiting.args, ['a']);
      assert.match(waiting.env['node_options'] ?? '', /^--no-warnings --import=data:[^\s"]+$/);
      const inherited = debuggedLaunch(launch(command), 'node', place, {
        nodeOptions: '--inherited',
      });
      assert.match(inherited.env['NODE_OPTIONS'] ?? '', /^--inherited --import=data:/);
    });

  for (const [type, config, reason] of [
    [
      'node',
      launch('python3', ['a.py']),
      /"node" cannot be attached to "python3 a\.py", only to: node, npx/,
    ],
    ['debugpy', launch('uv', ['sync']), /cannot be attached to "uv sync", only to: python, uv run/],
    ['debugpy', launch('uv', ['run', '--with']), /cannot be attached/],
    ['debugpy', launch('uv', ['run', './start "now"']), /cannot be attached/],
    ['debugpy', launch('/a/nodepython'), /only to: python/],
    ['node', launch('deno', ['task', 'start']), /cannot be attached/],
    ['node', launch('cmd', ['/c']), /cannot be attached/],
    ['bun', launch('bunx', ['a']), /only to: bun/],
  ] as const)
    it(`is refused to ${config.command} ${config.args.join(' ')} with ${type}`, () => {
      assert.ok(!debugTypesOf(config).includes(type));
      assert.throws(() => debuggedLaunch(config, type, place), reason);
    });

  it('is left open, and not refused yet, where variables are what decides', () => {
    for (const [command, ...args] of [
      ['${input:python}', 'a.py'],
      ['uv', 'run', '${input:a}/x y'],
    ] as const) {
      assert.deepEqual(debugTypesOf({ command, args }), debugTypes);
      checkDebuggable({ ...launch(command, args), debug: 'debugpy' }, inEnglish);
    }
    const refused = { ...launch('docker', ['run', 'a']), debug: 'node' } as const;
    assert.deepEqual(debugTypesOf(refused), []);
    assert.throws(() => checkDebuggable(refused, inEnglish), /only to: node/);
  });

  it('says what it is refused to without its secrets', () => {
    const config = launch('docker', ['run', '--token=hunter2hunter2']);
    assert.throws(
      () => debuggedLaunch(config, 'node', place),
      (error: Error) => error.message.includes('docker run') && !error.message.includes('hunter2'),
    );
  });

  it('is refused to a sandbox without a network', () =>
    assert.throws(
      () => debuggedLaunch({ ...launch('node'), confinement }, 'node', place),
      /its sandbox has no network/,
    ));
});

const launchers = [
  'npx',
  'npm-cli.js',
  'npm-prefix.js',
  'yarn-4.5.1.cjs',
  'pnpm.cjs',
  'tsx',
] as const;

describe('below a program that runs Node', function () {
  this.timeout(30_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'debuggees-'));
    await writeFile(join(folder, 'other.js'), '');
    await writeFile(join(folder, 'server.js'), '');
    const run = (name: string, event = '') =>
      `execFileSync(process.execPath, [${JSON.stringify(join(folder, name))}], { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: '${event}' } });`;
    // Like launchers of packages, which run what a package wants at its installation, and then the package.
    const text = `const { execFileSync } = require('node:child_process');
      ${run('other.js', 'postinstall')}
      ${run('server.js')}`;
    for (const name of launchers) await writeFile(join(folder, name), text);
  });
  after(() => rm(folder, { recursive: true }));

  for (const name of launchers)
    it(`waits the first that neither launches nor installs, and no other: ${name}`, async () => {
      const at = await findFreePort();
      const { env } = debuggedLaunch(launch('npx'), 'node', { ...place, port: at });
      const child = spawn(process.execPath, [join(folder, name)], {
        detached: true,
        env: { ...process.env, ...env } as NodeJS.ProcessEnv,
      });
      const ended = once(child, 'exit');
      for await (const line of createInterface({ input: child.stderr }))
        if (line.startsWith('Debugger listening')) break;
      const asked = await fetch(`http://127.0.0.1:${at}/json/list`);
      const [target] = (await asked.json()) as readonly { readonly title: string }[];
      // Node writes a path of Windows so there.
      assert.equal(target?.title, join(folder, 'server.js').replaceAll('\\', '_'));
      // All of them: the one that waits would wait for ever.
      if (platform === 'win32') await execute('taskkill', ['/PID', String(child.pid), '/T', '/F']);
      else process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    });
});
