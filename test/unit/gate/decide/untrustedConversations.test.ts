import assert from 'node:assert/strict';
import type { CallOrigin } from '../../../../src/contracts/toolCalls';
import { UntrustedConversations } from '../../../../src/gate/decide/untrustedConversations';

const chat = (conversation: string): CallOrigin => ({
  kind: 'chat',
  conversation,
  answer: 'first',
});
const user = { kind: 'user', action: undefined } as const;
const by = (id: string, origin: CallOrigin = chat('a')) => ({ origin, server: { id } });

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
    ['do not hold for a user', user, user],
  ];
  for (const [what, marked, asked, at] of rows)
    it(what, () => {
      const untrustedConversations = new UntrustedConversations();
      untrustedConversations.mark(by('one', marked), 'all', 1);
      untrustedConversations.mark(by('one', marked), 'all', 2);
      assert.equal(untrustedConversations.since(by('one', asked)), at);
    });

  it('of one server hold for every other, since the first of them', () => {
    const untrustedConversations = new UntrustedConversations();
    const since = () => ['one', 'two', 'three'].map((id) => untrustedConversations.since(by(id)));
    for (const [at, id, expected] of [
      [1, 'one', [undefined, 1, 1]],
      [2, 'one', [undefined, 1, 1]],
      [3, 'two', [3, 1, 1]],
      [4, 'three', [3, 1, 1]],
    ] as const) {
      untrustedConversations.mark(by(id), 'otherServers', at);
      assert.deepEqual(since(), expected);
    }
    untrustedConversations.mark(by('one'), 'all', 2);
    assert.deepEqual(since(), [2, 1, 1]);
  });

  it('do not come of what reaches nobody', () => {
    const untrustedConversations = new UntrustedConversations();
    untrustedConversations.mark(by('one'), 'none', 1);
    assert.equal(untrustedConversations.since(by('two')), undefined);
  });

  it('forget the oldest conversations', () => {
    const untrustedConversations = new UntrustedConversations();
    for (let i = 0; i <= 500; i += 1)
      untrustedConversations.mark(by('one', chat(String(i))), 'all', i);
    assert.deepEqual(
      ['0', '1'].map((conversation) => untrustedConversations.since(by('one', chat(conversation)))),
      [undefined, 1],
    );
  });
});
