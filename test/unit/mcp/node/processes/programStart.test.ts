import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, win32 } from 'node:path';
import { promisify } from 'node:util';
import {
  interpreterIn,
  programStart,
  commandPromptLine,
} from '../../../../../src/mcp/node/processes/programStart';
import { locateCommand } from '../../../../../src/mcp/node/commands/findCommand';
import { thisSystem } from '../../../../../src/mcp/node/system';

const isWindows = thisSystem() === 'win32';

describe('the start of a program', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-prompt-'));
    await writeFile(join(folder, 'npx.cmd'), '@echo off\r\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is the file itself where the system starts it', async () => {
    for (const [file, system] of [
      ['/bin/x.cmd', 'linux'],
      ['/bin/x', 'darwin'],
      ['C:\\x.exe', 'win32'],
      ['C:\\X.COM', 'win32'],
    ] as const)
      assert.deepEqual(await programStart(file, ['a "b"'], {}, system), {
        command: file,
        args: ['a "b"'],
      });
  });

  it('fails as the system does where there is no file', () =>
    assert.rejects(programStart(join(tmpdir(), 'no-such.cmd'), [], {}, 'win32'), {
      code: 'ENOENT',
    }));

  for (const [line, words] of [
    ['#!/usr/bin/env node\n', ['node']],
    ['#! /usr/bin/env -S node --enable-source-maps\r\n', ['node', '--enable-source-maps']],
    ['#!/usr/local/bin/python3 -u\nprint(1)', ['python3', '-u']],
    ['#!\n', []],
    ['#!/usr/bin/env\n', []],
    ['#!/usr/bin/env no-end-of-line', []],
    ['@echo off\r\n', []],
    ['', []],
  ] as const)
    it(`is what the first line names: ${JSON.stringify(line)}`, () =>
      assert.deepEqual(interpreterIn(line), words));

  for (const [arg, quoted] of [
    ['-y', '-y'],
    ['@scope/server@1.2.3', '@scope/server@1.2.3'],
    ['C:\\a\\b', 'C:\\a\\b'],
    ['', '""'],
    ['a b', '"a b"'],
    ['a&calc', '"a&calc"'],
    ['a|b>c<d^e(f)!', '"a|b>c<d^e(f)!"'],
    ['a=b;c,d', '"a=b;c,d"'],
    ['"&calc&"', '"""&calc&"""'],
    ['{"key":"v"}', '"{""key"":""v""}"'],
    ['a\\"b', '"a\\\\""b"'],
    ['C:\\a b\\', '"C:\\a b\\\\"'],
    ['C:\\', '"C:\\\\"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['Grüße 世界', '"Grüße 世界"'],
  ] as const)
    it(`quotes for the command prompt: ${arg}`, () =>
      assert.equal(commandPromptLine('C:\\a b\\x.cmd', [arg]), `"C:\\a b\\x.cmd" ${quoted}`));

  for (const [cwd, isRefused] of [
    ['\\\\wsl$\\Ubuntu\\home\\me', true],
    ['\\\\wsl.localhost\\Ubuntu\\home', true],
    ['//server/share', true],
    ['C:\\work', false],
    [undefined, false],
  ] as const)
    it(`is ${isRefused ? '' : 'not '}refused by the command prompt in ${cwd}`, async () => {
      const file = join(folder, 'npx.cmd');
      const start = programStart(file, [], {}, 'win32', cwd);
      if (!isRefused) return void (await start);
      await assert.rejects(start, {
        name: 'UserError',
        message: `"${win32.basename(file)}" cannot run in ${cwd}: the command prompt of Windows, which runs it, has no folders of the network or of WSL. Open the folder in WSL, or set "cwd" to a folder on a drive.`,
      });
      // What needs no command prompt does run there.
      await programStart('C:\\node.exe', [], {}, 'win32', cwd);
    });

  it('is refused by the command prompt at a path that it does not read', async () => {
    const deep = join(folder, ...Array.from({ length: 5 }, () => 'd'.repeat(60)));
    await mkdir(deep, { recursive: true });
    const file = join(deep, 'npx.cmd');
    await writeFile(file, '');
    await assert.rejects(programStart(file, [], {}, 'win32'), {
      name: 'UserError',
      message: `The path ${file} has ${file.length} characters, and Windows starts programs only at paths, and in folders, of at most 259. Move it to a folder with a shorter path.`,
    });
    await programStart(`${file}.exe`, [], {}, 'win32');
    await programStart(file, [], {}, 'linux');
  });

  for (const arg of ['a\nb', 'a\r\nb', '\r'])
    it(`is refused with an argument of several lines: ${JSON.stringify(arg)}`, () =>
      assert.throws(() => commandPromptLine('C:\\npx.cmd', ['-y', arg]), {
        name: 'UserError',
        message:
          'An argument has more than one line, and "npx.cmd" would get only the first. Give the program that it runs as "command" instead.',
      }));
});

