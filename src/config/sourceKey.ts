import { pathOfAddress } from '../base/uri/fileAddress';
import type { ConfigLayer } from './configLayer';

/** What tells one place of configuration from all others. */
export type ConfigPlace = Pick<ConfigLayer, 'label' | 'uri' | 'folder' | 'workspace'>;

/**
 * Returns a text that names a place to people and serves as its key: its label and, on a line below if it has one,
 * the address of its file, or else of the folder or the workspace that it belongs to.
 */
export function sourceKey({ label, uri, folder, workspace }: ConfigPlace): string {
  return [label, uri ?? folder?.uri ?? workspace].filter(Boolean).join('\n');
}

/** Returns the place of a {@link sourceKey} as users are shown it: with the path of its file in place of the address. */
export function shownPlace(key: string): string {
  return key.split('\n').map(pathOfAddress).join('\n');
}
