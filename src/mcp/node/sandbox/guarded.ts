import { constants } from 'node:fs';
import { basename, posix } from 'node:path';
import type { Confinement } from '../../serverConfig';
import {
  entriesOf,
  exists,
  followed,
  isFile,
  isFolder,
  isPathInside,
  readSmallFile,
} from '../files/fileAccess';
import {
  configurationNames,
  gitEntries,
  isGuardedName,
  repositoryFiles,
  repositoryNames,
} from './configurationFiles';

/** What a bare repository consists of; Git finds one by these, whatever its folder is called. */
const bareRepository = ['HEAD', 'objects', 'refs'];

/** Folders of packages, in which nobody opens a project: they are large, and programs unpack into them. */
const packageNames = new Set(['node_modules', '.npm']);
/** Folders of a repository for what it keeps of each version: there may be more of them than can be searched. */
const heaps = new Set(['objects', 'lfs', 'annex', 'store']);

/** At most this many folders below what is writable are searched, those closest to it first. */
export const maxSearchedFolders = 20_000;
/** At most this many paths that exist are guarded in a sandbox, with the folders on the way to them. */
export const maxGuardedPaths = 800;
/** At most this many names that are missing are kept free in a sandbox. */
export const maxFreeNames = 800;

/** At most this many files of configuration are followed from the first of a repository, by what each includes. */
export const maxIncludes = 20;
/** At most this many different words of one file of configuration are looked up as files. */
export const maxNamedWords = 2_000;

const maxConfigBytes = 1_000_000;
const searchedAtOnce = 16;

/** What a process may not change though it lies in what it may write; all paths are real, and below what is writable. */
export interface GuardedPaths {
  /** Files and folders that stay as they are, with everything in them. */
  readonly whole: readonly string[];
  /** Links on the way to one of them: whoever replaces the link replaces what is guarded. */
  readonly links: readonly string[];
  /** The folders on the way to these: whoever renames one can put another in its place. */
  readonly parents: readonly string[];
  /** Paths directly in a writable folder that nobody may create. */
  readonly missing: readonly string[];
  /** True if there was more to search or to guard than the bounds allow. */
  readonly isCut: boolean;
}

/**
 * Finds what other programs of the user with this home, and with this folder of configuration, take as configuration
 * below the writable folders, as of now.
 */
export async function findGuarded(
  { writable, readOnly, hidden }: Pick<Confinement, 'writable' | 'readOnly' | 'hidden'>,
  home: string,
  settings = posix.join(home, '.config'),
): Promise<GuardedPaths> {
  const roots = writable.filter((one) => !packageNames.has(basename(one)) && !isOfSystem(one));
  const outermost = roots.filter(
    (one) => !roots.some((other) => other !== one && isPathInside(other, one)),
  );
  const found = new Findings(writable, [...readOnly, ...hidden], home, settings);
  for (const root of outermost) await addEnclosingRepository(root, found);
  await searchBelow(outermost, found);
  const names = await Promise.all(roots.map((root) => freeNames(root, found)));
  const missing = [...new Set([...found.missing(), ...names.flat()])];
  if (missing.length > maxFreeNames) found.cut();
  return { ...found.result(), missing: missing.slice(0, maxFreeNames) };
}

/** What was found so far. */
class Findings {
  readonly home: string;
  readonly settings: string;
  private readonly writable: readonly string[];
  private readonly ruled: readonly string[];
  private readonly whole = new Set<string>();
  private readonly links = new Set<string>();
  private readonly parents = new Set<string>();
  private readonly free = new Set<string>();
  private readonly walked = new Set<string>();
  private isCut = false;

  /** `ruled` are the paths that the configuration itself takes from the process; the folders are those of its user. */
  constructor(
    writable: readonly string[],
    ruled: readonly string[],
    home: string,
    settings: string,
  ) {
    this.home = home;
    this.settings = settings;
    this.writable = writable;
    this.ruled = ruled;
    for (const path of ruled) this.pin(path);
  }

  result(): Omit<GuardedPaths, 'missing'> {
    const { isCut } = this;
    const isOpen = (path: string) => !this.has(posix.dirname(path));
    return {
      whole: [...this.whole].filter(isOpen),
      links: [...this.links].filter(isOpen),
      parents: [...this.parents].filter((path) => !this.has(path)),
      isCut,
    };
  }

  missing(): readonly string[] {
    return [...this.free].filter((path) => !this.has(posix.dirname(path)));
  }

  cut(): void {
    this.isCut = true;
  }

  /** True if a path cannot be changed, as it or something that it lies in is guarded. */
  has(path: string): boolean {
    for (let at = path; ; at = posix.dirname(at)) {
      if (this.whole.has(at) || this.ruled.includes(at)) return true;
      if (at === posix.dirname(at)) return false;
    }
  }

  /** True for a path that a process could change as things are. */
  isOpen(path: string): boolean {
    return this.isWritable(path) && !this.has(path);
  }

