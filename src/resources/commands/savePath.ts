import { sanitize } from '../../base/text/fileName';

/**
 * Returns the segments of a relative path that stays inside the folder that it starts from; `undefined` for one that
 * leads elsewhere or that a file system would reject.
 */
export function pathInside(path: string): readonly string[] | undefined {
  if (/^\s*(?:[A-Za-z]:|[\\/]|~[\\/]|$)/.test(path)) return undefined;
  const segments = path.trim().split(/[\\/]+/);
  if (segments.at(-1) === '') segments.pop();
  return segments.every((segment) => segment === sanitize(segment)) ? segments : undefined;
}
