import assert from 'node:assert/strict';
import { mayBePasted, withLineBreaks } from '../../../../src/ui/sources/pastedLines';

describe('a text pasted into a one-line box', () => {
  const cases: readonly (readonly [string, string, string, string | undefined])[] = [
    ['line breaks made spaces', 'a b c', 'a\nb\nc', 'a\nb\nc'],
    ['line breaks dropped', 'abc', 'a\nb\nc', 'a\nb\nc'],
    ['the last line break dropped alone', 'a b', 'a\nb\n', 'a\nb'],
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

describe('a change of a box', () => {
  const long = 'x'.repeat(40);
  const cases: readonly (readonly [what: string, string, string, free: boolean, asks: boolean])[] =
    [
      ['a letter', 'ab', 'abc', false, false],
      ['a letter that is taken away', 'ab', 'a', false, false],
      ['a letter that stands there already', 'aa', 'aaa', false, false],
      ['two letters', '', 'ab', true, false],
      ['a word of an input method', 'in ', 'in 東京都', true, false],
      ['a word and a space of a phone', '', 'hello ', true, false],
      ['several words', '', 'a b', true, true],
      ['several words in the place of others', 'def f(): return 1', 'x = 1', true, true],
      ['a long text without spaces', 'a', `a${long}`, true, true],
      ['several words in the middle', '""', '"a b"', true, true],
      ['a space between words that stand there', 'ab', 'a b', false, false],
    ];
  for (const [what, before, after, free, asks] of cases)
    it(`${free ? 'may be' : 'is no'} paste, ${asks ? 'also' : 'not'} where the clipboard is asked for: ${what}`, () => {
      assert.equal(mayBePasted(before, after, false), free);
      assert.equal(mayBePasted(before, after, true), asks);
    });
});
