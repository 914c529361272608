import assert from 'node:assert/strict';
import { readServerLimits } from '../../../src/mcp/launch/ownEntry';
import { defaultLimits } from '../../../src/mcp/serverConfig';

describe('the limits of a server', () => {
  it('are those that its configuration gives, in seconds and megabytes', () => {
    const timeouts = { start: 5, request: 0.5, total: 3600 };
    assert.deepEqual(readServerLimits({ timeouts, maxMessageMegabytes: 1.5 }), {
      deadlines: { initialize: 5000, request: 500, ceiling: 3_600_000 },
      maxMessageBytes: 1_572_864,
    });
  });

  const unusable: readonly unknown[] = [
    undefined,
    null,
    'x',
    {},
    { timeouts: 5, maxMessageMegabytes: '64' },
    { timeouts: { start: 0, request: -1, total: '60' }, maxMessageMegabytes: 0 },
    { timeouts: { start: Number.NaN, request: null }, maxMessageMegabytes: Number.NaN },
  ];
  for (const value of unusable) {
    it(`are the usual ones for ${JSON.stringify(value)}`, () =>
      assert.deepEqual(readServerLimits(value), defaultLimits));
  }

  it('are never longer than a timer or a string can be', () => {
    const timeouts = { start: 1e12, request: Infinity, total: 1e300 };
    const longest = 2 ** 31 - 1;
    assert.deepEqual(readServerLimits({ timeouts, maxMessageMegabytes: 1e9 }), {
      deadlines: { initialize: longest, request: longest, ceiling: longest },
      maxMessageBytes: 500_000_000,
    });
  });
});
