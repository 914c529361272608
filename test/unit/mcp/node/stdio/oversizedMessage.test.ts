import assert from 'node:assert/strict';
import { inEnglish } from '../../../../../src/base/translate';
import { describeOversized } from '../../../../../src/mcp/node/stdioTransport';

/** Returns what a framer reports about this message. */
function report(message: string) {
  const [head, tail] = [message.slice(0, 512), message.slice(-512)];
  return { bytes: message.length, head, tail };
}

const long = JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(5000) }] });

describe('a message that is too long', () => {
  const answers: readonly (readonly [string, string])[] = [
    ['as most servers write it', `{"jsonrpc":"2.0","id":1000001,"result":${long}}`],
    ['with its id first', `{"id":1000001,"jsonrpc":"2.0","result":${long}}`],
    ['with spaces', `{ "jsonrpc": "2.0", "id": 1000001, "result": ${long} }`],
    ['with its id last', `{"jsonrpc":"2.0","result":${long},"id":1000001}`],
    ['with its id after its result', `{"result":${long},"id":1000001,"jsonrpc":"2.0"}`],
    ['with spaces and its id last', `{ "result": ${long}, "id": 1000001 , "jsonrpc": "2.0" }\r`],
  ];
  for (const [name, text] of answers) {
    it(`is answered in its place, ${name}`, () => {
      const { answer, message } = describeOversized(report(text), 1000, inEnglish);
      assert.deepEqual(answer, { jsonrpc: '2.0', id: 1_000_001, error: { code: -32603, message } });
      assert.match(message, /a message of 5\.1 kB; the limit is 1 kB\.$/);
    });
  }

  it('says so where it is not its length', () => {
    const line = { ...report(`{"id":7,"result":${long}}`), excess: () => 'Too much.' };
    const { answer, message } = describeOversized(line, 1000, inEnglish);
    assert.deepEqual([message, answer?.error.message], ['Too much.', 'Too much.']);
  });

  const others: readonly (readonly [string, string])[] = [
    ['a notification', `{"jsonrpc":"2.0","method":"notifications/message","params":${long}}`],
    [
      'a notification that names an id',
      `{"jsonrpc":"2.0","method":"x","params":{"a":${long},"id":7}}`,
    ],
    ['an answer with an id of letters', `{"jsonrpc":"2.0","id":"a7","result":${long}}`],
    ['no message at all', 'x'.repeat(5000)],
  ];
  for (const [name, text] of others) {
    it(`is only reported when it is ${name}`, () => {
      const { answer, message } = describeOversized(report(text), 1000, inEnglish);
      assert.equal(answer, undefined);
      assert.match(message, /the limit is 1 kB/);
    });
  }
});
