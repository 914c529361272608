import type { CallsProblem } from '../format/calls';
import type { StepResult } from '../runCalls';

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
