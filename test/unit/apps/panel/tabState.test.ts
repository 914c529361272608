import assert from 'node:assert/strict';
import type { Json } from '../../../../src/mcp/protocol/types';
import { deepJson } from '../../../support/fakes/deepJson';
import {
  keptState,
  maxStateBytes,
  readState,
  type ShownCall,
} from '../../../../src/apps/panel/appTab';

const mask = (text: string) => text.replaceAll('hush', '‹redacted›');
const state = { serverId: 'demo', uri: 'ui://demo/view' };
const call = { tool: 'show', arguments: { a: 1 } };

describe('the state of a tab', () => {
  it('comes back as it was kept', () => {
    for (const one of [state, { ...state, call }, { ...state, isCut: true }])
      assert.deepEqual(readState(JSON.parse(JSON.stringify(keptState(one, mask)))), one);
  });

  it('is kept without a call that is too large, and says so', () => {
    const text = 'a'.repeat(maxStateBytes);
    const result = { content: [{ type: 'text', text } as const], isError: false };
    const large = { ...state, call: { ...call, result } };
    assert.deepEqual(keptState(large, mask), { ...state, isCut: true });
    const deep = { ...state, call: { ...call, arguments: { a: deepJson() as Json } } };
    assert.deepEqual(keptState(deep, mask), { ...state, isCut: true });
  });

  const text = (value: string) => ({ type: 'text', text: value }) as const;
  const places: Readonly<Record<string, Pick<ShownCall, 'arguments' | 'result'>>> = {
    'a stored value in an argument': { arguments: { of: ['a hush b'] } },
    'the name of an argument': { arguments: { password: 'hush-1' } },
    'a text of the result': { arguments: {}, result: { content: [text('hush')], isError: false } },
    'JSON in a text of the result': {
      arguments: {},
      result: { content: [text('{"apiKey":"sesame"}')], isError: false },
    },
    'the data of the result': {
      arguments: {},
      result: { content: [], isError: false, structuredContent: { token: 'sesame' } },
    },
    'what has the form of a key': { arguments: { of: 'ghp_0123456789abcdefghijKLMN' } },
    'what a server adds': {
      arguments: {},
      result: { content: [], isError: false, _meta: { said: 'DB_PASSWORD=sesame' } },
    },
  };
  for (const [where, parts] of Object.entries(places))
    it(`lies on the disk without secrets, as in a recording: ${where}`, () => {
      const kept = JSON.stringify(keptState({ ...state, call: { tool: 'show', ...parts } }, mask));
      assert.match(kept, /‹redacted›/);
      assert.doesNotMatch(kept, /hush|sesame|ghp_/);
      assert.ok(readState(JSON.parse(kept))?.call);
    });

  for (const odd of [undefined, null, 7, [], {}, { serverId: 'a' }, { serverId: 7, uri: 'ui://a' }])
    it(`is none where it is ${JSON.stringify(odd)}`, () => assert.equal(readState(odd), undefined));

  it('has no call where that is broken', () => {
    for (const broken of [null, 'a', { tool: 1 }, { tool: 'a', arguments: [] }])
      assert.deepEqual(readState({ ...state, call: broken }), state);
  });
});
