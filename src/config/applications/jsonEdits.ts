import { findNodeAtLocation, parseTree, visit, type Edit, type Node } from 'jsonc-parser';
import { lineEndOf } from '../../base/text/text';

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
  const comments = commentsOf(text);
  const { start, end, hasComma } = wholeOf(text, property, comments);
  const others = (object.children ?? []).filter((child) => child !== property);
  const around = text.slice(object.offset + 1, start) + text.slice(end, endOf(object) - 1);
  if (others.length === 0 && around.trim() === '')
    return [{ offset: object.offset, length: object.length, content: '{}' }];
  const before = others.findLast(({ offset }) => offset < property.offset);
  const comma = hasComma || !before ? undefined : commaBehind(text, endOf(before), comments);
  return [...(comma === undefined ? [] : [cut(comma, comma + 1)]), cut(start, end)];
}

/**
 * Returns the edits that set a value in JSON with comments, written as the file is indented; a path that ends with -1
 * appends to the list there. All other bytes stay, where the parser's own `modify` formats whole lines.
 */
export function setProperty(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): Edit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  let node = root;
  let depth = 0;
  for (const key of path) {
    const next: Node | undefined = node && key !== -1 ? findNodeAtLocation(node, [key]) : undefined;
    if (!next) break;
    node = next;
    depth += 1;
  }
  const [key, ...inner] = path.slice(depth);
  const nested = inner.reduceRight((part, one) => wrap(one, part), value);
  if (!node) return [{ offset: 0, length: text.length, content: JSON.stringify(value, null, 2) }];
  if (key !== undefined && node.type === (typeof key === 'number' ? 'array' : 'object'))
    return insert(text, node, key, nested);
  const content = written(text, node, key === undefined ? value : wrap(key, nested));
  return [{ offset: node.offset, length: node.length, content }];
}

function wrap(key: string | number, value: unknown): unknown {
  return typeof key === 'number' ? [value] : { [key]: value };
}

/** Returns a value as text in the place of a node. */
function written(text: string, node: Node, value: unknown): string {
  const holder = node.parent?.type === 'property' ? node.parent.parent : node.parent;
  return holder && !isInLines(text, holder)
    ? JSON.stringify(value)
    : besideOthers(text, holder, value, indentAt(text, node.offset));
}

function insert(text: string, holder: Node, key: string | number, value: unknown): Edit[] {
  const comments = commentsOf(text);
  const last = holder.children?.at(-1);
  const lead = typeof key === 'number' ? '' : `${JSON.stringify(key)}: `;
  if (!last && isOneLineFile(text, holder)) {
    const place = holder.offset + 1;
    return [{ offset: place, length: 0, content: `${lead}${JSON.stringify(value)}` }];
  }
  if (last && !isInLines(text, holder)) {
    const hasComma = commaBehind(text, endOf(last), comments) !== undefined;
    const place = hasComma ? endOf(holder) - 1 : endOf(last);
    const content = `${hasComma ? ' ' : ', '}${lead}${JSON.stringify(value)}`;
    return [{ offset: place, length: 0, content }];
  }
  const outer = indentAt(text, holder.offset);
  const [first] = holder.children ?? [];
  const isFirstOnLine = first && text[blanksBefore(text, first.offset) - 1] === '\n';
  const indent = isFirstOnLine ? indentAt(text, first.offset) : outer + unitOf(text);
  const comma = last && commaBehind(text, endOf(last), comments);
  const place = last
    ? lineEndBehind(text, comma === undefined ? endOf(last) : comma + 1, comments)
    : endInside(text, holder);
  const eol = lineEndOf(text);
  const isClosedBelow = text.slice(place, endOf(holder) - 1).includes('\n');
  const close = endOf(holder) - 1;
  const content = `${eol}${indent}${lead}${besideOthers(text, holder, value, indent)}${isClosedBelow ? '' : eol + outer}`;
  const inserted = { offset: place, length: isClosedBelow ? 0 : close - place, content };
  if (!last || comma !== undefined) return [inserted];
  if (place === endOf(last)) return [{ ...inserted, content: `,${content}` }];
  return [{ offset: endOf(last), length: 0, content: ',' }, inserted];
}

/** The index behind a place and the comment that follows it on its line, if the line ends there; else the place. */
function lineEndBehind(text: string, place: number, comments: Comments): number {
  const next = skip(text, place, comments, ' \t');
  return /[\r\n]/.test(text[next] ?? '') ? Math.max(place, blanksBefore(text, next)) : place;
}

/** The index behind the comments of an empty object or list, or behind its bracket. */
function endInside(text: string, holder: Node): number {
  return holder.offset + 1 + text.slice(holder.offset + 1, endOf(holder) - 1).trimEnd().length;
}

/** True if all of a file that has anything in it besides an empty node stands in one line. */
function isOneLineFile(text: string, { parent }: Node): boolean {
  const others = parent?.parent?.children ?? [];
  return (
    !text.trim().includes('\n') &&
    others.some((other) => other !== parent && other.children?.[1]?.children?.length)
  );
}

function isInLines(text: string, node: Node): boolean {
  return text.slice(node.offset, endOf(node)).includes('\n');
}

/** Returns a value in lines, or in one line as those beside it are that have any parts. */
function besideOthers(
  text: string,
  holder: Node | undefined,
  value: unknown,
  indent: string,
): string {
  const others = (holder?.children ?? [])
    .flatMap((child) => (child.type === 'property' ? child.children?.slice(1) : child) ?? [])
    .filter(({ children = [] }) => children.length > 0);
  const [first] = others;
  if (!first || others.some((other) => isInLines(text, other))) return inLines(text, value, indent);
  const look = text.slice(first.offset, endOf(first));
  if (/^\{\s*"(?:[^"\\]|\\.)*":\S/.test(look)) return JSON.stringify(value);
  const gap = look.startsWith('{ ') ? ' ' : '';
  // Line breaks in texts are escaped: all others stand between parts.
  return JSON.stringify(value, null, 1)
    .replaceAll(/(?<=\{)\n *|\n *(?=\})/g, gap)
    .replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '')
    .replaceAll(/\n */g, ' ');
}

function inLines(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent);
}

/** The blanks at the beginning of the line of a place. */
function indentAt(text: string, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, place))?.[0] ?? '';
}

/** What a line is indented by, as far as the file shows it. */
function unitOf(text: string): string {
  return /^\t/m.test(text) ? '\t' : (/^( +)\S/m.exec(text)?.[1] ?? '  ');
}

function commentsOf(text: string): Comments {
  const comments = new Map<number, number>();
  visit(text, { onComment: (offset, length) => comments.set(offset, offset + length) });
  return comments;
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
