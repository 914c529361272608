import { plainLabel } from '../../base/text/text';
import type { ServerTransport } from '../transport/serverTransport';
import type { Logger } from '../../base/log';

/** How a log line names its level: by a word in capitals, a `level` field, or the way that runtimes begin errors. */
const named =
  /^.{0,80}?(?:(?:^|[\s[(|<])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|PANIC)(?=[\s\])|>:,]|$)|\blevel"?\s*[=:]\s*"?(\w+))/;
const runtimes = /^(?:\(node:\d+\) )?(?:\w*(Error|Exception|Warning):|(Traceback) |(panic): )/;

const levels: readonly (readonly [RegExp, keyof Logger])[] = [
  [/^(?:trace)$/i, 'trace'],
  [/^(?:debug)$/i, 'debug'],
  [/^(?:warn|warning)$/i, 'warn'],
  [/^(?:error|err|exception|fatal|critical|panic|traceback)$/i, 'error'],
];

/** Returns the level that a stderr line names; `info` if it names none. */
export function stderrLevel(line: string): keyof Logger {
  const [, ...words] = named.exec(line) ?? runtimes.exec(line) ?? [];
  const word = words.find((one) => one !== undefined) ?? '';
  return levels.find(([pattern]) => pattern.test(word))?.[1] ?? 'info';
}

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

/** The place in a file that compilers write before what is wrong there. */
const place = /^(\S+(?::\d+:\d+|\(\d+,\d+\))):\s+(?=\S)/;

/** Says the same in a few words that begin with the reason, as the end of a row may be cut off. */
export function endingShort(ending: string, stderrTail: string): string {
  const line = plainLabel(tellingLine(stderrTail) ?? '', maxLength);
  const [lead = '', at = ''] = place.exec(line) ?? [];
  return [line.slice(lead.length), at, ending].filter(Boolean).join(' · ');
}
