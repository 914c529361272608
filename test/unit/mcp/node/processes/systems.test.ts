import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../../../src/base/log';
import { createOwnEnvironment } from '../../../../../src/mcp/node/commands/searchPath';
import { checkCommand } from '../../../../../src/mcp/node/checkCommand';
import { readProcessTable } from '../../../../../src/mcp/node/processes/processTable';
import {
  type EndedProcess,
  LeftProcesses,
  ProcessTree,
  signalTree,
} from '../../../../../src/mcp/node/processes/processTree';
import type { System } from '../../../../../src/mcp/node/system';
import type { StdioServerConfig } from '../../../../../src/mcp/serverConfig';
import { repositoryRoot } from '../../../../support/paths';

const macProcesses = `    1     0     1 Ss   Sat Nov 21 13:07:02 2026     /sbin/launchd
  501     1   501 S    Sun Nov  1 09:00:59 2026     /usr/local/bin/node server.js  --name "a  b"
  502   501   501 Z    Sun Nov  1 09:01:00 2026     (node)
 a line of something else
`;
const windowsProcesses = JSON.stringify([
  { ProcessId: 4, ParentProcessId: 0, CommandLine: null, At: 1000 },
  { ProcessId: 8, ParentProcessId: 4, CommandLine: '"C:\\node.exe" server.js', At: 2000 },
]);

/** Where Windows has its own programs: by its name alone, one in the folder that we run in would come first. */
const ofWindows = `${process.env['SYSTEMROOT'] ?? 'C:\\Windows'}\\System32\\`;

describe('the processes of a machine', () => {
  const began = Date.parse('Sun Nov 1 09:00:59 2026');
  const boot = Date.parse('Sat Nov 21 13:07:02 2026');
  const node = { pid: 501, parent: 1, group: 501, startedAt: began };
  for (const [system, command, output, expected] of [
    [
      'darwin',
      '/bin/ps',
      macProcesses,
      [
        { pid: 1, parent: 0, group: 1, startedAt: boot, command: '/sbin/launchd' },
        { ...node, command: '/usr/local/bin/node server.js  --name "a  b"' },
      ],
    ],
    [
      'win32',
      `${ofWindows}WindowsPowerShell\\v1.0\\powershell.exe`,
      windowsProcesses,
      [
        { pid: 4, parent: 0, group: 4, startedAt: 1000, command: '' },
        { pid: 8, parent: 4, group: 8, startedAt: 2000, command: '"C:\\node.exe" server.js' },
      ],
    ],
    [
      'win32',
      `${ofWindows}WindowsPowerShell\\v1.0\\powershell.exe`,
      '{"ProcessId":4,"ParentProcessId":0,"CommandLine":"x","At":1}',
      [{ pid: 4, parent: 0, group: 4, startedAt: 1, command: 'x' }],
    ],
    ['darwin', '/bin/ps', undefined, undefined],
    ['win32', `${ofWindows}WindowsPowerShell\\v1.0\\powershell.exe`, undefined, undefined],
  ] as const)
    it(`are told on ${system} by ${command}: ${expected?.length ?? 'it is not there'}`, async () => {
      const asked: string[] = [];
      const table = await readProcessTable(system, (program) => {
        asked.push(program);
        return Promise.resolve(output);
      });
      assert.deepEqual(table, expected);
      assert.deepEqual(asked, [command]);
    });

  it('are told on Linux by the system itself', async () => {
    if (process.platform !== 'linux') return;
    const table = await readProcessTable('linux', () => assert.fail('a program was asked'));
    assert.ok(table?.some(({ pid, parent }) => pid === process.pid && parent === process.ppid));
  });

  for (const [system, signal, done] of [
    ['linux', 'SIGTERM', ['SIGTERM -7', 'SIGTERM 8']],
    ['darwin', 'SIGKILL', ['SIGKILL -7', 'SIGKILL 8']],
    ['win32', 'SIGTERM', [`${ofWindows}taskkill.exe /T /F /PID 7 /PID 8`]],
    ['win32', 'SIGKILL', [`${ofWindows}taskkill.exe /T /F /PID 7 /PID 8`]],
  ] as const)
    it(`end on ${system} by ${done.join(', ')}, whichever is gone`, () => {
      const seen: string[] = [];
      signalTree(
        system,
        signal,
        { leader: 7, strays: [8] },
        {
          kill: (target, name) => {
            seen.push(`${name} ${target}`);
            throw new Error('gone');
          },
          run: (command, args) => void seen.push([command, ...args].join(' ')),
        },
      );
      assert.deepEqual(seen, done);
    });
});

