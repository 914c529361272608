import { findNodeAtLocation, parseTree, visit, type Edit, type Node } from 'jsonc-parser';

/** The ends of comments by their beginnings. */
type Comments = ReadonlyMap<number, number>;

/**
 * The edits that take a property out of a JSON text with comments, none where it is not there. It goes with what
 * stands behind it in its line; comments above it and around others stay, which a `modify` of the parser takes along.
 */
export function removeProperty(text: string, path: readonly (string | number)[]): Edit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, [...path])?.parent;
  const object = property?.parent;
  if (!object) return [];
  const comments = new Map<number, number>();
  visit(text, { onComment: (offset, length) => comments.set(offset, offset + length) });
  const { start, end, hasComma } = wholeOf(text, property, comments);
  const others = (object.children ?? []).filter((child) => child !== property);
  const around = text.slice(object.offset + 1, start) + text.slice(end, endOf(object) - 1);
  if (others.length === 0 && around.trim() === '')
    return [{ offset: object.offset, length: object.length, content: '{}' }];
  const before = others.findLast(({ offset }) => offset < property.offset);
  const comma = hasComma || !before ? undefined : commaBehind(text, endOf(before), comments);
  return [...(comma === undefined ? [] : [cut(comma, comma + 1)]), cut(start, end)];
}

/** From where to where a property goes out of the text. */
function wholeOf(text: string, property: Node, comments: Comments) {
  const { offset } = property;
  const comma = commaBehind(text, endOf(property), comments);
  const hasComma = comma !== undefined;
  const end = hasComma ? comma + 1 : endOf(property);
  const next = skip(text, end, comments, ' \t');
  const indent = blanksBefore(text, offset);
  if (next === text.length || /[\r\n]/.test(text[next] ?? ''))
    return { start: lineBreakBefore(text, indent) ?? indent, end: next, hasComma };
  if (text[next] === '}') return { start: indent, end, hasComma };
  return { start: offset, end: skip(text, end, new Map(), ' \t'), hasComma };
}

/** Where the comma is that comes next, if one does. */
function commaBehind(text: string, from: number, comments: Comments): number | undefined {
  const next = skip(text, from, comments, ' \t\r\n');
  return text[next] === ',' ? next : undefined;
}

/** Where something else begins than blanks and comments; a comment of several lines ends the search where line breaks do. */
function skip(text: string, from: number, comments: Comments, blanks: string): number {
  let at = from;
  for (;;) {
    const comment = comments.get(at);
    if (comment !== undefined && (blanks.includes('\n') || !text.slice(at, comment).includes('\n')))
      at = comment;
    else if (at < text.length && blanks.includes(text[at] ?? '')) at += 1;
    else return at;
  }
}

/** Where the blanks before a place in its line begin. */
function blanksBefore(text: string, place: number): number {
  let start = place;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

/** Where the line break right before a place begins; undefined where there is none. */
function lineBreakBefore(text: string, place: number): number | undefined {
  if (text[place - 1] !== '\n') return undefined;
  return text[place - 2] === '\r' ? place - 2 : place - 1;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function cut(start: number, end: number): Edit {
  return { offset: start, length: end - start, content: '' };
}
