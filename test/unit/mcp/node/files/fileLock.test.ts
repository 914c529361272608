import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { deferred } from '../../../../../src/base/async';
import { longestLockMs, withFileLock } from '../../../../../src/mcp/node/files/fileLock';

describe('a lock between processes', () => {
  let folder = '';
  let path = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-lock-'));
    path = join(folder, 'locks', 'one');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets one in after the other, also after one failed', async () => {
    let inside = 0;
    const work = async (fails: boolean) => {
      inside += 1;
      assert.equal(inside, 1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      if (fails) throw new Error('failed');
    };
    const all = [true, false, false].map((fails) => withFileLock(path, () => work(fails)));
    const ends = await Promise.allSettled(all);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await readdir(join(folder, 'locks')), []);
  });

  it('lets one in after the other where all wait for one that was left', async () => {
    await mkdir(join(folder, 'locks'));
    const ended = lockOf(spawnSync(process.execPath, ['-e', '']).pid);
    for (let round = 0; round < 5; round += 1) {
      await writeFile(path, ended);
      let inside = 0;
      const work = async () => {
        inside += 1;
        assert.equal(inside, 1);
        await readFile(path);
        inside -= 1;
      };
      const one = async (_: unknown, place: number) => {
        for (let step = 0; step < place; step += 1) await stat(folder);
        await withFileLock(path, work);
      };
      await Promise.all(Array.from({ length: 10 }, one));
    }
    assert.deepEqual(await readdir(join(folder, 'locks')), []);
  });

  it('stays with who took it from one that takes too long', async () => {
    const end = deferred<void>();
    const isIn = deferred<void>();
    await withFileLock(path, async () => {
      const then = new Date(Date.now() - longestLockMs - 1000);
      await utimes(path, then, then);
      void withFileLock(path, () => {
        isIn.resolve();
        return end.promise;
      });
      await isIn.promise;
    });
    await readFile(path);
    end.resolve();
    await withFileLock(path, () => Promise.resolve());
    assert.deepEqual(await readdir(join(folder, 'locks')), []);
  });

  it('is taken where who removed another was killed', async () => {
    await mkdir(join(folder, 'locks'));
    await writeFile(path, lockOf(spawnSync(process.execPath, ['-e', '']).pid));
    await writeFile(`${path}.removal`, '');
    const then = new Date(Date.now() - longestLockMs - 1000);
    await utimes(`${path}.removal`, then, then);
    assert.equal(await withFileLock(path, () => Promise.resolve('in')), 'in');
  });

  it('hands on what the one before left', async () => {
    assert.equal(await withFileLock(path, ({ read }) => read()), '');
    await withFileLock(path, ({ write }) => write('spent'));
    assert.equal(await withFileLock(path, ({ read }) => read()), 'spent');
  });

  const left: readonly (readonly [string, () => string, boolean])[] = [
    ['a process that has ended', () => lockOf(spawnSync(process.execPath, ['-e', '']).pid), false],
    ['nobody knows whom', () => '', true],
    ['a process that takes too long', () => lockOf(process.pid), true],
  ];
  for (const [whose, text, isOld] of left)
    it(`is taken away from ${whose}`, async () => {
      await mkdir(join(folder, 'locks'));
      await writeFile(path, text());
      const then = new Date(Date.now() - longestLockMs - 1000);
      if (isOld) await utimes(path, then, then);
      assert.equal(await withFileLock(path, () => Promise.resolve('in')), 'in');
    });
});

function lockOf(pid: number): string {
  return JSON.stringify({ pid, host: hostname() });
}
