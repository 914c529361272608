import { hasHidden, plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import { ownerNote } from '../../mcp/ownFolders';

const maxPathLength = 400;
const kindBits = 0o170_000;
const plainKinds: readonly number[] = [0, 0o100_000, 0o040_000];

/**
 * Returns why a path in an archive must not be unpacked, in a whole sentence, or `undefined` if it may be; `mode` is a
 * Unix file mode, or 0.
 */
export function pathProblem(path: string, mode: number, t: Translate): string | undefined {
  const shown = plainLabel(path, 60);
  if (!plainKinds.includes(mode & kindBits) || path.toLowerCase() === ownerNote)
    return t('The bundle has a link or a special file: {0}.', shown);
  const isInside =
    path.length <= maxPathLength &&
    path.split('/').every((part) => isSafe(part)) &&
    !hasHidden(path);
  return isInside ? undefined : t('The bundle has a path that leads out of it: {0}.', shown);
}

/**
 * True for a name that means the same file on every system: on Windows, a colon starts the name of a second stream,
 * and a blank at the end is dropped.
 */
function isSafe(part: string): boolean {
  return part !== '' && !/^\.{1,2}$|[\\:*?"<>|\t\n\r]|[. ]$/.test(part);
}

/**
 * Returns the name of the folder directly below `root` that a path is or is in; `undefined` if it is in none, or is
 * written in such a way that it could be in another.
 */
export function bundleNameIn(root: string, path: string): string | undefined {
  const rest = path.slice(root.length);
  const isBelow = path.toLowerCase().startsWith(root.toLowerCase()) && /^[\\/]/.test(rest);
  const steps = isBelow ? rest.split(/[\\/]/).slice(1) : [];
  return steps.every((step) => isSafe(step)) ? steps[0] : undefined;
}
