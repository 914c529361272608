import assert from 'node:assert/strict';
import { fitTurns } from '../../../../src/chat/participant/conversation';
import type { ModelMessage } from '../../../../src/contracts/modelMessages';

const turn = (text: string): readonly ModelMessage[] => [
  { role: 'user', parts: [{ kind: 'text', text }] },
  { role: 'assistant', parts: [{ kind: 'text', text }] },
];

describe('The earlier turns that a model gets', () => {
  const turns = [turn('x'.repeat(4000)), turn('second'), turn('third')];

  it('are all of them where they fit', () => {
    assert.deepEqual(fitTurns(turns, 10_000), { messages: turns.flat(), dropped: 0 });
  });

  it('are the latest, each whole, where they do not', () => {
    assert.deepEqual(fitTurns(turns, 1000), { messages: turns.slice(1).flat(), dropped: 1 });
    assert.deepEqual(fitTurns(turns, 1), { messages: [], dropped: 3 });
  });

  it('are none of a new conversation', () => {
    assert.deepEqual(fitTurns([], 10), { messages: [], dropped: 0 });
  });
});
