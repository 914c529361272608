/** Folders of what is installed, kept or made, where a change is not one of the source. */
const ignoredFolders = new Set([
  '.git',
  '.hg',
  '.mypy_cache',
  '.next',
  '.pytest_cache',
  '.svn',
  '.turbo',
  '.venv',
  '__pycache__',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'out',
  'target',
  'venv',
]);

/** True for a path from the watched folder that lies in a folder of those which a glob has to name itself. */
export function isIgnored(path: string, glob: string): boolean {
  const named = new Set(glob.split('/'));
  return path
    .split('/')
    .slice(0, -1)
    .some((step) => ignoredFolders.has(step) && !named.has(step));
}