describe('what a server of Windows left that ended by itself', () => {
  const server = { pid: 7, startedAt: 10_000, endedAt: 20_000 };
  const row = (ProcessId: number, ParentProcessId: number, At: number) => ({
    ProcessId,
    ParentProcessId,
    CommandLine: 'x',
    At,
  });
  /** Looks at a machine; returns what is ended there, and how often all processes were read. */
  const look = (rows: readonly object[]) => {
    const ended: string[] = [];
    let reads = 0;
    const left = new LeftProcesses(
      (command, args) => void ended.push([command, ...args].join(' ')),
      () => {
        reads += 1;
        return Promise.resolve(JSON.stringify(rows));
      },
    );
    return { left, ended, reads: () => reads };
  };

  for (const [what, rows, pids] of [
    ['its children, with all below them', [row(8, 7, 15_000), row(9, 7, 19_000)], [8, 9]],
    ['a child as old as itself', [row(8, 7, 10_000)], [8]],
    ['nothing', [row(8, 6, 15_000)], []],
    ['nothing of another that had its id before', [row(8, 7, 9000)], []],
    ['nothing of another that has its id now', [row(7, 1, 21_000), row(8, 7, 22_000)], []],
  ] as const)
    it(`is ended: ${what}`, async () => {
      const { left, ended } = look(rows);
      await left.add(server);
      const words = pids.map((pid) => ` /PID ${pid}`).join('');
      assert.deepEqual(ended, words ? [`${ofWindows}taskkill.exe /T /F${words}`] : []);
    });

  it('is looked for once for all that end meanwhile', async () => {
    const { left, ended, reads } = look([row(8, 1, 15_000), row(9, 40, 15_000)]);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => left.add({ ...server, pid: 20 + index })),
    );
    assert.equal(reads(), 2);
    assert.deepEqual(ended, [`${ofWindows}taskkill.exe /T /F /PID 9`]);
  });

  it('is left alone where nothing tells of processes', async () => {
    const ended: string[] = [];
    const left = new LeftProcesses(
      (command) => void ended.push(command),
      () => Promise.resolve(undefined),
    );
    await left.add(server);
    assert.deepEqual(ended, []);
  });

  it('is known by when the server ran', () => {
    const child = Object.assign(new EventEmitter(), { pid: 7 });
    const told: EndedProcess[] = [];
    const before = Date.now();
    const tree = new ProcessTree(child, 'win32', (ended) => void told.push(ended));
    assert.ok(tree.mayLive);
    child.emit('exit', 0);
    assert.ok(!tree.mayLive);
    const [ended] = told;
    assert.ok(ended);
    assert.equal(ended.pid, 7);
    assert.ok(before <= ended.startedAt && ended.startedAt <= ended.endedAt);
    assert.ok(ended.endedAt <= Date.now());
  });
});

describe('what differs between systems', () => {
  it('is the search path: that of the login shell, but on Windows our own', async () => {
    const env = { Path: 'C:\\bin', SHELL: '/no/such/shell', PATH: '/bin:relative' };
    const read = (system: System) =>
      createOwnEnvironment(silentLogger, env, { home: '/none', system })();
    assert.equal(await read('win32'), env);
    for (const system of ['linux', 'darwin'] as const)
      assert.match((await read(system))['PATH'] ?? '', /^\/bin(?::\/(?!relative)[^:]*)*$/);
  });

  const unix = { PATH: '/a:/b' };
  const windows = { Path: 'C:\\a;D:\\b' };
  for (const [system, command, env, folders] of [
    ['linux', 'missing', unix, ['/a', '/b']],
    ['linux', '/none/missing', unix, ['/none']],
    ['darwin', 'missing', unix, ['/a', '/b']],
    ['darwin', './bin/missing', unix, ['/work/bin']],
    ['win32', 'missing', windows, ['C:\\a', 'D:\\b']],
    ['win32', 'D:\\none\\missing.exe', windows, ['D:\\none']],
  ] as const)
    it(`is where a program is looked for: on ${system} ${command} in ${folders.join(', ')}`, async () => {
      const config: StdioServerConfig = { type: 'stdio', command, cwd: '/work', args: [], env: {} };
      const [found] = await checkCommand(config, env, (text) => text, system);
      assert.equal(found?.detail, ['Looked for in:', ...folders].join('\n'));
      // A command that is already a path needs no advice to use the full path.
      assert.equal(/full path/.test(found?.next ?? ''), command === 'missing');
    });

  it('is asked for in one file', () => {
    const root = join(repositoryRoot, 'src');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const asking = names.filter(
      (name) =>
        name.endsWith('.ts') &&
        /process\.platform|\bplatform\b[^;]*\} = process;|\bdelimiter\b[^;]*from 'node:path'|\bplatform\b[^;]*from 'node:os'/.test(
          readFileSync(join(root, name), 'utf8'),
        ),
    );
    assert.deepEqual(asking, [join('mcp', 'node', 'system.ts')]);
  });
});
