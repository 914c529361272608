import { decodePercent, hasHidden, trimEnd, truncate } from './text';
import { extensionsOf } from '../mediaTypes';

/** The names that a server gives an entry, from which a file name is made. */
export interface FileNameSource {
  readonly uri: string;
  readonly name?: string;
  readonly mimeType?: string;
}

const maxLength = 100;

/**
 * Returns a file name for a resource: the last segment of its URI, or its name if the URI has no
 * segment or only the name has an extension, with an extension that fits the media type. Safe on
 * every file system: one segment, no reserved name or character, nothing hidden.
 */
export function fileName(entry: FileNameSource): string {
  const last = lastSegment(entry.uri);
  const base = sanitize(hasExtension(last) || !entry.name ? last : preferNamed(last, entry.name));
  const fitting = extensionsOf(entry.mimeType);
  const usual = fitting[0];
  const extension = extensionOf(base);
  if (usual === undefined || fitting.includes(extension)) return base;
  return `${base}.${usual}`;
}

/** Returns the extension of a file name in lowercase, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9][\w-]{0,15})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Returns a file name with its extension in parentheses, `a (png)`, so that it is not treated by its extension. */
export function nameAndType(name: string): string {
  const extension = extensionOf(name);
  return extension === '' ? name : `${name.slice(0, -extension.length - 1)} (${extension})`;
}

/** Returns text as one safe path segment, never empty, `.` or `..`. */
export function sanitize(text: string): string {
  const safe = trimEnd(replaceUnsafe(near(text)).replace(/^(?:\s|\.{2,})+/, ''), /[\s.]/);
  const name = shorten(safe);
  return name === '' || reserved.test(name) ? `resource${name && `-${name}`}` : name;
}

/** Makes names unique: each that occurred before gets `(2)`, `(3)` and so on before its extension. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  // The next number for each name: thousands of entries may have the same one.
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

// Characters that some file systems or parts of the editor do not accept in a name.
const unsafe = /[\\/:*?"<>|%#\n\t~\p{Cs}]/gu;

// Device names of Windows, whatever their extension; and what makes a folder a repository, whose settings run commands.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|^(?:\.(?:git|hg|jj|sl|pijul)|head)$/i;

// A name is made from only the beginning and the end.
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