  /**
   * Guards a path and all links that lead to it or lie in it, also where nothing is there; returns where it really is.
   * @param asFolder true if nothing but a folder is looked for at it
   */
  async guard(path: string, asFolder = false): Promise<string> {
    const { real, links } = await followed(path);
    for (const link of links) if (this.isWritable(link)) this.guardLink(link);
    if (!this.isWritable(real)) return real;
    if (!(await exists(real))) await this.keepMissing(real, asFolder);
    else if (!this.has(real) && this.hasRoom()) {
      this.whole.add(real);
      this.pin(real);
    }
    await this.guardLinksIn(real);
    return real;
  }

  /** Guards where links in a folder lead: a hook is often one to a script of the project. */
  async guardLinksIn(folder: string): Promise<void> {
    if (this.walked.has(folder)) return;
    if (this.walked.size === maxSearchedFolders) return this.cut();
    this.walked.add(folder);
    const entries = (await entriesOf(folder)) ?? [];
    const isRepository = entries.some(({ name }) => name === 'HEAD' || name === 'requires');
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (packageNames.has(entry.name) || (isRepository && heaps.has(entry.name))) continue;
      if (entry.isDirectory()) await this.guardLinksIn(path);
      if (!entry.isSymbolicLink()) continue;
      const { real } = await followed(path);
      // One that leads up says nothing of all that is there.
      if (!isPathInside(real, folder)) await this.guard(path);
    }
  }

  /** Keeps a process from making a path, or the first folder on the way to it that is missing, too. */
  private async keepMissing(path: string, asFolder: boolean): Promise<void> {
    let at = path;
    while (!(await exists(posix.dirname(at)))) at = posix.dirname(at);
    if (!this.isOpen(at) || !(await exists(posix.dirname(at), constants.W_OK))) return;
    // What reads a file would fail at the empty folder that takes a name.
    if (at === path && !asFolder) return this.guardLink(at);
    this.free.add(at);
    this.pin(at);
  }

  private guardLink(path: string): void {
    if (!this.hasRoom()) return;
    this.links.add(path);
    this.pin(path);
  }

  private hasRoom(): boolean {
    const isRoom = this.whole.size + this.links.size + this.parents.size < maxGuardedPaths;
    if (!isRoom) this.isCut = true;
    return isRoom;
  }

  private isWritable(path: string): boolean {
    return this.writable.some((root) => isPathInside(root, path));
  }

  private pin(path: string): void {
    for (let at = posix.dirname(path); this.isBelowWritable(at); at = posix.dirname(at))
      this.parents.add(at);
  }

  /** True for what lies in a writable folder: that folder itself can be renamed only where it lies in another one. */
  private isBelowWritable(path: string): boolean {
    return this.writable.some((root) => root !== path && isPathInside(root, path));
  }
}

async function searchBelow(roots: readonly string[], found: Findings): Promise<void> {
  let level = roots;
  let searched = 0;
  while (level.length > 0) {
    const room = maxSearchedFolders - searched;
    if (level.length > room) found.cut();
    const below: string[] = [];
    const inReach = level.slice(0, room);
    searched += inReach.length;
    for (let at = 0; at < inReach.length; at += searchedAtOnce) {
      const few = inReach.slice(at, at + searchedAtOnce).filter((folder) => !found.has(folder));
      const each = await Promise.all(few.map((folder) => searchFolder(folder, found)));
      below.push(...each.flat());
    }
    level = below;
  }
}

/** Guards what a folder has; returns the folders in it that are still to be searched. */
async function searchFolder(folder: string, found: Findings): Promise<readonly string[]> {
  const entries = await entriesOf(folder);
  if (!entries) {
    // Whoever owns a folder can make it readable, and then change what could not be seen here.
    if (await isFolder(folder)) await found.guard(folder);
    return [];
  }
  const names = new Set(entries.map(({ name }) => name));
  if (bareRepository.every((name) => names.has(name))) {
    await addRepository(folder, folder, found);
    return [];
  }
  const below: string[] = [];
  for (const entry of entries) {
    const path = posix.join(folder, entry.name);
    if (isGuardedName(entry.name)) await addConfiguration(path, folder, found);
    else if (entry.isDirectory() && !packageNames.has(entry.name) && !isOfSystem(path))
      below.push(path);
  }
  return below;
}

/** Guards what has a name of configuration in a folder, and what a repository of that name says of others. */
async function addConfiguration(path: string, tree: string, found: Findings): Promise<void> {
  const name = basename(path).toLowerCase();
  if (name === '.git') return addRepository(path, tree, found);
  const real = await found.guard(path);
  const files = repositoryFiles[name];
  if (!files) return;
  const { own, pointer, shared, ofUser } = files;
  for (const file of own) await addNamed(posix.join(real, file), tree, found);
  const other = pointer && (await textOf(posix.join(real, pointer)))?.trim();
  if (other) {
    const folder = await found.guard(posix.resolve(real, other), true);
    for (const file of shared ?? []) await addNamed(posix.join(folder, file), tree, found);
  }
  await addOfUser(ofUser, tree, found);
}

