import { revealHidden, truncate } from '../../base/text/text';
import type { Failure } from '../expect/judge';
import type { StepResult } from '../runCalls';
import { brokenLines, totalsLine, type FileReport } from './report';

const marks = { passed: '.', failed: 'F', skipped: 's' } as const;

/** At most this much of a value is printed, in lines and in UTF-16 units per line. */
const maxLines = 20;
const maxLineLength = 300;

/** Returns the mark of one step, for a terminal that shows each step as it ends. */
export function dotOf({ outcome }: StepResult): string {
  return marks[outcome];
}

/** Returns what follows the marks: each failure and warning with its location, and the totals. */
export function dotReport(files: readonly FileReport[]): string {
  const lines = files.flatMap((file) => [
    ...brokenLines(file),
    ...file.results.flatMap((result) => describe(file.path, result)),
  ]);
  // A terminal would obey control characters that a server wrote.
  return revealHidden([...lines, totalsLine(files)].join('\n'));
}

/** Returns what was expected and what came back as lines; empty if there is nothing to compare. */
export function expectedLines({ expected, actual }: Failure): readonly string[] {
  if (expected === undefined || actual === undefined) return [];
  return [...block('expected', expected), ...block('actual', actual)];
}

function describe(path: string, { step, outcome, failures, warnings }: StepResult): string[] {
  const place = `${path}:${step.nameRange.line + 1} ${step.name}`;
  const warned = warnings.map((warning) => `warning  ${place}\n    ${warning}`);
  if (outcome === 'passed') return warned;
  const reasons = failures.flatMap((failure) => [
    `    ${failure.message}`,
    ...expectedLines(failure).map((line) => `      ${line}`),
  ]);
  return [`${outcome.padEnd(8)} ${place}`, ...reasons, ...warned];
}

function block(title: string, text: string): readonly string[] {
  const all = text.split('\n');
  const lines = all.slice(0, maxLines).map((line) => truncate(line, maxLineLength));
  if (lines.length === 1) return [`${title}: ${lines[0]}`];
  const more = all.length - lines.length;
  return [
    `${title}:`,
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  … ${more} more lines`] : []),
  ];
}
