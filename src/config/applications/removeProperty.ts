import { findNodeAtLocation, parseTree, visit, type Edit, type Node } from 'jsonc-parser';

/** The offset where each comment ends, by the offset where it starts. */
type Comments = ReadonlyMap<number, number>;

/**
 * Returns the edits that remove a property from JSON with comments, none if it is not there. What follows it on its
 * line is removed as well; comments above it and around others stay, which the parser's own `modify` would remove.
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

/** The range to remove for a property, and whether a comma is part of it. */
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

/** The index of the comma that comes next; `undefined` if something else does. */
function commaBehind(text: string, from: number, comments: Comments): number | undefined {
  const next = skip(text, from, comments, ' \t\r\n');
  return text[next] === ',' ? next : undefined;
}

/**
 * The index of the first character after blanks and comments; a comment of several lines is skipped only if line
 * breaks are.
 */
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

/** The index where the blanks before a place on its line start. */
function blanksBefore(text: string, place: number): number {
  let start = place;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

/** The index where the line break right before a place starts; `undefined` if there is none. */
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
