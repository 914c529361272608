/** Folders of installed, cached, or generated files, whose changes are not changes to the source. */
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

/** True if a path, relative to the watched folder, is in an ignored folder that the glob does not name. */
export function isIgnored(path: string, glob: string): boolean {
  const named = new Set(glob.split('/'));
  return path
    .split('/')
    .slice(0, -1)
    .some((step) => ignoredFolders.has(step) && !named.has(step));
}
