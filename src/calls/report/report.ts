import type { CallsProblem } from '../format/calls';
import type { StepResult } from '../runCalls';
import { escapeMarkdown, inlineCode } from '../../base/text/markdown';
import { revealHidden, truncate } from '../../base/text/text';
import type { Failure } from '../expect/judge';

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

/** Returns an entire run as JSON, for other programs. */
export function jsonReport(files: readonly FileReport[]): string {
  const report = {
    totals: totalsOf(files),
    files: files.map(({ path, results, problems, error, uncalledTools, durationMs }) => ({
      path,
      durationMs: Math.round(durationMs),
      ...(error !== undefined && { error }),
      problems: problems.map(({ message, range }) => ({ message, line: range.line + 1 })),
      steps: results.map(({ step, outcome, failures, warnings, durationMs: ms, answer }) => ({
        name: step.name,
        line: step.nameRange.line + 1,
        outcome,
        durationMs: Math.round(ms),
        failures,
        warnings,
        ...(outcome === 'failed' && answer && { answer: withoutTool(answer) }),
      })),
      ...(uncalledTools && { uncalledTools }),
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function withoutTool(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'tool'));
}

/** At most this many failures are listed. */
const maxListed = 50;

/** Returns a run as Markdown, suitable for a pull request. */
export function summaryReport(files: readonly FileReport[]): string {
  const failed = files.flatMap(({ path, results }) =>
    results.filter(({ outcome }) => outcome !== 'passed').map((result) => ({ path, result })),
  );
  const { broken } = totalsOf(files);
  const mark = failed.length + broken === 0 ? '✅' : '❌';
  const rows = failed.slice(0, maxListed).map(({ path, result: { step, failures } }) => {
    const reasons = failures.map(({ message }) => escapeMarkdown(message, 300)).join('<br>');
    return `| ${inlineCode(path)} | ${escapeMarkdown(step.name)} | ${reasons} |`;
  });
  const more = failed.length - rows.length;
  const uncalled = files.flatMap(({ uncalledTools }) => uncalledTools ?? []);
  const blocks = [
    [`### ${mark} Saved MCP calls: ${totalsLine(files)}`],
    files.flatMap((file) => brokenLines(file).map((line) => `- ${escapeMarkdown(line)}`)),
    rows.length === 0 ? [] : ['| File | Step | Why |', '| --- | --- | --- |', ...rows],
    more > 0 ? [`And ${more} more.`] : [],
    uncalled.length === 0
      ? []
      : [`Tools without a step: ${uncalled.map((name) => inlineCode(name)).join(', ')}`],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** How the run of one file ended. */
export interface FileReport {
  /** As it is shown. */
  readonly path: string;
  readonly results: readonly StepResult[];
  /** The problems with the file, which keep it from running. */
  readonly problems: readonly CallsProblem[];
  /** Why the file did not run to its end, as a sentence; some steps may have run. */
  readonly error?: string;
  /** The tools of its server that no step calls. */
  readonly uncalledTools?: readonly string[];
  readonly durationMs: number;
}

/** How many steps ended in each way, and the numbers of warnings and of files that could not be run. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly warnings: number;
  readonly broken: number;
}

/** Counts the results of all files. */
export function totalsOf(files: readonly FileReport[]): Totals {
  const results = files.flatMap((file) => file.results);
  const count = (outcome: StepResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    warnings: results.reduce((sum, { warnings }) => sum + warnings.length, 0),
    broken: files.filter(isBroken).length,
  };
}

/** Returns 0 if all steps passed, 1 if some did not, and 2 if a file could not be run or there are no files. */
export function exitCodeOf(files: readonly FileReport[]): 0 | 1 | 2 {
  const { failed, skipped, broken } = totalsOf(files);
  if (broken > 0 || files.length === 0) return 2;
  return failed + skipped > 0 ? 1 : 0;
}

/** Returns the outcome of a run in one line. */
export function totalsLine(files: readonly FileReport[]): string {
  const { passed, failed, skipped, warnings, broken } = totalsOf(files);
  const ms = files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(broken > 0 ? [`${broken} ${broken === 1 ? 'file' : 'files'} could not be run`] : []),
  ];
  return `${parts.join(', ')} (${(ms / 1000).toFixed(1)} s)`;
}

/** Returns why a file could not be run, one line for each reason. */
export function brokenLines({ path, problems, error }: FileReport): readonly string[] {
  return [
    ...problems.map(({ message, range }) => `${path}:${range.line + 1}: ${message}`),
    ...(error === undefined ? [] : [`${path}: ${error}`]),
  ];
}

function isBroken({ problems, error }: FileReport): boolean {
  return problems.length > 0 || error !== undefined;
}
