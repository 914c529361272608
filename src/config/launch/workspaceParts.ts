import type { Proof } from '../../base/proof';
import { holdsFolders } from '../../mcp/launch/inheritedVariables';
import type { ServerConfig, StdioServerConfig } from '../../mcp/serverConfig';
import {
  UntrustedWorkspaceError,
  type Launcher,
  type LaunchSurroundings,
} from './launchSurroundings';
import { isDecisivePlace } from './decisiveVariables';
import { textsOf, type LaunchText } from './launchTexts';
import {
  folded,
  mayBePath,
  mayEndPath,
  mayExist,
  mayMean,
  modulesIn,
  namesOfLinux,
  pathsIn,
  withVariables,
  withoutQuotedPatterns,
  type KnownVariables,
  type NamedPath,
} from './namedPaths';

/** At most this many possible paths of a launch are looked up; one that has more does not start. */
export const maxPathsOfLaunch = 5_000;

/** At most so many beginnings and ends of a path are tried, the same one wherever it stands in a text. */
const maxTried = 20 * maxPathsOfLaunch;

/** A launch that {@link admitLaunch} returned: its local part was looked at, if it has one. */
export type AdmittedLaunch = ServerConfig & Proof<'admitted'>;

/** Resolves to a launch whose `local` part was looked at; rejects as {@link refuseWorkspaceParts} does. */
export async function admitLaunch(
  config: ServerConfig,
  local: ServerConfig | undefined,
  surroundings: Pick<LaunchSurroundings, 'isTrusted' | 'folders' | 'programs'>,
): Promise<AdmittedLaunch> {
  const { programs } = surroundings;
  if (local && programs) await refuseWorkspaceParts(local, surroundings, programs);
  return config as AdmittedLaunch;
}

/**
 * Rejects with an {@link UntrustedWorkspaceError} if a text of a launch names something in a workspace that is not
 * trusted: as a path or a part of one, relative to where it runs, through links, as an address, or behind an option.
 * Texts that are still `isOpen` are left out.
 */
export async function refuseWorkspaceParts(
  config: ServerConfig,
  { isTrusted, folders }: Pick<LaunchSurroundings, 'isTrusted' | 'folders'>,
  programs: Launcher,
  isOpen: (text: string) => boolean = () => false,
): Promise<void> {
  const [first] = folders;
  if (isTrusted || !first) return;
  const cwd = cwdOf(config, programs, isOpen);
  const texts = textsOf(config).filter((one) => mayNamePath(one) && !isOpen(one.text));
  const look = lookOf(await rootsOf(folders, programs), cwd, programs);
  const written = texts.map(({ text }) => text);
  const all = [...written, ...(await readByPrograms(config, written, programs))];
  const named = (await namedPart(all, look)) ?? patternIn(all, look);
  if (named) throw new UntrustedWorkspaceError(named.shown ?? first.path);
}

/** Resolves to what shells and Python make of the texts of a process, besides the ways to write a path. */
async function readByPrograms(
  config: ServerConfig,
  texts: readonly string[],
  programs: Launcher,
): Promise<readonly string[]> {
  if (!('command' in config)) return [];
  const inherited = Object.entries(await programs.inherited(config)).filter(
    // What these name of the workspace is left out.
    ([name]) => !holdsFolders(name),
  );
  const known: KnownVariables = { ...Object.fromEntries(inherited), ...config.env };
  const expanded = withVariables(texts, known);
  const modules = modulesIn([...texts, ...expanded].join('\n'), programs.separator);
  return [...expanded, ...modules, ...(known['PYTHONPATH'] ? [known['PYTHONPATH']] : [])];
}

