import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../../src/base/log';
import { Orphans } from '../../../../../src/mcp/node/processes/orphans';
import { startOf } from '../../../../../src/mcp/node/processes/processTable';
import { thisSystem } from '../../../../../src/mcp/node/system';
import { checkLeaks } from '../../../../support/processes/leakCheck';
import { createCensus } from '../../../../support/processes/processCensus';
import { until } from '../../../../support/until';
import { recordingLogger } from '../../testServers';

const fixtures = join(__dirname, '..', '..', '..', '..', 'fixtures', 'badServers');
const badServer = join(fixtures, 'main.js');
const noHost = 2 ** 22 - 3;

/** A launcher like npx: it overwrites its command line, and runs the server as a child. */
const launcher = (then: string) => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [process.argv.at(-1), 'ignore-eof'], { stdio: 'inherit' });
  process.title = 'npm exec ' + process.argv.at(-1);
  ${then}`;

/** Sets the clock of a host ahead by ten seconds just before it starts its server. */
const setClock = `
  import processes from 'node:child_process';
  const { spawn } = processes;
  const { now } = Date;
  Date.now = () => now() - 10_000;
  processes.spawn = (...args) => {
    Date.now = now;
    return spawn(...args);
  };`;

/** Writes the notes of a former host with the same process id a day ago, under the file name used then. */
const noteFormer = (folder: string) => `
  import { writeFileSync } from 'node:fs';
  const { pid, execPath: command } = process;
  const former = { pid, startedAt: Date.now() - 86_400_000, command, words: [] };
  writeFileSync(${JSON.stringify(folder)} + '/' + pid + '.jsonl', JSON.stringify(former) + '\\n');`;

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('what a killed extension host left behind', function () {
  if (process.platform === 'win32') return;
  this.timeout(20_000);
  checkLeaks();
  const census = createCensus();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-orphans-'));
  });

  afterEach(async () => {
    for (const { pid } of await census.running()) process.kill(pid, 'SIGKILL');
    await until(async () => (await census.running()).length === 0);
    await rm(folder, { recursive: true, force: true });
  });

  const start = (command: string, args: readonly string[], detached = false): ChildProcess =>
    spawn(command, args, {
      env: { ...process.env, ...census.env },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached,
    });

  /** Starts a host and waits until its server runs. */
  const host = (command: string, ...args: readonly string[]) => hostAfter('', command, ...args);

  /** Starts a host that runs some code first, and waits until its server runs. */
  async function hostAfter(code: string, command: string, ...args: readonly string[]) {
    const child = start(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(code)}`,
      join(fixtures, 'extensionHost.js'),
      folder,
      command,
      ...args,
    ]);
    assert.ok(child.stdout);
    await once(child.stdout, 'data');
    return child;
  }

  const reap = () => new Orphans(folder, silentLogger).reap();

  /** Returns when a process started; by default, this one. */
  const began = (pid = process.pid) => {
    const beginning = startOf(thisSystem(), pid);
    assert.ok(beginning);
    return beginning;
  };

  /** Writes the notes of a host that is gone, as it would have written them. */
  async function note(...started: readonly object[]): Promise<void> {
    const { startedAt } = began();
    const owner = { pid: noHost, startedAt, command: process.execPath };
    const lines = started.map((one) => `${JSON.stringify({ owner, ...one })}\n`);
    await writeFile(join(folder, `${noHost}-1.jsonl`), lines.join(''));
  }

  const servers: readonly (readonly [string, string, readonly string[]])[] = [
    ['a server that ignores the end of its input', process.execPath, [badServer, 'ignore-eof']],
    ['a server that ignores every signal', process.execPath, [badServer, 'ignore-sigterm']],
    [
      'a server behind a shell',
      'sh',
      ['-c', `"${process.execPath}" "${badServer}" ignore-eof; true`],
    ],
    [
      'a server behind a launcher that changes its command line',
      process.execPath,
      ['-e', launcher(''), badServer],
    ],
    [
      'a server whose launcher ends at the end of its input',
      process.execPath,
      [
        '-e',
        launcher(
          "child.once('spawn', () => setInterval(() => { if (process.ppid === 1) process.exit() }, 20))",
        ),
        badServer,
      ],
    ],
  ];
  for (const [name, command, args] of servers) {
    it(`is ended by the next one: ${name}`, async () => {
      const killed = await host(command, ...args);
      await kill(killed);
      assert.notDeepEqual(await census.commands(), [], 'it survived its host');
      assert.equal(await reap(), 1);
      await until(async () => (await census.running()).length === 0);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('is left alone while its host lives', async () => {
    const alive = await host(process.execPath, badServer, 'good');
    const before = (await census.running()).length;
    assert.equal(await reap(), 0);
    assert.equal((await census.running()).length, before);
    assert.equal((await readdir(folder)).length, 1);
    await kill(alive);
  });

  const doubtful: readonly (readonly [string, () => string])[] = [
    ['whose id another had before', () => noteFormer(folder)],
    ['whose clock was set meanwhile', () => setClock],
  ];
  for (const [name, code] of doubtful) {
    it(`is left alone while a host lives ${name}`, async () => {
      const alive = await hostAfter(code(), process.execPath, badServer, 'ignore-eof');
      const before = await census.commands();
      assert.equal(await reap(), 0);
      assert.deepEqual(await census.commands(), before);
      // The notes still say who the server belongs to.
      await kill(alive);
      assert.equal(await reap(), 1);
    });
  }

  it('is left to a host that has only begun to note it', async () => {
    const name = `${process.pid}-1.jsonl`;
    await writeFile(join(folder, name), '');
    assert.equal(await reap(), 0);
    assert.deepEqual(await readdir(folder), [name]);
  });

  it('is nothing where the server ended with its host', async () => {
    const killed = await host(process.execPath, badServer, 'good');
    await kill(killed);
    await until(async () => (await census.running()).length === 0);
    assert.equal(await reap(), 0);
    assert.deepEqual(await readdir(folder), []);
  });

  const strangers: readonly (readonly [string, number, string])[] = [
    ['of another command', 0, 'npx'],
    ['that began earlier', 60_000, process.execPath],
    ['that began later', -60_000, process.execPath],
  ];
  for (const [name, age, command] of strangers) {
    it(`is not an unrelated process ${name} that has its id now`, async () => {
      const stranger = start(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], true);
      await once(stranger, 'spawn');
      const { startedAt, ...boot } = began(stranger.pid);
      await note({ pid: stranger.pid, startedAt: startedAt + age, ...boot, command, words: [] });
      assert.equal(await reap(), 0);
      assert.equal((await census.running()).length, 1);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('is not the group of an unrelated process that is gone', async () => {
    const code = `require('node:child_process')
      .spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })
      .once('spawn', () => process.exit())`;
    const { startedAt, ...boot } = began();
    const stranger = start(process.execPath, ['-e', code], true);
    await once(stranger, 'exit');
    const command = process.execPath;
    await note({ pid: stranger.pid, startedAt, ...boot, command, words: ['another'] });
    assert.equal(await reap(), 0);
    assert.equal((await census.running()).length, 1);
  });

  it('is never more than one process, however broken the notes are', async () => {
    const stranger = start(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], true);
    await once(stranger, 'spawn');
    const { pid } = stranger;
    const whole = { pid, ...began(pid), command: process.execPath, words: [] };
    await note(
      { ...whole, pid: 0 },
      { ...whole, pid: 1 },
      { ...whole, pid: -1 },
      { pid },
      { ...whole, startedAt: null },
      { ...whole, command: 5 },
      { ...whole, words: undefined },
      { ...whole, owner: null },
      { ...whole, owner: { pid: noHost } },
      [],
      { ...whole, pid: String(pid) },
    );
    assert.equal(await reap(), 0);
    assert.equal((await census.running()).length, 1);
  });

  it('is noted without what may be a secret', async () => {
    const orphans = new Orphans(folder, silentLogger);
    orphans.started(process.pid, 'serve', ['--token', 'hunter22', '--key=hunter23']);
    await orphans.reap();
    const [name = ''] = await readdir(folder);
    const notes = await readFile(join(folder, name), 'utf8');
    assert.match(notes, /"serve"/);
    assert.doesNotMatch(notes, /hunter/);
  });

  it('is not noted where nothing can be written, which is logged and stops nothing', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { log, lines } = recordingLogger();
    const orphans = new Orphans(join(file, 'processes'), log);
    orphans.started(process.pid, 'node', []);
    await assert.rejects(orphans.reap(), { code: 'ENOTDIR' });
    assert.match(lines.warn.join('\n'), /^A process could not be noted: .*$/);
  });
});
