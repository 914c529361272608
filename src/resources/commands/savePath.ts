import { sanitize } from '../../base/text/fileName';

/**
 * The segments of a relative path that stays inside the folder it is taken from; `undefined` for
 * one that leads elsewhere or that a file system would refuse.
 */
export function pathInside(path: string): readonly string[] | undefined {
  if (/^\s*(?:[A-Za-z]:|[\\/]|~[\\/]|$)/.test(path)) return undefined;
  const segments = path.trim().split(/[\\/]+/);
  if (segments.at(-1) === '') segments.pop();
  return segments.every((segment) => segment === sanitize(segment)) ? segments : undefined;
}