/** Guards what the user's own configuration names: what it names relatively lies in each repository. */
async function addOfUser(files: readonly string[], tree: string, found: Findings): Promise<void> {
  for (const each of files) {
    const file = each.replace(/^~/, () => found.home).replace(/^\+/, () => found.settings);
    // It may itself be a link to what the process may write.
    if (await exists(file)) await found.guard(file);
    await addNamed(file, tree, found);
  }
}

/** Guards a repository whose work tree is `tree`, wherever `.git` says that it is, and what its configuration names. */
async function addRepository(path: string, tree: string, found: Findings): Promise<void> {
  const real = await found.guard(path);
  const text = await textOf(real);
  const pointer = /^gitdir:(.*)/m.exec(text ?? '')?.[1]?.trim();
  const own = !pointer
    ? real
    : await found.guard(posix.resolve(posix.dirname(real), pointer), true);
  const common = (await textOf(posix.join(own, 'commondir')))?.trim();
  const folders = [own, ...(common ? [await found.guard(posix.resolve(own, common), true)] : [])];
  const { own: names, ofUser } = repositoryFiles['.git'];
  const files = folders.flatMap((folder) => names.map((name) => posix.join(folder, name)));
  const trees = new Set([tree]);
  for (const file of files)
    for (const [key, value] of gitEntries((await textOf(file)) ?? ''))
      if (/^worktree\s*=$/i.test(key) && value !== '') trees.add(posix.resolve(own, value));
  for (const folder of folders) await found.guardLinksIn(folder);
  for (const each of trees) {
    for (const file of files) await addNamed(file, each, found);
    await addOfUser(ofUser, each, found);
  }
}

/**
 * Guards what a file of configuration names: hooks, further files of configuration with what those name, and each file
 * in a command, such as that of a filter, which Git runs to tell what has changed.
 */
async function addNamed(
  file: string,
  tree: string,
  found: Findings,
  seen: Set<string> = new Set(),
): Promise<void> {
  if (seen.has(file)) return;
  if (seen.size > maxIncludes) return found.cut();
  seen.add(file);
  const text = (await textOf(file)) ?? '';
  // What names hooks may stand behind any number of words, and is looked up whatever they are.
  const named = new Set<string>();
  const words = new Set<string>();
  const isNew = (path: string, known: Set<string>) => {
    if (known.has(path)) return false;
    if (known.size === maxNamedWords) found.cut();
    else known.add(path);
    return known.has(path);
  };
  for (const [key, value] of gitEntries(text)) {
    if (value === '') continue;
    const isInclude = /^(?:path\s*=|%include)$/i.test(key);
    const base = isInclude ? posix.dirname(file) : tree;
    const resolve = (path: string) =>
      posix.resolve(
        base,
        path.replace(/^~(?=\/)/, () => found.home),
      );
    const isHooks = /^hookspath\s*=$/i.test(key);
    if ((isInclude || isHooks) && isNew(resolve(value), named))
      await found.guardLinksIn(await found.guard(resolve(value), isHooks));
    if (isInclude) await addNamed(resolve(value), tree, found, seen);
    for (const word of value.split(/[\s"'`;|&()<>=,:![\]{}]+/)) {
      const path = resolve(word);
      if (word === '' || !isNew(path, words)) continue;
      if (found.isOpen(path) && (await isFile(path))) await found.guard(path);
    }
  }
}

/** Guards what a repository names that the writable folder is only a part of. */
async function addEnclosingRepository(root: string, found: Findings): Promise<void> {
  let isFound = false;
  for (let at = root; !isFound && at !== posix.dirname(at);) {
    at = posix.dirname(at);
    for (const name of repositoryNames) {
      const path = posix.join(at, name);
      if (!(await exists(path))) continue;
      isFound = true;
      await addConfiguration(path, at, found);
    }
  }
}

/** Returns the paths in a writable folder that are missing, or hold nothing, and stay so. */
async function freeNames(root: string, found: Findings): Promise<readonly string[]> {
  const entries = await entriesOf(root);
  const isOurs = await exists(root, constants.W_OK);
  if (!entries || !isOurs || found.has(root)) return [];
  const taken = new Set(entries.map(({ name }) => name.toLowerCase()));
  for (const entry of entries)
    // What an earlier sandbox left is one of these.
    if (entry.isDirectory() && (await entriesOf(posix.join(root, entry.name)))?.length === 0)
      taken.delete(entry.name.toLowerCase());
  // Where there is no repository, the folder itself could be made a bare one.
  const head = taken.has('.git') ? [] : ['head'];
  return [...repositoryNames, ...configurationNames, ...head]
    .filter((name) => !taken.has(name))
    .map((name) => posix.join(root, name === 'head' ? 'HEAD' : name));
}

async function textOf(path: string): Promise<string | undefined> {
  // A folder, a pipe or what is too large is not what Git reads either.
  return readSmallFile(path, maxConfigBytes).catch(() => undefined);
}

function isOfSystem(path: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(path);
}
