import type { MediaKind } from '../../base/media/mediaTypes';

const textLimit = 5_000_000;
const binaryLimit = 50_000_000;

/** True for a size in bytes that an editor may be slow with, so that a user is asked first. */
export function exceedsGuard(kind: MediaKind, size: number): boolean {
  return size > (kind === 'text' ? textLimit : binaryLimit);
}
