import type { Proof } from '../../base/proof';
import { decodePercent } from '../../base/text/text';
import { holdsFolders } from '../../mcp/launch/inheritedVariables';
import type { ServerConfig, StdioServerConfig } from '../../mcp/serverConfig';
import {
  UntrustedWorkspaceError,
  type Launcher,
  type LaunchSurroundings,
} from './launchSurroundings';
import { isDecisivePlace } from './decisiveVariables';
import { textsOf, type LaunchText } from './launchTexts';

/** At most this many possible paths of a launch are looked up; one that has more does not start. */
export const maxPathsOfLaunch = 5_000;

/** At most so many beginnings and ends of a path are tried, the same one wherever it stands in a text. */
const maxTried = 20 * maxPathsOfLaunch;

/** How much of a text may be one path with spaces and other separators in it, in UTF-16 units. */
const longestPath = 1_024;

/** The longest name of a file that a file system knows, in UTF-16 units. */
const longestName = 255;

/** How much of an option is searched for a path right behind its name, in UTF-16 units. */
const longestOption = 100;

/** What a shell or a program takes for the home folder. */
const homes =
  /(?<![\w/\\])~(?=[/\\]|$)|\$HOME\b|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)\b|\$\{env:(?:HOME|USERPROFILE)\}|%USERPROFILE%|(?:%HOMEDRIVE%)?%HOMEPATH%/gi;

/** What a shell or a program takes for the folder that it runs in. */
const ownFolders =
  /(?<![\w/\\])~\+(?=[/\\]|$)|\$PWD\b|\$\{PWD\}|\/proc\/(?:thread-)?self\/cwd(?=\/|$)|%CD%/gi;

