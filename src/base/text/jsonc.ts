import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type Translate, inEnglish } from '../translate';

/** A piece of a text; lines and characters count from 0. */
export interface TextRange {
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** Makes a function that turns offsets in `text` into lines and characters. */
function createRanges(
  text: string,
): (piece: { readonly offset: number; readonly length: number }) => TextRange {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  const locate = (offset: number): [line: number, character: number] => {
    let line = 0;
    for (let end = starts.length; end - line > 1;) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return [line, offset - (starts[line] ?? 0)];
  };
  return ({ offset, length }) => {
    const [line, character] = locate(offset);
    const [endLine, endCharacter] = locate(offset + length);
    return { line, character, endLine, endCharacter };
  };
}

/** A text of JSON with comments, as far as it can be read. */
export interface JsoncReading {
  readonly root: Node | undefined;
  /** Returns the position of a piece of the text in lines and characters. */
  readonly rangeOf: (piece: { readonly offset: number; readonly length: number }) => TextRange;
  /** Why the text is not JSON, in a sentence, and where; absent if it is JSON or empty. */
  readonly problem?: { readonly message: string; readonly range: TextRange };
}

/** Reads JSON with comments and trailing commas. */
export function readJsonc(text: string, t: Translate = inEnglish): JsoncReading {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const rangeOf = createRanges(text);
  const [error] = errors;
  if (!error || text.trim() === '') return { root, rangeOf };
  const range = rangeOf(error);
  const reason = syntaxError(error.error, t);
  const line = String(range.line + 1);
  return {
    root,
    rangeOf,
    problem: { message: t('Line {0} is not valid JSON: {1}.', line, reason), range },
  };
}

/** Says why a text is not JSON, by the parser's error code. */
function syntaxError(code: number, t: Translate): string {
  switch (code) {
    case 1:
      return t('there is a word in place of a value');
    case 2:
      return t('a number is malformed');
    case 3:
      return t('a property name in double quotes is missing');
    case 4:
      return t('a value is missing');
    case 5:
      return t('a colon is missing');
    case 6:
      return t('a comma is missing');
    case 7:
      return t('a closing brace is missing');
    case 8:
      return t('a closing bracket is missing');
    case 9:
      return t('text follows the end');
    case 10:
      return t('a comment is malformed');
    case 11:
      return t('a comment has no end');
    case 12:
      return t('a string has no end');
    case 13:
      return t('a number has no end');
    case 14:
      return t('a Unicode escape is malformed');
    case 15:
      return t('an escape in a string is malformed');
    case 16:
      return t('a string contains a control character');
    default:
      return t('it cannot be read');
  }
}