/** The shells that put names of files in the place of patterns. */
const shell =
  /(?:^|[\s/\\"'])(?:(?:ba|da|z|k|mk|fi|c|tc|a)?sh|nu|cmd|powershell|pwsh)(?:\.exe)?(?=$|[\s"'])/im;

/** Returns the first pattern for something in the workspace, if a shell reads the texts. */
function patternIn(
  texts: readonly string[],
  { cwd, programs, roots }: Look,
): NamedPath | undefined {
  if (!texts.some((text) => shell.test(text))) return undefined;
  const resolved = (path: string) => programs.resolve(cwd, path);
  for (const text of texts)
    if (/[*?[{]/.test(text))
      for (const named of pathsIn(withoutQuotedPatterns(text), cwd, programs))
        if (roots.some((root) => mayMean(named.path, root, resolved))) return named;
  return undefined;
}

/**
 * Resolves to the folders of a workspace that is not trusted in the lists of folders that a process would inherit, as
 * they are written there; rejects with an {@link UntrustedWorkspaceError} if another inherited variable that decides
 * what runs names something in the workspace.
 */
export async function foldersToLeaveOut(
  config: StdioServerConfig,
  { isTrusted, folders }: Pick<LaunchSurroundings, 'isTrusted' | 'folders'>,
  programs: Launcher,
  isOpen: (text: string) => boolean,
): Promise<readonly string[]> {
  if (isTrusted || folders.length === 0) return [];
  const variables = Object.entries(await programs.inherited(config)).filter(([name]) =>
    isDecisivePlace(name),
  );
  const cwd = cwdOf(config, programs, isOpen);
  const roots = await rootsOf(folders, programs);
  const known = inheritedOf.get(programs.realPath) ?? new Map<string, Promise<InheritedFolders>>();
  inheritedOf.set(programs.realPath, known);
  const key = JSON.stringify([variables, cwd, roots]);
  let inherited = known.get(key);
  if (!inherited) {
    if (known.size === maxInherited) known.clear();
    inherited = judgeInherited(variables, lookOf(roots, cwd, programs));
    known.set(key, inherited);
    inherited.catch(() => known.delete(key));
  }
  const { leftOut, refused } = await inherited;
  if (refused !== undefined) throw new UntrustedWorkspaceError(refused, true);
  return leftOut;
}

/** What was found about the variables that a process would inherit. */
interface InheritedFolders {
  readonly leftOut: readonly string[];
  /** The name of the variable that keeps it from starting. */
  readonly refused?: string;
}

/** How many of the latest of them are remembered: each call of a tool asks for the one of its server. */
const maxInherited = 50;
const inheritedOf = new WeakMap<Launcher['realPath'], Map<string, Promise<InheritedFolders>>>();

/** What a text is looked at with. */
interface Look {
  readonly cwd: string;
  readonly programs: Launcher;
  readonly roots: readonly string[];
  readonly isInside: (path: string) => boolean;
}

function lookOf(roots: readonly string[], cwd: string, programs: Launcher): Look {
  return { cwd, programs, roots, isInside: isInsideOf(roots, programs) };
}

async function judgeInherited(
  variables: readonly (readonly [name: string, value: string])[],
  look: Look,
): Promise<InheritedFolders> {
  const { cwd, programs } = look;
  const leftOut: string[] = [];
  for (const [name, value] of variables) {
    const hasFolders = holdsFolders(name);
    if (!hasFolders && !/(?<!^TCLLIB)PATH$/i.test(name)) {
      if (await names(value, look)) return { leftOut, refused: name };
      continue;
    }
    const isOne = /_HOME$/i.test(name);
    const listed = isOne ? [value] : value.split(programs.separator === '/' ? ':' : ';');
    const each = new Set(listed);
    if (each.size > maxPathsOfLaunch) return { leftOut, refused: name };
    for (const folder of each) {
      const path = programs.resolve(cwd, folder);
      if (!mayBePath(folder) || !(await isWithin(path, look))) continue;
      if (!hasFolders) return { leftOut, refused: name };
      leftOut.push(folder);
    }
  }
  return { leftOut };
}

/** Resolves to true if a path leads into one of the folders, as it is written or through links. */
export async function leadsInto(
  path: string,
  folders: LaunchSurroundings['folders'],
  programs: Launcher,
): Promise<boolean> {
  const isInside = isInsideOf(await rootsOf(folders, programs), programs);
  return isWithin(path, { programs, isInside });
}

async function isWithin(path: string, look: Pick<Look, 'programs' | 'isInside'>): Promise<boolean> {
  const { programs, isInside } = look;
  return isInside(path) || (!isOfNetwork(path) && isInside(await programs.realPath(path)));
}

/** Resolves to true if a variable names a part of the workspace, or too many paths to tell. */
async function names(value: string, look: Look): Promise<boolean> {
  try {
    return (await namedPart([value], look)) !== undefined;
  } catch (error) {
    if (error instanceof UntrustedWorkspaceError) return true;
    throw error;
  }
}

function cwdOf(
  config: ServerConfig,
  { home }: Launcher,
  isOpen: (text: string) => boolean,
): string {
  const { cwd } = config as Partial<StdioServerConfig>;
  return cwd === undefined || isOpen(cwd) ? home : cwd;
}

/** Resolves to the folders of a workspace, as they are written and as they are linked. */
async function rootsOf(
  folders: LaunchSurroundings['folders'],
  programs: Launcher,
): Promise<readonly string[]> {
  const real = await Promise.all(folders.map(({ path }) => programs.realPath(path)));
  const all = [...folders.map(({ path }) => path), ...real]
    .flatMap((root) => [root, ...namesOfLinux(root, programs)])
    .flatMap((root) => [root, folded(root)]);
  return [...new Set(all)];
}

function isInsideOf(roots: readonly string[], programs: Launcher): (path: string) => boolean {
  const known = roots.map((root) => ({ root, begin: folded(root) }));
  return (path) => {
    const low = folded(path);
    return known.some(
      ({ root, begin }) =>
        // Most paths begin otherwise, and the exact comparison takes long.
        low.startsWith(begin) &&
        (programs.isInside(root, path) ||
          programs.isInside(root, low) ||
          // The name of the folder has separators in it, and others follow.
          (low.startsWith(root) && mayEndPath(low.charAt(root.length)))),
    );
  };
}

/** Resolves to the first path in the workspace that one of the texts names; rejects if they name too many to tell. */
async function namedPart(
  texts: readonly string[],
  { cwd, programs, roots, isInside }: Look,
): Promise<NamedPath | undefined> {
  const known = new Map<string, NamedPath>();
  const seen = new Map<string, NamedPath>();
  const above = new Set<string>();
  const isAbove = (path: string) =>
    path.length > 3 &&
    roots.some((root) => path.length < root.length && programs.isInside(folded(path), root));
  let tried = 0;
  for (const text of texts)
    for (const named of pathsIn(text, cwd, programs)) {
      if ((tried += 1) > maxTried) throw new UntrustedWorkspaceError();
      if (seen.has(named.path)) continue;
      seen.set(named.path, named);
      const whole = programs.resolve(cwd, named.path);
      if (isInside(whole)) return named;
      if (isAbove(whole)) above.add(whole);
      if (isOfNetwork(whole) || !mayExist(named.path, cwd, programs)) continue;
      if (!known.has(whole)) known.set(whole, named);
      // A step up after a link leads elsewhere than one in the text.
      if (named.path.includes('..') && !programs.isAbsolute(named.path))
        known.set(cwd + programs.separator + named.path, named);
      else if (named.path.includes('..')) known.set(named.path, named);
      if (known.size > maxPathsOfLaunch) throw new UntrustedWorkspaceError();
    }
  for (const [path, named] of known) if (isInside(await programs.realPath(path))) return named;
  // What is named beside a folder above may be meant as being in it.
  above.delete(cwd);
  for (const folder of above)
    for (const [path, named] of seen) {
      if ((tried += 1) > maxTried) throw new UntrustedWorkspaceError();
      if (/[\\/]/.test(path) && isInside(programs.resolve(folder, path))) return named;
    }
  return undefined;
}

/** False for words of ours, for what is made from the rest of the launch, and for what a sandbox keeps it from. */
function mayNamePath({ key, name = '' }: LaunchText): boolean {
  return (
    !['type', 'inheritEnvironment', 'debug', 'confinement', 'foldersLeftOut'].includes(key) &&
    !(key === 'sandbox' && name.startsWith('deny'))
  );
}

/** Looking up a path of the network of Windows would sign in to that machine. */
function isOfNetwork(path: string): boolean {
  return /^\\\\(?!\?)/.test(path);
}
