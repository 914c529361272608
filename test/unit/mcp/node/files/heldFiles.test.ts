import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  longestHoldMs,
  whenFree,
  writePrivateFile,
} from '../../../../../src/mcp/node/files/privateFiles';
import { thisSystem } from '../../../../../src/mcp/node/system';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a file that another program has open', () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY'])
    it(`is tried again on Windows until it is free, after ${code}`, async () => {
      let tries = 0;
      const work = () => {
        tries += 1;
        return tries < 4 ? Promise.reject(failure(code)) : Promise.resolve('done');
      };
      assert.equal(await whenFree(work, 'win32'), 'done');
      assert.equal(tries, 4);
    });

  it('is given up in the end, with the error of the system', async () => {
    const began = Date.now();
    await assert.rejects(
      whenFree(() => Promise.reject(failure('EBUSY')), 'win32'),
      { code: 'EBUSY' },
    );
    assert.ok(Date.now() - began < longestHoldMs + 500);
  });

  for (const [system, code] of [
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
  ] as const)
    it(`is not what ${code} means on ${system}: that is said at once`, async () => {
      let tries = 0;
      const work = () => {
        tries += 1;
        return Promise.reject(failure(code));
      };
      await assert.rejects(whenFree(work, system), { code });
      assert.equal(tries, 1);
    });
});

describe('a file of Windows that another program has locked', () => {
  if (thisSystem() !== 'win32') return;
  /** Opens a file for this program alone, for which Node has no name. */
  const alone = constants.O_RDWR | 0x10000000;
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-held-'));
    file = join(folder, 'list.json');
    await writeFile(file, 'old');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is replaced as soon as it is free', async () => {
    const holder = await open(file, alone);
    await assert.rejects(readFile(file), 'It is not locked.');
    const written = writePrivateFile(file, 'new');
    while ((await readdir(folder)).length < 2);
    await holder.close();
    await written;
    assert.equal(await readFile(file, 'utf8'), 'new');
    assert.deepEqual(await readdir(folder), ['list.json']);
  });

  it('stays as it is, with nothing beside it, if it is not free in time', async () => {
    const holder = await open(file, alone);
    await assert.rejects(writePrivateFile(file, 'new'), { syscall: 'rename' });
    await holder.close();
    assert.equal(await readFile(file, 'utf8'), 'old');
    assert.deepEqual(await readdir(folder), ['list.json']);
  });
});
