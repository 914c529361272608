import * as assert from 'node:assert/strict';
import { descendants, listProcesses, parseProcessList } from '../../support/processes/processTree';

const list = [
  '    1     0 Mon Nov 17 09:00:00 2025 /sbin/launchd',
  '  200     1 Mon Nov 17 09:00:01 2025 node keeper.js',
  '  201   200 Mon Nov 17 09:00:02 2025 node server-main.js --port 0',
  '  305   201 Mon Nov 17 09:00:09 2025 node bootstrap-fork --type=extensionHost',
  ' 4000     1 Mon Nov 17 10:00:09 2025 /usr/bin/other',
].join('\n');

describe('a list of processes', () => {
  it('is read with ids, parents, start times and commands', () => {
    assert.deepEqual(parseProcessList(list)[2], {
      pid: 201,
      parent: 200,
      started: 'Mon Nov 17 09:00:02 2025',
      command: 'node server-main.js --port 0',
    });
  });

  it('has the same processes without their commands', async () => {
    const ours = (all: Awaited<ReturnType<typeof listProcesses>>) =>
      all.find(({ pid }) => pid === process.pid);
    const { command, ...named } = ours(await listProcesses()) ?? { command: '' };
    assert.notEqual(command, '');
    const bare = ours(await listProcesses({ hasCommands: false }));
    assert.deepEqual(bare, { ...named, command: process.platform === 'linux' ? '' : command });
  });

  it('gives all that descend from a process, without itself', () => {
    const below = descendants(parseProcessList(list), [200]);
    assert.deepEqual(new Set(below.map(({ pid }) => pid)), new Set([201, 305]));
  });
});
