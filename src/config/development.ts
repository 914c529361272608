import { asRecord } from '../base/json';
import type { Translate } from '../base/translate';
import { readDebugType } from '../mcp/launch/debugType';
import { debugTypes } from '../mcp/serverConfig';

/** No more globs of one server are watched. */
export const maxGlobs = 50;
/** No longer glob is, in UTF-16 units. */
export const maxGlobLength = 1000;

/** That a server is being worked on. */
export interface Development {
  /**
   * The files whose changes restart it, as globs from its folder; one that begins with `!` leaves files out.
   * None where it is only debugged.
   */
  readonly watch: readonly string[];
}

/** Reads `dev` of a server's entry as VS Code writes it; nothing where it is neither watched nor debugged. */
export function readDevelopment(value: unknown): Development | undefined {
  const { watch } = asRecord(asRecord(value)['dev']);
  const globs = (Array.isArray(watch) ? watch : [watch])
    .filter((glob) => typeof glob === 'string')
    .filter(isGlob)
    .slice(0, maxGlobs);
  if (globs.some((glob) => !glob.startsWith('!'))) return { watch: globs };
  return readDebugType(value) ? { watch: [] } : undefined;
}

/** True for what can be watched as a glob. */
export function isGlob(glob: string): boolean {
  return glob.replace(/^!/, '').trim() !== '' && glob.length <= maxGlobLength;
}

/** Why a key of `dev` is not read as it stands, in a sentence; `isProcess` says that of its server. */
export function developmentProblem(
  key: string,
  value: unknown,
  isProcess: boolean,
  t: Translate,
): string | undefined {
  if (key === 'watch' && !isWatch(value))
    return t('"watch" must be a glob or a list of globs, not all of them with a "!" before them.');
  if (key !== 'debug') return undefined;
  if (!isProcess) return t('"debug" has no effect: only a server with a command can be debugged.');
  return readDebugType({ dev: { debug: value } })
    ? undefined
    : t('"debug" must have a "type" of {0}.', debugTypes.map((type) => `"${type}"`).join(' / '));
}

/** One that is still empty is no mistake. */
function isWatch(value: unknown): boolean {
  const globs: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (globs.every((glob) => glob === '')) return true;
  const areGlobs = globs.every((glob) => typeof glob === 'string' && isGlob(glob));
  return areGlobs && readDevelopment({ dev: { watch: value } }) !== undefined;
}
