import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { built } from '../../support/paths';
import { isAlive, KnownProcesses } from '../../support/processes/processTree';

/** Starts a process in a new group that ignores polite signals, as a careless server does, and prints its id. */
const program = `
  const { spawn } = require('node:child_process');
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
  const child = spawn(process.execPath, ['-e', deaf], { detached: true, stdio: 'ignore' });
  console.log(child.pid);
`;

/**
 * Returns whether a grandchild is still alive after the keeper exits, either when told to stop or because its child
 * exited.
 */
async function grandchildOutlives(rest: string, stop: boolean): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-keeper-'));
  const command = [process.execPath, '-e', program + rest];
  const keeper = spawn(
    process.execPath,
    [built('support', 'editor', 'keeper.js'), JSON.stringify([folder]), ...command],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(keeper, 'exit');
  const [line] = (await once(createInterface(keeper.stdout), 'line')) as [string];
  assert.ok(isAlive(Number(line)));
  if (stop) keeper.stdin.end();
  await exited;
  assert.ok(!existsSync(folder));
  return isAlive(Number(line));
}

describe('the processes that the keeper knows', () => {
  const entry = { pid: 7, parent: 1, started: '1', command: 'server' };

  it('are its own where one was seen while it became another program', () => {
    const answers = [false, false, true];
    const known = new KnownProcesses(() => answers.shift() ?? false);
    const looks = [1, 2, 3, 4].map(() => {
      const isOurs = known.isOurs(entry);
      known.note([entry], new Set(isOurs ? [entry] : []));
      return isOurs;
    });
    assert.deepEqual(looks, [false, false, true, true]);
  });

  it('are asked a few times each, and anew where another has the id of one', () => {
    let asked = 0;
    const known = new KnownProcesses(() => ((asked += 1), false));
    for (let look = 0; look < 50; look += 1) {
      known.isOurs(entry);
      known.note([entry], new Set());
    }
    assert.ok(asked < 10, `${asked} times`);
    known.isOurs({ ...entry, started: '2' });
    assert.ok(asked < 11);
  });
});

describe('the keeper of a process tree', function () {
  this.timeout(20_000);

  it('ends a detached grandchild', async () => {
    assert.ok(!(await grandchildOutlives('setInterval(() => {}, 1000);', true)));
  });

  it('ends a detached grandchild whose parent ended by itself', async function () {
    // On Windows, a tree can only be ended from its root.
    if (process.platform === 'win32') this.skip();
    assert.ok(!(await grandchildOutlives('setTimeout(() => process.exit(), 2500);', false)));
  });
});
