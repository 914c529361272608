import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSmallFile } from '../../../../../src/mcp/node/files/fileAccess';
import {
  isLocked,
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

  it('is waited for by who reads it only while another program keeps it, not where that is forbidden', async () => {
    for (const [code, expected] of [
      ['EBUSY', 3],
      ['EPERM', 1],
      ['EACCES', 1],
    ] as const) {
      let tries = 0;
      const work = () => {
        tries += 1;
        return tries < 3 ? Promise.reject(failure(code)) : Promise.resolve();
      };
      await whenFree(work, 'win32', isLocked).catch(() => {});
      assert.equal(tries, expected, code);
    }
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

  it('is read as soon as it is free', async () => {
    const holder = await open(file, alone);
    const read = readSmallFile(file, 10);
    await assert.rejects(readFile(file), { code: 'EBUSY' });
    await holder.close();
    assert.equal(await read, 'old');
  });

  it('stays as it is, with nothing beside it, if it is not free in time', async () => {
    const holder = await open(file, alone);
    await assert.rejects(writePrivateFile(file, 'new'), { syscall: 'rename' });
    await holder.close();
    assert.equal(await readFile(file, 'utf8'), 'old');
    assert.deepEqual(await readdir(folder), ['list.json']);
  });
});
