import assert from 'node:assert/strict';
import { withLineBreaks } from '../../../../src/ui/sources/pastedText';

describe('a text pasted into a one-line box', () => {
  const cases: readonly (readonly [string, string, string, string | undefined])[] = [
    ['line breaks made spaces', 'a b c', 'a\nb\nc', 'a\nb\nc'],
    ['line breaks dropped', 'abc', 'a\nb\nc', 'a\nb\nc'],
    ['line ends of Windows', 'a b', 'a\r\nb', 'a\r\nb'],
    ['text before and after', '"a b"', 'a\nb', '"a\nb"'],
    ['a line that was copied whole', 'a ', 'a\n', undefined],
    ['a clipboard without line breaks', 'a b', 'a b', undefined],
    ['something that was not pasted', 'x y', 'a\nb', undefined],
    ['a clipboard of line breaks alone', 'x', '\n', undefined],
  ];
  for (const [name, value, clipboard, expected] of cases)
    it(`is ${expected === undefined ? 'left alone' : 'given its line breaks back'}: ${name}`, () =>
      assert.equal(withLineBreaks(value, clipboard), expected));
});
