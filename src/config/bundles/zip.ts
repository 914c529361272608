import type { Translate } from '../../base/translate';
import { formatBytes, hasHidden, plainLabel } from '../../base/text/text';
import { ownerNote } from '../../mcp/ownFolders';

const maxPathLength = 400;
const kindBits = 0o170_000;
const plainKinds: readonly number[] = [0, 0o100_000, 0o040_000];

/**
 * Returns why a path in an archive must not be unpacked, in a whole sentence, or `undefined` if it may be; `mode` is a
 * Unix file mode, or 0.
 */
function pathProblem(path: string, mode: number, t: Translate): string | undefined {
  const shown = plainLabel(path, 60);
  if (!plainKinds.includes(mode & kindBits) || path.toLowerCase() === ownerNote)
    return t('The bundle has a link or a special file: {0}.', shown);
  const isInside =
    path.length <= maxPathLength &&
    path.split('/').every((part) => isSafe(part)) &&
    !hasHidden(path);
  return isInside ? undefined : t('The bundle has a path that leads out of it: {0}.', shown);
}

/**
 * True for a name that means the same file on every system: on Windows, a colon starts the name of a second stream,
 * and a blank at the end is dropped.
 */
function isSafe(part: string): boolean {
  return part !== '' && !/^\.{1,2}$|[\\:*?"<>|\t\n\r]|[. ]$/.test(part);
}

/**
 * Returns the name of the folder directly below `root` that a path is or is in; `undefined` if it is in none, or is
 * written in such a way that it could be in another.
 */
export function bundleNameIn(root: string, path: string): string | undefined {
  const rest = path.slice(root.length);
  const isBelow = path.toLowerCase().startsWith(root.toLowerCase()) && /^[\\/]/.test(rest);
  const steps = isBelow ? rest.split(/[\\/]/).slice(1) : [];
  return steps.every((step) => isSafe(step)) ? steps[0] : undefined;
}

/** The largest bundle that is read, in bytes. */
export const maxBundleBytes = 100_000_000;

/** The largest total size of a bundle's files once they are unpacked, in bytes. */
export const maxUnpackedBytes = 400_000_000;

/** The largest number of files and folders in a bundle. */
export const maxBundleEntries = 20_000;

/** A file in a ZIP archive. */
export interface ZipEntry {
  /** Its path within the archive, with `/`. */
  readonly path: string;
  /** Its size once it is unpacked, in bytes, as stated in the archive. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Where its content starts in the archive, how many bytes it has there, and how it is compressed. */
  readonly start: number;
  readonly packedSize: number;
  readonly method: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const fileMark = 0x04034b50;

/** Lists the files of a ZIP archive if all of them may be unpacked into a folder; a problem is a whole sentence. */
export function listZip(
  bytes: Uint8Array,
  t: Translate,
): readonly ZipEntry[] | { readonly problem: string } {
  if (bytes.length > maxBundleBytes)
    return { problem: t('The bundle is larger than {0}.', formatBytes(maxBundleBytes)) };
  try {
    return readDirectory(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), bytes, t);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problem: damaged(t) };
  }
}

/** Unpacks a file of a ZIP archive; `undefined` if it is damaged or does not have the size stated in the archive. */
export async function readZipEntry(
  bytes: Uint8Array,
  { start, packedSize, size, method }: ZipEntry,
): Promise<Uint8Array | undefined> {
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length !== packedSize) return undefined;
  if (method === 0) return packedSize === size ? packed : undefined;
  const { Inflate } = await import('fflate');
  const content = new Uint8Array(size);
  let at = 0;
  const inflate = new Inflate((part) => {
    if (at + part.length > size) throw new RangeError('It is longer than the archive says.');
    content.set(part, at);
    at += part.length;
  });
  try {
    // In pieces, so that content that is larger than stated is rejected early.
    for (let from = 0; from < packed.length; from += pieceBytes)
      inflate.push(packed.subarray(from, from + pieceBytes), from + pieceBytes >= packed.length);
  } catch {
    return undefined;
  }
  return at === size ? content : undefined;
}

const pieceBytes = 65_536;

function damaged(t: Translate): string {
  return t('The bundle is damaged or not a ZIP archive.');
}

function readDirectory(
  view: DataView,
  bytes: Uint8Array,
  t: Translate,
): readonly ZipEntry[] | { readonly problem: string } {
  const end = findEnd(view);
  if (end === undefined) return { problem: damaged(t) };
  const count = view.getUint16(end + 10, true);
  // A count too large for this field is stored elsewhere, but such archives are too large in any case.
  if (count > maxBundleEntries)
    return { problem: t('The bundle has more than {0} files.', String(maxBundleEntries)) };
  const entries: ZipEntry[] = [];
  const seen = new Set<string>();
  let total = 0;
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== entryMark) return { problem: damaged(t) };
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const mode = view.getUint32(at + 38, true) >>> 16;
    const method = view.getUint16(at + 10, true);
    const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
    const size = view.getUint32(at + 24, true);
    const packedSize = view.getUint32(at + 20, true);
    const header = view.getUint32(at + 42, true);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const isFolder = name.endsWith('/');
    const path = isFolder ? name.slice(0, -1) : name;
    const problem = pathProblem(path, mode, t);
    if (problem !== undefined) return { problem };
    if (isFolder) continue;
    // Only some systems tell files apart by case.
    const key = path.toLowerCase();
    if (seen.has(key) || isEncrypted || (method !== 0 && method !== 8))
      return { problem: damaged(t) };
    seen.add(key);
    total += size;
    if (total > maxUnpackedBytes)
      return {
        problem: t('The bundle would unpack to more than {0}.', formatBytes(maxUnpackedBytes)),
      };
    if (view.getUint32(header, true) !== fileMark) return { problem: damaged(t) };
    const start =
      header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const isExecutable = (mode & 0o100) !== 0;
    entries.push({ path, size, packedSize, method, start, isExecutable });
  }
  return entries;
}

/**
 * The index of the record that ends the directory, which a comment or a signature may follow; `undefined` if missing.
 */
function findEnd(view: DataView): number | undefined {
  const last = Math.max(0, view.byteLength - 1_048_576);
  for (let at = view.byteLength - 22; at >= last; at -= 1)
    if (view.getUint32(at, true) === endMark) return at;
  return undefined;
}
