import assert from 'node:assert/strict';
import { StartPolicy } from '../../../src/servers/startPolicy';

describe('a start by hand', () => {
  for (const [what, end] of [
    ['it succeeds', () => Promise.resolve()],
    ['it fails', () => Promise.reject(new Error('no'))],
  ] as const)
    it(`is over with its end, so that what is asked later is not for it, where ${what}`, async () => {
      const told: string[] = [];
      const policy = new StartPolicy({
        begun: (id) => told.push(`begun ${id}`),
        ended: (id) => told.push(`ended ${id}`),
      });
      const start = policy.startByHand(['a', 'b'], async () => {
        told.push('start');
        await end();
      });
      await start.catch(() => {});
      assert.deepEqual(told, ['begun a', 'begun b', 'start', 'ended a', 'ended b']);
      assert.ok(policy.isWanted('a'));
    });
});
