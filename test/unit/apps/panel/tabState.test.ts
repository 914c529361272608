import assert from 'node:assert/strict';
import { keptState, maxStateBytes, readState } from '../../../../src/apps/panel/appTab';

const state = { serverId: 'demo', uri: 'ui://demo/view' };
const call = { tool: 'show', arguments: { a: 1 } };

describe('the state of a tab', () => {
  it('comes back as it was kept', () => {
    for (const one of [state, { ...state, call }, { ...state, isCut: true }])
      assert.deepEqual(readState(JSON.parse(JSON.stringify(keptState(one)))), one);
  });

  it('is kept without a call that is too large, and says so', () => {
    const text = 'a'.repeat(maxStateBytes);
    const result = { content: [{ type: 'text', text } as const], isError: false };
    assert.deepEqual(keptState({ ...state, call: { ...call, result } }), { ...state, isCut: true });
  });

  for (const odd of [undefined, null, 7, [], {}, { serverId: 'a' }, { serverId: 7, uri: 'ui://a' }])
    it(`is none where it is ${JSON.stringify(odd)}`, () => assert.equal(readState(odd), undefined));

  it('has no call where that is broken', () => {
    for (const broken of [null, 'a', { tool: 1 }, { tool: 'a', arguments: [] }])
      assert.deepEqual(readState({ ...state, call: broken }), state);
  });
});
