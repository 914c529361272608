import type { CallsProblem } from '../format/calls';
import type { StepResult } from '../run/runCalls';

/** How one file ended. */
export interface FileReport {
  /** As it is shown. */
  readonly path: string;
  readonly results: readonly StepResult[];
  /** What of the file cannot be used. */
  readonly problems: readonly CallsProblem[];
  /** Why its server could not be used, in a sentence; no step ran then, or not all. */
  readonly error?: string;
  /** The tools of its server that no step calls. */
  readonly uncalledTools?: readonly string[];
  readonly durationMs: number;
}

/** How many steps ended in each way, and how many files could not be run. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly warnings: number;
  readonly broken: number;
}

/** Counts over all files. */
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

/** 0 where all steps passed, 1 where one did not, 2 where something could not be run at all. */
export function exitCodeOf(files: readonly FileReport[]): 0 | 1 | 2 {
  const { failed, skipped, broken } = totalsOf(files);
  if (broken > 0 || files.length === 0) return 2;
  return failed + skipped > 0 ? 1 : 0;
}

/** What a run came to, in a line. */
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

/** What of a file could not be run, a line each. */
export function brokenLines({ path, problems, error }: FileReport): readonly string[] {
  return [
    ...problems.map(({ message, range }) => `${path}:${range.line + 1}: ${message}`),
    ...(error === undefined ? [] : [`${path}: ${error}`]),
  ];
}

function isBroken({ problems, error }: FileReport): boolean {
  return problems.length > 0 || error !== undefined;
}
