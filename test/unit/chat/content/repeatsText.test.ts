import assert from 'node:assert/strict';
import { repeatsText } from '../../../../src/chat/content/modelContent';
import type { ContentBlock } from '../../../../src/mcp/protocol/types';

const says = (...texts: string[]): ContentBlock[] => texts.map((text) => ({ type: 'text', text }));
let deep: unknown = 1;
for (let level = 0; level < 50_000; level += 1) deep = { deep };

describe('Structured content', () => {
  const rows: readonly [what: string, structured: unknown, texts: string[], repeats: boolean][] = [
    ['that is the text', { a: 1, b: [2] }, ['{"a":1,"b":[2]}'], true],
    ['in another order and layout', { a: 1, b: [2] }, ['{\n  "b": [2],\n  "a": 1\n}'], true],
    ['that wraps the text', { result: 'sunny' }, ['sunny'], true],
    ['that wraps a number', { result: 5 }, ['5'], true],
    ['that wraps what is a text for each item', { result: [{ a: 1 }, 2] }, ['{"a":1}', '2'], true],
    ['beside a sentence', { a: 1 }, ['Here it is.'], false],
    ['that has more than the text', { a: 1, b: 2 }, ['{"a":1}'], false],
    ['that has less than the text', { a: 1 }, ['{"a":1,"b":2}'], false],
    ['without any text', { a: 1 }, [], false],
    ['that is nested without end', deep, ['{}'], false],
    ['that is very long', { result: 'x'.repeat(2_000_000) }, ['x'.repeat(2_000_000)], false],
  ];
  for (const [what, structured, texts, repeats] of rows)
    it(`${what} ${repeats ? 'only repeats it' : 'says something of its own'}`, () =>
      assert.equal(repeatsText(structured, says(...texts)), repeats));
});