/** How Windows names this machine's own drives and devices before the path on them: `\\?\`, `\\.\`, `\\localhost\C$`. */
const ofDevices = /[\\/]{2}[?.][\\/](UNC[\\/])?/gi;
const ofShares = /[\\/]{2}[^\\/\s"'`]{1,255}[\\/]([a-z])\$(?=[\\/])/gi;

/** A path on a drive as shells and programs of Linux on Windows write it: `/c/`, `/cygdrive/c/`, `/mnt/c/`. */
const ofShells =
  /^(?:[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/]{1,255})?(?:[\\/]{1,9}(?:mnt|cygdrive))?[\\/]{1,9}([a-z])(?=[\\/])/i;

/** How Windows names what is in its Linux, and a drive there as Windows writes it. */
const ofLinux = /[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/\s"'`]{1,255}/gi;
const ofDrives = /\b([a-z]):(?=[\\/])/gi;

/** Characters by their numbers, as JSON, scripts and shells write them. */
const numbered = /\\(?:u([\da-f]{4})|x([\da-f]{2})|([0-7]{3}))/gi;

/** What can stand before a path, and what can end one: as neither is certain, each is tried. */
const start = /[\s"'`=,:;|&<>()[\]{}@!#?+*^%]/g;
const ends = [/\s/, /["'`]/, /[:;]/, /[,|&<>()[\]{}@!#?+*^%]/];

/** A path that a text may name; without `shown` if it goes on to the end of the text, whatever that is. */
interface NamedPath {
  readonly path: string;
  readonly shown?: string;
}

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
  const named = await namedPart(
    texts.map(({ text }) => text),
    { cwd, programs, isInside: isInsideOf(await rootsOf(folders, programs), programs) },
  );
  if (named) throw new UntrustedWorkspaceError(named.shown ?? first.path);
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
    inherited = judgeInherited(variables, { cwd, programs, isInside: isInsideOf(roots, programs) });
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
  readonly isInside: (path: string) => boolean;
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
      if (!isPath(folder) || !(await isWithin(path, look))) continue;
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

async function isWithin(path: string, look: Omit<Look, 'cwd'>): Promise<boolean> {
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

/** Returns the other names of a folder of Linux on Windows: by the other host, and as its programs have it. */
function namesOfLinux(root: string, { home, resolve, separator }: Launcher): readonly string[] {
  const [host] = separator === '\\' ? (root.match(ofLinux) ?? []) : [];
  if (host === undefined || !root.startsWith(host)) return [];
  const [, , , distribution = ''] = host.split(/[\\/]/);
  const inside = root.slice(host.length);
  return [
    `\\\\wsl$\\${distribution}${inside}`,
    `\\\\wsl.localhost\\${distribution}${inside}`,
    resolve(home, inside || '\\'),
  ];
}

function isInsideOf(roots: readonly string[], programs: Launcher): (path: string) => boolean {
  return (path) => {
    const low = folded(path);
    return roots.some(
      (root) =>
        // Most paths begin otherwise, and the exact comparison takes long.
        low.startsWith(folded(root)) &&
        (programs.isInside(root, path) ||
          programs.isInside(root, low) ||
          // The name of the folder has separators in it, and others follow.
          (low.startsWith(root) && ends.some((end) => end.test(low.charAt(root.length))))),
    );
  };
}

/** Resolves to the first path in the workspace that one of the texts names; rejects if they name too many to tell. */
async function namedPart(
  texts: readonly string[],
  { cwd, programs, isInside }: Look,
): Promise<NamedPath | undefined> {
  const known = new Map<string, NamedPath>();
  const seen = new Set<string>();
  let tried = 0;
  for (const text of texts)
    for (const named of pathsIn(text, cwd, programs)) {
      if ((tried += 1) > maxTried) throw new UntrustedWorkspaceError();
      if (seen.has(named.path)) continue;
      seen.add(named.path);
      const whole = programs.resolve(cwd, named.path);
      if (isInside(whole)) return named;
      if (isOfNetwork(whole) || !mayExist(named.path, cwd, programs)) continue;
      if (!known.has(whole)) known.set(whole, named);
      // A step up after a link leads elsewhere than one in the text.
      if (named.path.includes('..') && !programs.isAbsolute(named.path))
        known.set(cwd + programs.separator + named.path, named);
      else if (named.path.includes('..')) known.set(named.path, named);
      if (known.size > maxPathsOfLaunch) throw new UntrustedWorkspaceError();
    }
  for (const [path, named] of known) if (isInside(await programs.realPath(path))) return named;
  return undefined;
}

/** False for words of ours, for what is made from the rest of the launch, and for what a sandbox keeps it from. */
function mayNamePath({ key, name = '' }: LaunchText): boolean {
  return (
    !['type', 'inheritEnvironment', 'debug', 'confinement', 'foldersLeftOut'].includes(key) &&
    !(key === 'sandbox' && name.startsWith('deny'))
  );
}

/** Some systems take paths for the same that differ in case, or in how letters with accents are composed. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * False for what is no path by its looks, as most of a text is that tells data: a name has at most 255 characters, and
 * nobody has quotes or ends of lines in one, unless the folders around it have.
 */
function mayExist(path: string, cwd: string, { home, separator }: Launcher): boolean {
  const odd = /["\r\n]/;
  if (odd.test(path) && !odd.test(cwd) && !odd.test(home)) return false;
  return path.split(separator === '/' ? '/' : /[/\\]/).every((step) => step.length <= longestName);
}

/** Looking up a path of the network of Windows would sign in to that machine. */
function isOfNetwork(path: string): boolean {
  return /^\\\\(?!\?)/.test(path);
}

function* pathsIn(text: string, cwd: string, launcher: Launcher): Generator<NamedPath> {
  for (const form of formsOf(text, cwd, launcher))
    for (const from of startsIn(form)) {
      const rest = form.slice(from, from + longestPath);
      const colon = /^[A-Za-z]:[/\\]/.test(rest) ? 2 : 0;
      for (const end of ends) {
        const length = rest.slice(colon).search(end);
        const path = length < 0 ? '' : rest.slice(0, colon + length);
        if (!isPath(path)) continue;
        for (const one of onDrives(path, launcher)) yield { path: one, shown: path };
      }
      if (!isPath(rest)) continue;
      const shown = ends.some((end) => end.test(rest)) ? {} : { shown: rest };
      for (const path of onDrives(rest, launcher)) yield { path, ...shown };
    }
}

/** Returns a path as it is, and on Windows also on the drive that shells and programs of Linux take it to be on. */
function onDrives(path: string, { separator }: Launcher): readonly string[] {
  return separator === '\\' && ofShells.test(path) ? [path, path.replace(ofShells, '$1:')] : [path];
}

/** Returns a text as each program could read it that knows addresses, escapes, quotes and the usual variables. */
function formsOf(text: string, cwd: string, { home, separator }: Launcher): ReadonlySet<string> {
  const user = home.split(/[/\\]/).at(-1) || '~';
  const own = text
    .replaceAll(`~${user}/`, '~/')
    .replaceAll(ownFolders, () => cwd)
    .replaceAll(homes, () => home);
  const forms = new Set([own]);
  // An address in an address is written with what is written for its characters.
  let address = own;
  for (let depth = 0; depth < 2; depth += 1) {
    address = address.replaceAll(/(?:%[\da-f]{2})+/gi, decodePercent);
    // Some programs take any host for this machine.
    forms.add(address.replaceAll(/\b[\w+.-]{0,40}file:\/\/[^/\\\s]{0,260}\//gi, '/'));
  }
  forms.add(
    own.replaceAll(numbered, (_whole, ...codes: (string | undefined)[]) => {
      const [four, two, octal] = codes;
      return String.fromCharCode(Number.parseInt(four ?? two ?? octal ?? '', octal ? 8 : 16));
    }),
  );
  // A shell takes what follows its escape as it is, and joins what quotes part; Windows writes long paths behind a mark.
  const plain = separator === '/' ? own : withoutDevices(own);
  const unescaped = plain
    .replaceAll(/[\\^`]\r?\n/g, '')
    .replaceAll(separator === '/' ? /\\(.)/gs : /[\^`](.)/gs, '$1');
  for (const one of [plain, unescaped])
    forms.add(one).add(one.replaceAll(/["'](?=["'\w./\\~ -])/g, ''));
  return separator === '\\' ? withDrives(forms, own) : withoutDrives(forms);
}

function withoutDevices(text: string): string {
  return text
    .replaceAll(ofDevices, (_mark, isShare?: string) => (isShare === undefined ? '' : '\\\\'))
    .replaceAll(ofShares, '$1:');
}

/** Adds what programs of Windows take for a path on a drive in an address, and what shells of Linux read. */
function withDrives(forms: Set<string>, own: string): ReadonlySet<string> {
  if (/\/[a-z]\//i.test(own)) {
    const unescaped = own.replaceAll(/\\(.)/gs, '$1');
    forms.add(unescaped).add(unescaped.replaceAll(/["']/g, ''));
  }
  // In an address, the drive stands behind a slash, and a line may stand for its colon.
  for (const one of Array.from(forms))
    forms.add(one.replaceAll(/[/\\]([a-z])[:|](?=[/\\])/gi, ' $1:'));
  return forms;
}

/** Adds what programs of Windows that Linux starts there take for a path, as Linux has it. */
function withoutDrives(forms: Set<string>): ReadonlySet<string> {
  for (const one of Array.from(forms))
    if (one.search(ofDrives) >= 0 || one.search(ofLinux) >= 0)
      forms.add(
        one
          .replaceAll(ofLinux, '')
          .replaceAll(ofDrives, (_drive, letter: string) => `/mnt/${letter.toLowerCase()}`)
          .replaceAll(/\\+/g, '/'),
      );
  return forms;
}

/** Returns where a path may begin: after a separator, and right behind the name of an option. */
function* startsIn(text: string): Generator<number> {
  const after = Array.from(text.matchAll(start), ({ index }) => index + 1);
  for (const at of [0, ...after]) {
    yield at;
    const [option = ''] = /^[-/]\S*/.exec(text.slice(at, at + longestOption)) ?? [];
    if (option.length > 2) yield at + 2;
    const slash = option.search(/[/\\]/);
    if (slash > 0) yield at + slash;
  }
}

function isPath(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0');
}
