/** A piece of a text; lines and characters count from 0. */
export interface TextRange {
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** Makes a function that turns offsets in `text` into lines and characters. */
export function createRanges(
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
