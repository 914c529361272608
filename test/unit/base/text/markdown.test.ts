import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { chatLine } from '../../../../src/base/text/markdown';
import { nastyText, nastyTexts } from '../../../support/fakes/nastyTexts';

/** Checks that a line contains nothing that Markdown would interpret. */
function assertNothingWorks(text: string) {
  const bare = chatLine([text]).replaceAll(/\\[\\`*_{}[\]()#+\-.!|<>~:]|&amp;/g, '');
  assert.doesNotMatch(bare, /[\\`*_{}[\]#+\-.!|<>~:&]|\$\(|\n/);
  const code = chatLine([{ code: text }]);
  assert.match(code, /^`[^`\n]*`$/);
  assert.doesNotMatch(code, /\$\([a-z]/i);
}

describe('a line of the chat', () => {
  for (const [tries, text] of nastyTexts)
    it(`shows ${tries} and lets it do nothing`, () => assertNothingWorks(text));

  it('is safe whatever is in it', () => {
    fc.assert(fc.property(nastyText, assertNothingWorks), { numRuns: 300 });
  });

  it('has its pieces one after the other', () => {
    assert.equal(chatLine(['a_b', { code: 'c`d' }, 'e']), 'a\\_b `c´d` e');
  });
});
