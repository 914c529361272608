import { UserError } from '../../../base/errors';
import type { Translate } from '../../../base/translate';
import type { Environment } from '../../platform';
import type { StdioServerConfig } from '../../serverConfig';
import type { System } from '../system';
import { absoluteFolders, readVariable } from './searchFolders';

/**
 * Returns what another client has to set, or remove (`null`), so that a process gets `wanted` there, although it would
 * inherit all of `inherited`. Throws a `UserError` if the search path would differ from the configured one.
 */
export function handedEnvironment(
  {
    configured,
    wanted,
    inherited,
  }: {
    readonly configured: StdioServerConfig['env'];
    readonly wanted: Readonly<Record<string, string>>;
    readonly inherited: Environment;
  },
  system: System,
  t: Translate,
): StdioServerConfig['env'] {
  const path = readVariable(configured, 'PATH', system);
  // The editor puts its own search path before one that it is given.
  const folders = absoluteFolders(path ?? undefined, system);
  const others = absoluteFolders(readVariable(inherited, 'PATH', system), system);
  if (typeof path === 'string' && others.some((folder) => !folders.includes(folder)))
    throw new UserError(
      t(
        'Its configuration sets PATH, and the editor’s own client would add the folders of the editor’s PATH. Only MCP Workbench can start it.',
      ),
    );
  const removed = Object.keys(inherited).filter((name) => !(name in wanted));
  const changed = Object.entries(wanted).filter(([name, value]) => inherited[name] !== value);
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...changed]);
}
