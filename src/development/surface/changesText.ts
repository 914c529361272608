import { jsonText } from '../../base/text/jsonText';
import type { Translate } from '../../base/translate';
import type { SurfaceChange } from './compareSurfaces';

/** At most this many changes are written out. */
export const maxWritten = 1000;

/** Returns how many changes of each kind there are, in a few words. */
export function countText(changes: readonly SurfaceChange[], t: Translate): string {
  const count = (kind: SurfaceChange['kind']) => changes.filter((one) => one.kind === kind).length;
  const [changed, added, gone] = [count('changed'), count('new'), count('gone')];
  return [
    ...(changed > 0 ? [t('{0} changed', String(changed))] : []),
    ...(added > 0 ? [t('{0} new', String(added))] : []),
    ...(gone > 0 ? [t('{0} gone', String(gone))] : []),
  ].join(' · ');
}

/** Returns what changed as two texts, before and after, with only the entries that differ. */
export function changesText(changes: readonly SurfaceChange[]): {
  readonly before: string;
  readonly after: string;
} {
  const written = changes.slice(0, maxWritten);
  return { before: sideText(written, 'before'), after: sideText(written, 'after') };
}

function sideText(changes: readonly SurfaceChange[], side: 'before' | 'after'): string {
  const parts: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const change of changes) {
    const value = change[side];
    if (value === undefined) continue;
    if (change.name === '') parts[change.part] = value;
    else {
      const entries = (parts[change.part] ??= Object.create(null)) as Record<string, unknown>;
      entries[change.name] = value;
    }
  }
  return `${jsonText(parts, 2)}\n`;
}
