import assert from 'node:assert/strict';
import {
  readTurnRecord,
  toRecord,
  type TurnRecord,
} from '../../../../src/chat/participant/conversation';

const record = (base64: string): TurnRecord => ({
  conversation: 'talk',
  found: ['demo__echo'],
  ending: 'complete',
  messages: [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'look' },
        { kind: 'data', mimeType: 'image/png', base64 },
      ],
    },
    { role: 'assistant', parts: [{ kind: 'call', id: '1', name: 'demo__echo', input: { a: 1 } }] },
    {
      role: 'user',
      parts: [
        { kind: 'answer', id: '1', content: [{ kind: 'data', mimeType: 'image/png', base64 }] },
      ],
    },
  ],
});

describe('The record of a turn', () => {
  it('survives as JSON with its calls, results and media', () => {
    const kept = toRecord(record('AAAA'));
    assert.deepEqual(readTurnRecord(JSON.parse(JSON.stringify(kept))), record('AAAA'));
  });

  it('leaves large media out, and says so, but no message, call or result', () => {
    const kept = toRecord(record('A'.repeat(3_000_000)));
    assert.ok(JSON.stringify(kept).length < 2000);
    assert.equal(JSON.stringify(kept).match(/no longer kept/g)?.length, 2);
    assert.deepEqual(
      kept.messages.map(({ parts }) => parts.map(({ kind }) => kind)),
      [['text', 'text'], ['call'], ['answer']],
    );
  });

  for (const value of [undefined, null, 5, {}, { messages: 'x' }])
    it(`is none in ${JSON.stringify(value)}`, () => assert.equal(readTurnRecord(value), undefined));
});
