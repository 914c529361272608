import type { Reading } from './reading';

/** What tells one place of configuration from all others. */
export type ConfigPlace = Pick<Reading, 'label' | 'uri' | 'folder' | 'workspace'>;

/**
 * The place for people and as a key: its label and, where other places have the same label, the address
 * of its file, or else of the folder or the workspace that it belongs to.
 */
export function sourceKey({ label, uri, folder, workspace }: ConfigPlace): string {
  return [label, uri ?? folder?.uri ?? workspace].filter(Boolean).join('\n');
}
