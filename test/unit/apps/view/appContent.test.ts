import assert from 'node:assert/strict';
import { maxContextLength, readContext, readMessage } from '../../../../src/apps/view/appBridge';

const text = (value: string) => ({ type: 'text', text: value });

describe('what an app says', () => {
  const messages: readonly [content: unknown, read: string | undefined][] = [
    [text('one'), 'one'],
    [[text('one'), text('two')], 'one\n\ntwo'],
    [[], undefined],
    ['one', undefined],
    [undefined, undefined],
    [[text('one'), { type: 'image', data: 'AA==', mimeType: 'image/png' }], undefined],
  ];
  for (const [content, read] of messages)
    it(`is the message ${read === undefined ? 'none' : JSON.stringify(read)} in ${JSON.stringify(content)}`, () => {
      assert.equal(readMessage({ content }), read);
    });

  it('for models is its texts and its data, and the name of all else', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    assert.equal(
      readContext({ content: [text('one'), image], structuredContent: { a: 1 } }),
      'one\n\n[image]\n\n{\n  "a": 1\n}',
    );
    assert.equal(readContext({}), '');
  });

  it('is no longer than a chat can take', () => {
    const content = [text('a'.repeat(1_000_000))];
    assert.ok((readMessage({ content }) ?? '').length <= maxContextLength);
    assert.ok(readContext({ content }).length <= maxContextLength);
  });
});
