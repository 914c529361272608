import { plainLabel } from '../../base/text/text';
import { stderrLevel } from './stderrLevel';
import type { ServerTransport } from '../session/serverTransport';

const maxLength = 300;

/** What runtimes and package managers write around a reason: stack frames, excerpts, their versions, advice. */
const noise = [
  /^\s/,
  /^[\s^~{}()[\];.,=*_-]*$/,
  /^(?:Node\.js v\d|node:internal|Traceback \(most recent)/,
  /^throw\b|^\S+:\d+$/,
  /^npm (?:notice|warn)|^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)/,
  /^usage:/i,
];

/** The line of a process's last ones that says best why it ended; undefined where there is none. */
export function tellingLine(stderrTail: string): string | undefined {
  const lines = stderrTail.split('\n').filter((line) => line.trim() !== '');
  const said = lines.filter((line) => !noise.some((pattern) => pattern.test(line)));
  // The first line of npm is its reason, and what follows is advice.
  const npm = said.find((line) => /^npm (?:error|ERR!) /.test(line));
  return (
    npm ?? said.findLast((line) => stderrLevel(line) === 'error') ?? said.at(-1) ?? lines.at(-1)
  );
}

/** How a server ended and what it said of that, in words that follow its name, as a sentence. */
export function endingSentence(
  ending: string,
  { stderrTail = '' }: Pick<ServerTransport, 'stderrTail'>,
): string {
  const line = tellingLine(stderrTail);
  if (line === undefined) return `${ending}.`;
  const reason = plainLabel(line, maxLength);
  return `${ending}: ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`;
}

/** The same in a few words that begin with what it said: the end of a row is cut. */
export function endingShort(ending: string, stderrTail: string): string {
  return [plainLabel(tellingLine(stderrTail) ?? '', maxLength), ending].filter(Boolean).join(' · ');
}
