import { createScanner, type JSONScanner } from 'jsonc-parser';

/** So many objects of one text are looked at. */
const maxObjects = 20;

/** Where JSON begins a line: an object, or a member of one whose own braces were left out. */
const start = /^[ \t]*(?:\{|"[^"\n]*"\s*:\s*[{[])/gm;

/** The JSON objects of a text that begin a line, each with its members alone where its braces were left out. */
export function jsonObjects(text: string): readonly string[] {
  const scanner = createScanner(text, true);
  const objects: string[] = [];
  start.lastIndex = 0;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const end = endAfter(found.index, text, scanner);
    // What begins within one that has no end is only a part of it.
    if (end === undefined) break;
    objects.push(text.slice(found.index, end));
    if (objects.length === maxObjects) break;
    start.lastIndex = end;
  }
  return objects;
}

/** Where all is closed and nothing shows that it was closed too early. */
function endAfter(from: number, text: string, scanner: JSONScanner): number | undefined {
  scanner.setPosition(from);
  let end: number | undefined;
  let before = '';
  for (let depth = 0; ;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const mark = text.charAt(at);
    const isClose = mark === '}' || mark === ']';
    if (end !== undefined && mark !== ',') {
      const goesOn = isClose || (mark === '"' && before === ',');
      if (!goesOn) return end;
      end = undefined;
    }
    if (mark === '') return undefined;
    if (mark === '{' || mark === '[') depth += 1;
    if (isClose) depth -= 1;
    if (isClose && depth === 0) end = at + 1;
    before = mark;
  }
}
