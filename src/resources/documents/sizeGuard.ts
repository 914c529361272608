import type { MediaKind } from '../../base/media/mediaTypes';

const textLimit = 5_000_000;
const binaryLimit = 50_000_000;

/** True for a size in bytes that may slow an editor down, so that the user is asked first. */
export function exceedsGuard(kind: MediaKind, size: number): boolean {
  return size > (kind === 'text' ? textLimit : binaryLimit);
}
