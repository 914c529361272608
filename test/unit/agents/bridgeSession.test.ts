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
});
