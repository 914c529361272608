import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../support/run/lock';

describe('a lock file', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-lock-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is gone after the work, also when that failed', async () => {
    const path = join(folder, 'lock');
    assert.equal(await withLock(path, async () => 'done'), 'done');
    await assert.rejects(
      withLock(path, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('of a dead process is taken over', async () => {
    const path = join(folder, 'lock');
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeFile(path, String(pid));
    assert.equal(await withLock(path, async () => 'done'), 'done');
  });
});
