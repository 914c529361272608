import assert from 'node:assert/strict';
import { longestHoldMs, whenFree } from '../../../../../src/mcp/node/files/privateFiles';

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
