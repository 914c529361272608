import { Setting } from '../../ui/ids';
import type { ConfigLayer } from '../configLayer';

/** Returns the paths of the objects that map names to servers in the file that a reading comes from. */
export function serverPaths({
  uri,
  parent = [],
}: Pick<ConfigLayer, 'uri' | 'parent'>): readonly (readonly string[])[] {
  if (uri !== undefined)
    return [
      [...parent, 'servers'],
      [...parent, 'mcpServers'],
    ];
  return [[Setting.servers], ['settings', Setting.servers], ['settings', 'mcp', 'servers']];
}