describe('a program of Windows', function () {
  if (!isWindows) return;
  let folder: string;
  let env: Record<string, string>;
  /** The name of a folder with what means something to the command prompt. */
  const odd = "in & out ^(1)! it's 世界";
  const words = [
    '-y',
    'two words',
    'a&b|c<d>e^f(g)',
    'wow!x!',
    '{"key":"a & b"}',
    '"&echo out&"',
    'C:\\ends with\\',
    'back\\"slash',
    'Grüße 世界',
    "it's",
    '',
    'a=b;c,d',
  ];

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-start ')));
    const script = 'console.log(JSON.stringify(process.argv.slice(2)))';
    await mkdir(join(folder, odd));
    await writeFile(join(folder, 'tell.js'), script);
    const lines = ['@ECHO off', 'SETLOCAL', '"node" "%~dp0..\\tell.js" %*', ''];
    for (const name of ['shim.cmd', 'batch.bat'])
      await writeFile(join(folder, odd, name), lines.join('\r\n'));
    await writeFile(join(folder, odd, 'loud.cmd'), lines.slice(2).join('\r\n'));
    await writeFile(join(folder, odd, 'shebang'), `#!/usr/bin/env node\n${script}`);
    env = {
      ...(process.env as Record<string, string>),
      PATH: [join(folder, odd), dirname(process.execPath), process.env['PATH']].join(delimiter),
    };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function argumentsOf(
    command: string,
    given: readonly string[],
    cwd?: string,
  ): Promise<unknown> {
    const file = await locateCommand({ command, ...(cwd && { cwd }) }, env, env, 'win32');
    const { command: started, args, ...how } = await programStart(file, given, env, 'win32');
    const { stdout } = await promisify(execFile)(started, [...args], { ...how, env });
    return JSON.parse(stdout);
  }

  for (const [name, command] of [
    ['a bare name, with the extension that it lacks', () => 'shim'],
    ['a bare name', () => 'batch.bat'],
    ['a bare name, without a word of a script that does not turn that off', () => 'loud'],
    ['an absolute path', () => join(folder, odd, 'shim.cmd')],
    ['an absolute path without the extension', () => join(folder, odd, 'batch')],
    ['a path in another case', () => join(folder, odd, 'SHIM.CMD')],
    ['a relative path', () => `.\\${odd}\\batch`],
    ['a relative path to what its first line runs', () => `./${odd}/shebang`],
  ] as const)
    it(`gets its arguments as they are, by ${name}`, async () =>
      assert.deepEqual(
        await argumentsOf(command(), words, command().startsWith('.') ? folder : undefined),
        words,
      ));

  it('gets an argument with the name of a variable as it is', async () => {
    const named = ['100 % of %PATH% and %%', '%PATH%', '%'];
    assert.deepEqual(await argumentsOf('shim', named), named);
  });
});
