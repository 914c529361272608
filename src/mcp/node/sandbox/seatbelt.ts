import type { Confinement } from '../../serverConfig';
import type { Surroundings } from './bubblewrap';
import { agentSocketFolder } from '../system';
import { configurationNames, repositoryNames } from './configurationFiles';

/** Returns the profile with which `sandbox-exec` confines a program. */
export function seatbeltProfile(
  {
    writable,
    readOnly,
    hidden,
    hasNetwork,
  }: Pick<Confinement, 'writable' | 'readOnly' | 'hidden' | 'hasNetwork'>,
  { guarded: { whole, links, parents, missing }, services }: Surroundings,
): string {
  // The last rule that matches counts.
  return [
    '(version 1)',
    '(allow default)',
    // What other programs would do for it is not confined.
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny job-creation)',
    // A second name for a file would be one that no rule is about.
    '(deny file-link)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/dtracehelper"))',
    // A process could type into the terminal that the editor was started in.
    ...['file-read*', 'file-ioctl'].map(
      (operation) => `(deny ${operation} (literal "/dev/tty") (regex "^/dev/ttys[0-9]+$"))`,
    ),
    ...rules('allow', 'file-write*', writable),
    // Programs unpack packages with all that their authors left in them; nobody opens a project there.
    ...writable.flatMap((folder) => [
      // Without a `HEAD`, no folder becomes a bare repository.
      `(deny file-write* ${below(folder, '(/.*)?', named([...configurationNames, 'HEAD']))})`,
      `(allow file-write* ${below(folder, '(/[^./][^/]*)*', '/node_modules/')})`,
      `(deny file-write* ${below(folder, '(/.*)?', named(repositoryNames))})`,
    ]),
    ...rules('deny', 'file-write*', [...whole, ...links, ...missing, ...readOnly]),
    // A folder that was renamed would take what is guarded with it.
    ...parents.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...rules('deny', 'file-read*', hidden),
    ...rules('deny', 'file-write*', hidden),
    ...rules('deny', 'network-outbound', hasNetwork ? services : []),
    // Where windows listen for agents, whose secrets stand in files that can be read; a renamed folder would be another.
    `(deny network-outbound ${ofAgents})`,
    `(deny file-write-unlink ${ofAgents})`,
    // Where the agents for keys of the system listen.
    String.raw`(deny network-outbound (regex "^/private/tmp/com\\.apple\\.launchd\\.[^/]+/"))`,
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n');
}

/** A filter for the sockets through which agents reach windows, and their folders. */
const ofAgents = `(regex "^/.*/${agentSocketFolder}[^/]+(/s)?$")`;

/** Returns a filter for paths below a folder: patterns of what lies between, and of what follows. */
function below(folder: string, between: string, pattern: string): string {
  return `(regex ${quoted(`^${folder === '/' ? '' : escaped(folder)}${between}${pattern}`)})`;
}

/** Returns a pattern for what has one of these names, and for all that it holds. */
function named(names: readonly string[]): string {
  return `/(${names.map(spelledAnyhow).join('|')})(/|$)`;
}

/** Letters beyond ASCII that volumes take for these when they do not tell capitals from small letters. */
const others: Readonly<Record<string, string>> = { s: '\u017F', k: '\u212A' };

/** Most volumes do not tell capitals from small letters, and these filters do. */
function spelledAnyhow(name: string): string {
  return escaped(name).replaceAll(/[a-z]/gi, (letter) => {
    const low = letter.toLowerCase();
    const both = `[${low}${letter.toUpperCase()}]`;
    return others[low] === undefined ? both : `(${both}|${others[low]})`;
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function rules(word: 'allow' | 'deny', operation: string, paths: readonly string[]): string[] {
  return paths.map((path) => `(${word} ${operation} (subpath ${quoted(path)}))`);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
