import assert from 'node:assert/strict';
import { readSandbox, withFileSandbox } from '../../../src/mcp/launch/processKind';

const nothing = {
  allowWrite: [],
  denyWrite: [],
  denyRead: [],
  allowedDomains: [],
  deniedDomains: [],
  unknown: [],
};

describe('the sandbox that an entry wants', () => {
  for (const [title, entry, rules] of [
    ['none', {}, undefined],
    ['none where it is off', { sandboxEnabled: false, sandbox: { filesystem: {} } }, undefined],
    ['one without rules', { sandboxEnabled: true }, nothing],
    ['one that is asked for in another way', { sandboxEnabled: 'yes' }, nothing],
    ['one that is described alone', { sandbox: {} }, nothing],
    [
      'one with all its rules',
      {
        sandboxEnabled: true,
        sandbox: {
          filesystem: { allowWrite: ['a'], denyWrite: ['b'], denyRead: ['c'] },
          network: { allowedDomains: ['d'], deniedDomains: ['e'] },
        },
      },
      {
        allowWrite: ['a'],
        denyWrite: ['b'],
        denyRead: ['c'],
        allowedDomains: ['d'],
        deniedDomains: ['e'],
        unknown: [],
      },
    ],
    [
      'one with what nobody knows',
      {
        sandbox: {
          filesystem: { allowWrite: 'a', maxSize: 1 },
          network: [],
          memory: 1,
        },
      },
      {
        ...nothing,
        unknown: ['filesystem.allowWrite', 'filesystem.maxSize', 'network', 'memory'],
      },
    ],
    [
      'one that is no object',
      { sandboxEnabled: true, sandbox: 7 },
      { ...nothing, unknown: ['sandbox'] },
    ],
  ] as const)
    it(`is ${title}`, () => assert.deepEqual(readSandbox(entry), rules));

  const ofFile = { network: {} };
  for (const [title, entry, expected] of [
    ['where it wants one', { sandboxEnabled: true }, { sandboxEnabled: true, sandbox: ofFile }],
    ['not where it has its own', { sandboxEnabled: true, sandbox: {} }, undefined],
    ['not where it wants none', { sandboxEnabled: false }, undefined],
    ['not where it says nothing', { command: 'a' }, undefined],
    ['not where it is no entry', 'a', undefined],
  ] as const)
    it(`is that of the whole file ${title}`, () =>
      assert.deepEqual(withFileSandbox(entry, ofFile), expected ?? entry));
});
