import { asRecord, isList } from '../base/json';
import type { Translate } from '../base/translate';
import { readDebugType } from '../mcp/launch/processKind';
import { type Revision, spokenRevisions } from '../mcp/protocol/revisions';
import { type ClientAbility, clientAbilities, readAbilities } from '../mcp/protocol/serverRequests';
import { debugTypes } from '../mcp/serverConfig';

/** At most this many globs are watched per server. */
export const maxGlobs = 50;
/** The most `*` and `{` in one step of a glob, and the most `**`, and `{`, in all of it; one more of both together. */
export const maxStars = 3;
/** The longest glob that is watched, in UTF-16 units. */
export const maxGlobLength = 1000;

/** The settings of a server that is being worked on. */
export interface Development {
  /**
   * The files whose changes restart it, as globs relative to its folder; one that begins with `!` excludes files.
   * Empty if the server is only debugged.
   */
  readonly watch: readonly string[];
}

/** Reads `dev` of a server's entry as VS Code writes it; `undefined` if the server is neither watched nor debugged. */
export function readDevelopment(value: unknown): Development | undefined {
  const { watch } = asRecord(asRecord(value)['dev']);
  const globs = (Array.isArray(watch) ? watch : [watch])
    .filter((glob) => typeof glob === 'string')
    .filter(isGlob)
    .slice(0, maxGlobs);
  if (globs.some((glob) => !glob.startsWith('!'))) return { watch: globs };
  return readDebugType(value) ? { watch: [] } : undefined;
}

/** Reads from `dev` of a server's entry the only revision to speak with it; `undefined` if none, or an unknown one. */
export function readRevision(value: unknown): Revision | undefined {
  const { protocolVersion } = asRecord(asRecord(value)['dev']);
  return spokenRevisions.find((one) => one === protocolVersion);
}

/** Reads from `dev` of a server's entry what this client shall be without; `undefined` if nothing. */
export function readWithout(value: unknown): readonly ClientAbility[] | undefined {
  const without = readAbilities(asRecord(asRecord(value)['dev'])['without']);
  return without.length > 0 ? without : undefined;
}

/** True if a text can be watched as a glob: it is neither blank nor too long, and matches every name at once. */
export function isGlob(glob: string): boolean {
  if (glob.replace(/^!/, '').trim() === '' || glob.length > maxGlobLength) return false;
  // No step ends within brackets, for the editor.
  if (/\[[^[\]]*\//.test(glob)) return false;
  const steps = glob.split('/');
  const deep = steps.filter((step) => step.includes('**')).length;
  const groups = glob.split('{').length - 1;
  // The editor makes a regular expression of it, in which each more takes so much more time than the one before.
  return (
    Math.max(deep, groups, deep + groups - 1) <= maxStars &&
    steps.every((step) => step === '**' || step.split(/[*{]/).length - 1 <= maxStars)
  );
}

/** Says in a sentence why a key of `dev` has no effect, if so; `isProcess` is true if its server is a process. */
export function developmentProblem(
  key: string,
  value: unknown,
  isProcess: boolean,
  t: Translate,
): string | undefined {
  if (key === 'watch' && !isWatch(value))
    return t('"watch" must be a glob or a list of globs, not all of them with a "!" before them.');
  if (key === 'protocolVersion' && !readRevision({ dev: { protocolVersion: value } }))
    return t('"protocolVersion" must be one of: {0}.', spokenRevisions.join(' / '));
  if (key === 'without' && readAbilities(value).length < (isList(value) ? value.length : 1))
    return t('"without" must be a list of: {0}.', clientAbilities.join(' / '));
  if (key !== 'debug') return undefined;
  if (!isProcess) return t('"debug" has no effect: only a server with a command can be debugged.');
  return readDebugType({ dev: { debug: value } })
    ? undefined
    : t('"debug" must have a "type" of {0}.', debugTypes.map((type) => `"${type}"`).join(' / '));
}

/** A value that is still empty is not a mistake. */
function isWatch(value: unknown): boolean {
  const globs: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (globs.every((glob) => glob === '')) return true;
  const areGlobs = globs.every((glob) => typeof glob === 'string' && isGlob(glob));
  return areGlobs && readDevelopment({ dev: { watch: value } }) !== undefined;
}
