import assert from 'node:assert/strict';
import { debugArguments } from '../../../../../src/mcp/node/openDebugged';
import type { Confinement, StdioServerConfig } from '../../../../../src/mcp/serverConfig';

const port = 4711;
const process = (command: string, args: readonly string[] = []): StdioServerConfig => ({
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
  for (const [type, command, args, expected] of [
    ['node', '/usr/bin/node', ['--import', 'tsx', 'a.ts'], [inspect, '--import', 'tsx', 'a.ts']],
    ['node', 'C:\\nodejs\\node.EXE', ['a.js'], [inspect, 'a.js']],
    ['node', 'node22', [], [inspect]],
    ['debugpy', '/a/.venv/bin/python3.12', ['a.py', '-v'], [...listen, 'a.py', '-v']],
    ['debugpy', 'python.exe', ['-u', '-X', 'dev', 'a.py'], ['-u', '-X', 'dev', ...listen, 'a.py']],
    ['debugpy', 'python', ['-um', 'server'], [...listen, '-um', 'server']],
    ['debugpy', 'python', ['-I', '-m', 'server'], ['-I', ...listen, '-m', 'server']],
    ['debugpy', 'python', ['-X'], ['-X', ...listen]],
  ] as const)
    it(`stands before what ${command} ${args.join(' ')} runs`, () =>
      assert.deepEqual(debugArguments(process(command, args), type, port), expected));

  for (const [type, config, reason] of [
    [
      'node',
      process('/usr/bin/npx', ['tsx', 'a.ts']),
      /needs "node" as the server's command, not "npx"/,
    ],
    ['node', process('python3'), /needs "node"/],
    ['debugpy', process('uv', ['run', 'a.py']), /needs "python" as the server's command, not "uv"/],
    ['debugpy', process('/a/nodepython'), /needs "python"/],
    ['node', { ...process('node'), confinement }, /its sandbox has no network/],
  ] as const)
    it(`is refused to ${config.command} with ${config.confinement ? 'a sandbox' : type}`, () =>
      assert.throws(() => debugArguments(config, type, port), reason));
});
