import { hasHidden, trimEnd, truncate } from './text';
import { decodePercent } from './percent';
import { extensionsOf } from '../media/mediaTypes';

/** The names that a server gives an entry, from which a file name is made. */
export interface Named {
  readonly uri: string;
  readonly name?: string;
  readonly mimeType?: string;
}

const maxLength = 100;

/**
 * A file name for a resource: the last piece of its URI, or its name where the URI has none, with
 * an extension that fits the media type. Safe on every file system: one segment, no reserved
 * name or character, nothing hidden.
 */
export function fileName(entry: Named): string {
  const last = lastSegment(entry.uri);
  const base = sanitize(hasExtension(last) || !entry.name ? last : preferNamed(last, entry.name));
  const fitting = extensionsOf(entry.mimeType);
  const usual = fitting[0];
  const extension = extensionOf(base);
  if (usual === undefined || fitting.includes(extension)) return base;
  return `${base}.${usual}`;
}

/** The extension of a file name in lower case, without the dot; empty where there is none. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9][\w-]{0,15})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** A file name with its extension beside it, `a (png)`, where what ends in that would be treated by it. */
export function nameAndType(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? name : `${name.slice(0, -extension.length - 1)} (${extension})`;
}

/** Text as one safe path segment, never empty, `.` or `..`. */
export function sanitize(text: string): string {
  const safe = trimEnd(replaceUnsafe(near(text)).replace(/^(?:\s|\.{2,})+/, ''), /[\s.]/);
  const name = shorten(safe);
  return name === '' || reserved.test(name) ? `resource${name && `-${name}`}` : name;
}

/** Names with `(2)`, `(3)` before the extension of those that came before. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // Where the numbers of a name go on: thousands may be called the same.
  const next = new Map<string, number>();
  return names.map((name) => {
    const key = name.toLowerCase();
    const extension = extensionOf(name);
    const stem = extension ? name.slice(0, -extension.length - 1) : name;
    let candidate = name;
    for (let n = next.get(key) ?? 2; taken.has(candidate.toLowerCase()); n += 1) {
      candidate = `${stem} (${n})${extension && `.${extension}`}`;
      next.set(key, n + 1);
    }
    taken.add(candidate.toLowerCase());
    return candidate;
  });
}

// What no file system, or no part of the editor, takes in a name.
const unsafe = /[\\/:*?"<>|%#\n\t~\p{Cs}]/gu;

// Device names of Windows, whatever their extension.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

// The beginning and the end are all that a name is made from.
function near(text: string): string {
  const part = maxLength * 10;
  return text.length > 2 * part ? text.slice(0, part) + text.slice(-part) : text;
}

function replaceUnsafe(text: string): string {
  const plain = text.replaceAll(unsafe, '_');
  return hasHidden(plain)
    ? plain.replaceAll(/[^]/gu, (one) => (hasHidden(one) ? '_' : one))
    : plain;
}

function lastSegment(uri: string): string {
  const path = trimEnd(uri.replace(/[?#][^]*$/, ''), /\//);
  const raw = path.slice(Math.max(path.lastIndexOf('/'), lastColon(path)) + 1);
  return decodePercent(raw);
}

// A colon separates in `note:abc` and `urn:isbn:1`, not in a hierarchical URI such as `x://h/a:b`.
function lastColon(path: string): number {
  return path.includes('/') ? -1 : path.lastIndexOf(':');
}

function hasExtension(name: string): boolean {
  return extensionOf(name) !== '';
}

function preferNamed(last: string, name: string): string {
  return hasExtension(name) || last === '' ? name : last;
}

function shorten(name: string): string {
  if (name.length <= maxLength) return name;
  const extension = extensionOf(name);
  return extension
    ? `${truncate(name.slice(0, -extension.length - 1), maxLength - extension.length - 1)}.${extension}`
    : truncate(name, maxLength);
}
