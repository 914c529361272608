import assert from 'node:assert/strict';
import type { CallOrigin } from '../../../../src/contracts/toolCalls';
import { Taints } from '../../../../src/tools/gate/taints';

const chat = (conversation: string): CallOrigin => ({
  kind: 'chat',
  conversation,
  answer: 'first',
});

describe('Taints', () => {
  const rows: readonly [what: string, marked: CallOrigin, asked: CallOrigin, at?: number][] = [
    ['hold for their conversation', chat('a'), chat('a'), 1],
    ['leave other conversations alone', chat('a'), chat('b')],
    [
      'hold for all other chats of the editor, which are not told apart',
      { kind: 'editor' },
      { kind: 'editor' },
      1,
    ],
    ['of other chats leave conversations alone', { kind: 'editor' }, chat('a')],
    ['do not hold for a person', { kind: 'person' }, { kind: 'person' }],
  ];
  for (const [what, marked, asked, at] of rows)
    it(what, () => {
      const taints = new Taints();
      taints.mark(marked, 1);
      taints.mark(marked, 2);
      assert.equal(taints.since(asked), at);
    });

  it('forget the oldest conversations', () => {
    const taints = new Taints();
    for (let i = 0; i <= 500; i += 1) taints.mark(chat(String(i)), i);
    assert.deepEqual([taints.since(chat('0')), taints.since(chat('1'))], [undefined, 1]);
  });
});
