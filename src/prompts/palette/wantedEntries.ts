import type { Server } from '../../mcp/server';
import { promptEntries, promptKey } from '../promptEntry';
import { paletteEntry, type PaletteEntry } from './paletteEntry';

/** Which prompts the person wants in the palette, as the setting says. */
export type PaletteMode = 'ask' | 'all' | 'pinned' | 'off';

/**
 * The entries that this window wants. A server whose prompts are not known yet keeps those that are
 * `installed`, so that a start of the editor does not make them come and go.
 */
export async function wantedEntries(
  servers: readonly Server[],
  { mode, pinned }: { readonly mode: PaletteMode; readonly pinned: readonly string[] },
  installed: readonly PaletteEntry[],
): Promise<readonly PaletteEntry[]> {
  if (mode === 'ask' || mode === 'off') return [];
  const entries: PaletteEntry[] = [];
  for (const server of servers) {
    if (isUnknown(server)) entries.push(...installed.filter((entry) => entry.server === server.id));
    else entries.push(...(await Promise.all(promptEntries([server]).map(paletteEntry))));
  }
  if (mode === 'all') return entries;
  const keys = new Set(pinned);
  return entries.filter(({ server, prompt }) =>
    keys.has(promptKey({ server: { id: server }, prompt: { name: prompt } })),
  );
}

function isUnknown({ prompts }: Server): boolean {
  switch (prompts.status) {
    case 'empty':
    case 'loading':
    case 'failed':
      return prompts.items.length === 0;
    case 'cached':
    case 'loaded':
    case 'stale':
      return false;
  }
}
