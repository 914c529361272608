import assert from 'node:assert/strict';
import { letsToolBeCalled, readToolFilter } from '../../../src/mcp/serverConfig';

describe('the tools that a configuration lets be called', () => {
  for (const [title, value, called, notCalled] of [
    ['says nothing', {}, ['a', 'b'], []],
    ['names some to leave out', { disabledTools: ['b'] }, ['a'], ['b']],
    ['names the only ones', { tools: ['a'] }, ['a'], ['b']],
    ['names all of them', { tools: ['*'] }, ['a', 'b'], []],
    ['names none', { tools: [] }, [], ['a', 'b']],
    ['says both', { tools: ['a', 'b'], disabledTools: ['b'] }, ['a'], ['b', 'c']],
    ['widens', { autoApprove: ['a'], alwaysAllow: ['a'], disabledTools: ['a'] }, ['b'], ['a']],
    ['names some in the words of Copilot', { excludeTools: ['b'] }, ['a'], ['b']],
    ['is odd', { tools: 'a', disabledTools: { a: true } }, ['a', 'b'], []],
    ['is no object', null, ['a'], []],
  ] as const)
    it(`are right where it ${title}`, () => {
      const filter = readToolFilter(value);
      assert.deepEqual(
        called.filter((name) => !letsToolBeCalled(filter, name)),
        [],
      );
      assert.deepEqual(
        notCalled.filter((name) => letsToolBeCalled(filter, name)),
        [],
      );
    });
});
