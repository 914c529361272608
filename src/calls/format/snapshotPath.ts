/** What the path of a snapshot has to be, as the rest of a sentence. */
export const snapshotRule =
  'must be the relative path of a .json file in the folder of this file or below';

/** True for the path of a snapshot that lies in the folder of its calls, or below. */
export function isSnapshotPath(path: string): boolean {
  const leaves = /^[\\/]|^\w+:|\\/.test(path) || path.split('/').includes('..');
  return !leaves && path.endsWith('.json');
}
