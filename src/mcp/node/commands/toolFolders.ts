import { readdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';

/** Where version managers and package tools put programs, below the home folder; `*` is the newest version. */
const belowHome = [
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.nvm/versions/node/*/bin',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.nodenv/shims',
  '.pyenv/shims',
  '.local/bin',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
];

const ofMachine = ['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/usr/local/bin'];

/** Finds existing folders with programs of a user on macOS and Linux that can be known without a shell. */
export async function findToolFolders(home: string): Promise<string[]> {
  const candidates = [...belowHome.map((folder) => posix.join(home, folder)), ...ofMachine];
  const found = await Promise.all(candidates.map(resolveNewest));
  const existing = await Promise.all(
    found.map(async (folder) => (await isFolder(folder)) && folder),
  );
  return existing.filter((folder) => folder !== false);
}

async function resolveNewest(folder: string): Promise<string> {
  const [parent = folder, below] = folder.split('/*');
  if (below === undefined) return folder;
  const versions = await readdir(parent).catch(() => []);
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return posix.join(parent, newest ?? '*', below);
}

async function isFolder(path: string): Promise<boolean> {
  // Most users have few of these.
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
