import { decodePercent } from '../../base/text/text';
import type { Launcher } from './launchSurroundings';

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

/** How Windows names what is in its Linux; and a drive there as Windows writes it. */
const ofLinux = /[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/\s"'`]{1,255}/gi;
const ofDrives = /\b([a-z]):(?=[\\/])/gi;

/** Characters by their numbers, as JSON, scripts and shells write them. */
const numbered = /\\(?:u([\da-f]{4})|x([\da-f]{2})|([0-7]{3}))/gi;

/** What can stand before a path: as that is not certain, each is tried. */
const start = /[\s"'`=,:;|&<>()[\]{}@!#?+*^%]/g;

/** What can end a path, each of which is tried, too. */
const ends = [/\s/, /["'`]/, /[:;]/, /[,|&<>()[\]{}@!#?+*^%]/];

/** A path that a text may name; without `shown` if it goes on to the end of the text, whatever that is. */
export interface NamedPath {
  readonly path: string;
  readonly shown?: string;
}

/** Returns the other names of a folder of Linux on Windows: by the other host, and as its programs have it. */
export function namesOfLinux(
  root: string,
  { home, resolve, separator }: Launcher,
): readonly string[] {
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

/** True if a path in a text may end before this character. */
export function mayEndPath(character: string): boolean {
  return ends.some((end) => end.test(character));
}

/** Some systems take paths for the same that differ in case, or in how letters with accents are composed. */
export function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * False for what is no path by its looks, as most of a text is that tells data: a name has at most 255 characters, and
 * nobody has quotes or ends of lines in one, unless the folders around it have.
 */
export function mayExist(path: string, cwd: string, { home, separator }: Launcher): boolean {
  const odd = /["\r\n]/;
  if (odd.test(path) && !odd.test(cwd) && !odd.test(home)) return false;
  return path.split(separator === '/' ? '/' : /[/\\]/).every((step) => step.length <= longestName);
}

/** Returns the paths that a text may name in each of the ways in which programs and shells read it. */
export function* pathsIn(text: string, cwd: string, launcher: Launcher): Generator<NamedPath> {
  for (const form of formsOf(text, cwd, launcher))
    for (const from of startsIn(form)) {
      const rest = form.slice(from, from + longestPath);
      const colon = /^[A-Za-z]:[/\\]/.test(rest) ? 2 : 0;
      for (const end of ends) {
        const length = rest.slice(colon).search(end);
        const path = length < 0 ? '' : rest.slice(0, colon + length);
        if (!mayBePath(path)) continue;
        for (const one of onDrives(path, launcher)) yield { path: one, shown: path };
      }
      if (!mayBePath(rest)) continue;
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
    forms.add(one).add(one.replaceAll(/\$?["'](?=["'\w./\\~ -])/g, ''));
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

/** False for what cannot be a path. */
export function mayBePath(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0');
}

/** The values of variables, by their names. */
export type KnownVariables = Readonly<Record<string, string | null | undefined>>;

/** A variable as the shells of each system and programs write it, with what stands for one that is not set. */
const variable =
  /\$\{(?:env:)?([a-z_]\w*)(?::?[-=]([^}]*))?[^}]*\}|\$(?:env:)?([a-z_]\w*)|%([a-z_]\w*)(?::[^%]*)?%|!([a-z_]\w*)!/gi;

/** What sets a variable in a script. */
const assigned = /(?:^|[\s;&|('"$:])([a-z_]\w*) ?= ?("[^"]*"|'[^']*'|[^\s;&|)]*)/gi;

/** The value of a variable may name others, so often. */
const deepest = 3;

/** A text with more than this many values of variables in it is left as it is, in UTF-16 units. */
const longestText = 100_000;

/** Returns the texts that name variables with the values of these, which are those that are set last in one of the texts. */
export function withVariables(texts: readonly string[], given: KnownVariables): readonly string[] {
  const values = new Map<string, string>();
  const set = (name: string, value: string) => values.set(name.toLowerCase(), value);
  for (const [name, value] of Object.entries(given)) set(name, value ?? '');
  for (const text of texts)
    for (const [, name = '', value = ''] of text.matchAll(assigned))
      set(name, value.replace(/^(["'])(.*)\1$/s, '$2'));
  const replace = (text: string) =>
    text.replaceAll(variable, (whole, ...found: (string | undefined)[]) => {
      const [braced, instead, plain, ofWindows, delayed] = found;
      const name = (braced ?? plain ?? ofWindows ?? delayed ?? '').toLowerCase();
      const isPlace = /^(?:home|pwd|userprofile|homedrive|homepath|cd)$/.test(name);
      return isPlace ? whole : values.get(name) || (instead ?? '');
    });
  return texts.flatMap((text) => {
    let now = text;
    for (let depth = 0; depth < deepest && now.length < longestText; depth += 1) now = replace(now);
    return now === text ? [] : [now];
  });
}

/** Returns the modules that Python is told to run in a command, as paths below the folders that it looks in. */
export function modulesIn(command: string, separator: string): readonly string[] {
  const named = /(?:^|\s)(?:-[a-z]*m\s*([a-z_]\w*(?:\.\w+)+)|([a-z_]\w*(?:\.\w+)+):[a-z_])/gi;
  return Array.from(command.matchAll(named), ([, module, application]) =>
    (module ?? application ?? '').replaceAll('.', separator),
  );
}

/** Returns a script without the patterns that stand in quotes, where its shell leaves them, but for whole paths. */
export function withoutQuotedPatterns(script: string): string {
  return script.replaceAll(/'[^']*'|"[^"]*"/g, (quoted) =>
    /^.(?:[~/\\$%]|[a-z]:)/i.test(quoted) ? quoted : quoted.replaceAll(/[*?[{]/g, '\0'),
  );
}

/** The most alternatives in braces that are told apart. */
const maxAlternatives = 50;

/** True if a shell may take a pattern for something in a folder, which is absolute as the patterns are once `resolved`. */
export function mayMean(
  pattern: string,
  folder: string,
  resolved: (path: string) => string,
): boolean {
  if (!/[*?[{]/.test(pattern) || !/\w/.test(pattern)) return false;
  let all = [pattern];
  for (let depth = 0; depth < deepest; depth += 1)
    all = all.flatMap((one) => {
      const [braces, inside = ''] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (braces === undefined) return one;
      const isMany = all.length > maxAlternatives || inside.includes('..');
      const each = isMany ? ['*'] : inside.split(',');
      return each.map((alternative) => one.replace(braces, () => alternative));
    });
  const names = stepsOf(folder);
  return all.some((one) => {
    const steps = stepsOf(
      resolved(one.replaceAll(/\[[^\]/]{0,255}\]|[@+!*?]\([^)/]{0,255}\)|[*?]+/g, '*')),
    );
    return names.every((name, at) => fits(name, steps[at]));
  });
}

function stepsOf(path: string): readonly string[] {
  return folded(path).split(/[\\/]/);
}

/** True if a name is what a pattern stands for, in which `*` stands for anything. */
function fits(name: string, pattern: string | undefined): boolean {
  const [first = '', ...rest] = pattern?.split('*') ?? [];
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  let at = first.length;
  const isInOrder = rest.every((part) => {
    const found = name.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
  return (
    isInOrder && name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length
  );
}
