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
    const after = starts.findIndex((start) => start > offset);
    const line = (after < 0 ? starts.length : after) - 1;
    return [line, offset - (starts[line] ?? 0)];
  };
  return ({ offset, length }) => {
    const [line, character] = locate(offset);
    const [endLine, endCharacter] = locate(offset + length);
    return { line, character, endLine, endCharacter };
  };
}
