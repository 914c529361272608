import { createScanner, type JSONScanner } from 'jsonc-parser';

/** At most this many objects are read per text. */
const maxObjects = 20;

/** JSON at the start of a line: an object, or a member of one whose braces were left out. */
const start = /^[ \t]*(?:\{|"[^"\n]*"\s*:\s*[{[])/gm;

/** Returns the JSON objects that begin a line of a text; if the braces were left out, only the members. */
export function jsonObjects(text: string): readonly string[] {
  const scanner = createScanner(text, true);
  const objects: string[] = [];
  start.lastIndex = 0;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const end = endAfter(found.index, text, scanner);
    // What begins within an object that never ends is only a part of it.
    if (end === undefined) break;
    objects.push(text.slice(found.index, end));
    if (objects.length === maxObjects) break;
    start.lastIndex = end;
  }
  return objects;
}

/** The index where everything is closed, unless what follows shows that this was too early; `undefined` if never. */
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
