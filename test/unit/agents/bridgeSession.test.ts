import assert from 'node:assert/strict';
import { BridgeSession } from '../../../src/mcp/node/agents/bridgeSession';

describe('What a window answers, on its way through the bridge', () => {
  /** Has an agent wait for a call with this id, passes lines of the window on, and then loses the window. */
  const pass = (id: string | number, lines: readonly string[]) => {
    const said: (string | Uint8Array)[] = [];
    const session = new BridgeSession((line) => said.push(line), '/');
    session.opened(() => {});
    session.fromAgent(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' }));
    const passed = lines.map((line) => Buffer.from(line));
    for (const bytes of passed) session.fromWindow(bytes.toString(), bytes);
    const out = said.splice(0);
    const isPassed = out.length === passed.length && out.every((line, at) => line === passed[at]);
    session.lost();
    return { isPassed, unknown: said.map(String) };
  };
  const result = (id: unknown) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[]}}`;

  for (const [what, id, line] of [
    ['a number', 7, result(7)],
    ['a text', 'call-7', result('call-7')],
    ['a text with quotes', 'a"b\\c', result('a"b\\c')],
    ['a text longer than any pattern takes', 'x'.repeat(5000), result('x'.repeat(5000))],
    ['an error', 7, '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}}'],
    ['an id at the end', 7, '{"result":{"content":[]},"jsonrpc":"2.0","id":7}'],
    ['an id after the version alone', 7, '{"id":7,"jsonrpc":"2.0","result":{}}'],
  ] as const)
    it(`is the same bytes, and ends the wait for them: ${what}`, () => {
      assert.deepEqual(pass(id, [line]), { isPassed: true, unknown: [] });
    });

  for (const [what, line] of [
    ['another request', result(8)],
    ['the same id as a text', result('7')],
    ['progress', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":7}}'],
    ['a request of its own', '{"jsonrpc":"2.0","id":7,"method":"ping"}'],
    [
      'a message whose text looks like an answer',
      `{"jsonrpc":"2.0","method":"x","params":{"a":${JSON.stringify(result(7))}}}`,
    ],
  ] as const)
    it(`ends no wait if it is for something else: ${what}`, () => {
      const { isPassed, unknown } = pass(7, [line]);
      assert.ok(isPassed);
      assert.match(unknown.join(), /It may have run/);
    });

  it('is not read beyond its id, however long it is', () => {
    const unread = '{"jsonrpc":"2.0","id":7,"result":{"content":[…';
    assert.deepEqual(pass(7, [unread]), { isPassed: true, unknown: [] });
  });

  describe('of a call that it holds', () => {
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call' };
    const heldBy = (lines: readonly object[]) => {
      const toAgent: string[] = [];
      const toWindow: string[] = [];
      const session = new BridgeSession((line) => toAgent.push(String(line)), '/');
      session.opened((line) => toWindow.push(line));
      session.fromAgent(JSON.stringify(call));
      for (const line of lines.map((one) => JSON.stringify(one)))
        session.fromWindow(line, Buffer.from(line));
      return { session, toAgent, toWindow };
    };
    const holds = { mcpWorkbench: 1, holds: 7 };
    const begins = { mcpWorkbench: 1, begins: 7 };

    it('is nothing for the agent, and has the next window asked for it', () => {
      const { session, toAgent } = heldBy([holds]);
      session.lost();
      const next: unknown[] = [];
      session.opened((line) => next.push(JSON.parse(line)));
      assert.deepEqual([toAgent, next], [[], [call]]);
      // That one has not said that it holds it.
      session.lost();
      assert.match(toAgent.join(), /It may have run/);
    });

    it('is confirmed once it is held no longer, and the call is made no more', () => {
      const { session, toAgent, toWindow } = heldBy([holds, begins]);
      assert.deepEqual(toWindow, [JSON.stringify(call), JSON.stringify(begins)]);
      session.lost();
      assert.match(toAgent.join(), /It may have run/);
    });

    it('is not begun by a line that the agent writes', () => {
      const { session, toAgent, toWindow } = heldBy([holds]);
      session.fromAgent(JSON.stringify(begins));
      assert.deepEqual([toAgent, toWindow], [[], [JSON.stringify(call)]]);
    });

    it('is forgotten once the agent gives it up', () => {
      const { session, toAgent, toWindow } = heldBy([holds]);
      const params = { requestId: 7 };
      const given = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      session.fromAgent(JSON.stringify(given));
      session.lost();
      session.opened((line) => toWindow.push(line));
      assert.deepEqual([toAgent, toWindow.length], [[], 2]);
    });
  });

  it('of a call that no window was told of before it was lost is that of the next', () => {
    const said: string[] = [];
    const session = new BridgeSession((line) => said.push(String(line)), '/');
    session.opened(() => {});
    session.fromAgent('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    session.fromWindow('{"jsonrpc":"2.0","id":1,"result":{}}', Buffer.from(''));
    session.lost();
    session.fromAgent('{"jsonrpc":"2.0","id":2,"method":"tools/call"}');
    session.opened(() => {});
    session.lost();
    assert.doesNotMatch(said.join(), /It may have run/);
    const next: string[] = [];
    session.opened((line) => next.push(line));
    const [, replay = ''] = /"id":"([^"]+)"/.exec(next.join()) ?? [];
    const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(replay)},"result":{}}`;
    session.fromWindow(answer, Buffer.from(answer));
    assert.match(next.at(-1) ?? '', /tools\/call/);
  });
});
