import assert from 'node:assert/strict';
import { type OpenMode, TabKeys, opensAtOnce } from '../../../../src/apps/panel/appTabs';
import type { CallOrigin, ToolCall } from '../../../../src/contracts/toolCalls';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';

const server = fakeServer();
const withApp = tool({ _meta: { ui: { resourceUri: 'ui://demo/view' } } });
const origins = {
  user: { kind: 'user', action: undefined },
  editor: { kind: 'editor' },
  chat: { kind: 'chat', conversation: 'one', answer: 'a' },
  savedCalls: { kind: 'savedCalls', file: 'file:///a.json' },
  app: { kind: 'app', uri: 'ui://demo/view', fingerprint: 'f', canChange: false },
} as const satisfies Record<string, CallOrigin>;
const callOf = (origin: CallOrigin, its = withApp): ToolCall => ({
  server,
  tool: its,
  arguments: {},
  origin,
});

describe('the app of a call', () => {
  const table: readonly [mode: OpenMode, opens: readonly CallOrigin['kind'][]][] = [
    ['ask', ['user']],
    ['always', ['user', 'editor', 'chat', 'savedCalls']],
    ['never', []],
  ];
  for (const [mode, opens] of table)
    it(`opens at once with ${mode} for ${opens.join(', ') || 'nobody'}`, () => {
      const opened = Object.values(origins).filter((origin) => opensAtOnce(callOf(origin), mode));
      assert.deepEqual(
        opened.map(({ kind }) => kind),
        opens,
      );
      assert.equal(opensAtOnce(callOf(origins.user, tool()), mode), false);
    });

  it('shares a tab with the other calls of its tool in its conversation', () => {
    const keys = new TabKeys();
    const key = (call: ToolCall) => keys.keyOf(call, 'perTool');
    const { chat } = origins;
    assert.equal(key(callOf(chat)), key(callOf({ ...chat, answer: 'b' })));
    assert.notEqual(key(callOf(chat)), key(callOf({ ...chat, conversation: 'two' })));
    assert.notEqual(key(callOf(chat)), key(callOf(origins.user)));
    assert.notEqual(key(callOf(chat)), key(callOf(chat, { ...withApp, name: 'other' })));
  });

  it('has a tab of its own where the user wants that, and keeps it', () => {
    const keys = new TabKeys();
    const call = callOf(origins.chat);
    assert.equal(keys.keyOf(call, 'perCall'), keys.keyOf(call, 'perCall'));
    assert.notEqual(keys.keyOf(call, 'perCall'), keys.keyOf(callOf(origins.chat), 'perCall'));
  });
});
