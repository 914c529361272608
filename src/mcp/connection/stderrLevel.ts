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
