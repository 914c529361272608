import { plainLabel } from '../../base/text/text';
import { stderrLevel } from './stderrLevel';
import type { ServerTransport } from '../transport/serverTransport';

const maxLength = 300;

/** The lines that runtimes and package managers print around a reason: stack frames, excerpts, versions, advice. */
const noise = [
  /^\s/,
  /^[\s^~{}()[\];.,=*_-]*$/,
  /^(?:Node\.js v\d|node:internal|Traceback \(most recent)/,
  /^throw\b|^\S+:\d+$/,
  /^npm (?:notice|warn)|^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)/,
  /^usage:/i,
];

/** Returns the line of a process's last output that best says why it ended; `undefined` if there is none. */
export function tellingLine(stderrTail: string): string | undefined {
  const lines = stderrTail.split('\n').filter((line) => line.trim() !== '');
  const said = lines.filter((line) => !noise.some((pattern) => pattern.test(line)));
  // The first error line of npm is the reason, and the rest is advice.
  const npm = said.find((line) => /^npm (?:error|ERR!) /.test(line));
  return (
    npm ?? said.findLast((line) => stderrLevel(line) === 'error') ?? said.at(-1) ?? lines.at(-1)
  );
}

/** Says how a server ended and the reason it gave, in words that follow its name and complete a sentence. */
export function endingSentence(
  ending: string,
  { stderrTail = '' }: Pick<ServerTransport, 'stderrTail'>,
): string {
  const line = tellingLine(stderrTail);
  if (line === undefined) return `${ending}.`;
  const reason = plainLabel(line, maxLength);
  return `${ending}: ${reason}${/[.!?\u2026]$/.test(reason) ? '' : '.'}`;
}

/** Says the same in a few words that begin with the reason, as the end of a row may be cut off. */
export function endingShort(ending: string, stderrTail: string): string {
  return [plainLabel(tellingLine(stderrTail) ?? '', maxLength), ending].filter(Boolean).join(' · ');
}
