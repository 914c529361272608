/** What the path of a snapshot must be, as the rest of a sentence. */
export const snapshotRule =
  'must be the relative path of a .json file in the folder of this file or below';

/** True for the path of a `.json` file in the folder of the calls, or below it. */
export function isSnapshotPath(path: string): boolean {
  const leaves = /^[\\/]|^\w+:|\\/.test(path) || path.split('/').includes('..');
  return !leaves && path.endsWith('.json');
}
