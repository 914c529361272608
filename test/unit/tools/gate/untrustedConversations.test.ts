import assert from 'node:assert/strict';
import type { CallOrigin } from '../../../../src/contracts/toolCalls';
import { UntrustedConversations } from '../../../../src/tools/gate/untrustedConversations';

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
      const untrustedConversations = new UntrustedConversations();
      untrustedConversations.mark(marked, 1);
      untrustedConversations.mark(marked, 2);
      assert.equal(untrustedConversations.since(asked), at);
    });

  it('forget the oldest conversations', () => {
    const untrustedConversations = new UntrustedConversations();
    for (let i = 0; i <= 500; i += 1) untrustedConversations.mark(chat(String(i)), i);
    assert.deepEqual(
      [untrustedConversations.since(chat('0')), untrustedConversations.since(chat('1'))],
      [undefined, 1],
    );
  });
});
