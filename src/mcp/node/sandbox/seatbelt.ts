import type { Confinement } from '../../serverConfig';

/** Returns the profile with which `sandbox-exec` confines a program. */
export function seatbeltProfile({
  writable,
  readOnly,
  hidden,
  hasNetwork,
}: Pick<Confinement, 'writable' | 'readOnly' | 'hidden' | 'hasNetwork'>): string {
  // The last rule that matches counts.
  return [
    '(version 1)',
    '(allow default)',
    // What other programs would do for it is not confined.
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny job-creation)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    ...rules('allow', 'file-write*', writable),
    ...rules('deny', 'file-write*', readOnly),
    ...rules('deny', 'file-read*', hidden),
    ...rules('deny', 'file-write*', hidden),
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n');
}

function rules(word: 'allow' | 'deny', operation: string, paths: readonly string[]): string[] {
  return paths.map((path) => `(${word} ${operation} (subpath ${quoted(path)}))`);
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
