import { Setting } from '../../ui/ids';
import type { Reading } from '../reading';

/** The paths of the objects that map names to servers, in the file that a reading comes from. */
export function serverPaths({ uri }: Pick<Reading, 'uri'>): readonly (readonly string[])[] {
  if (uri !== undefined) return [['servers'], ['mcpServers']];
  return [[Setting.servers], ['settings', Setting.servers]];
}
