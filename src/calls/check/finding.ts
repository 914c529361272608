import type { FileReport } from '../report/report';
import type { StepResult } from '../runCalls';

/** The result of checking a server against one rule. */
export interface CheckResult {
  /** A short name that never changes. */
  readonly id: string;
  /** What every server should do, as a sentence. */
  readonly rule: string;
  /** The URL of the section of the specification that says so. */
  readonly clause: string;
  /** `advice` does not break a rule; `skipped` could not be tried. */
  readonly verdict: 'passed' | 'failed' | 'advice' | 'skipped';
  /** What was observed, one sentence each. */
  readonly seen: readonly string[];
  readonly why: string;
  readonly mend: string;
}

/** Returns the results of a check as those of a file, for the reports of runs. */
export function reportOfCheck(
  server: string,
  results: readonly CheckResult[],
  durationMs: number,
): FileReport {
  return { path: `check ${server}`, results: results.map(toStep), problems: [], durationMs };
}

const nowhere = { line: 0, character: 0, endLine: 0, endCharacter: 0 };

function toStep(result: CheckResult): StepResult {
  const { rule, id, verdict, seen, why, mend, clause } = result;
  const step = {
    name: `${id}: ${rule}`,
    request: { kind: 'list', list: 'tools' },
    expect: {},
    save: {},
    index: 0,
    range: nowhere,
    nameRange: nowhere,
  } as const;
  const text = `${seen.join(' ')} ${why} ${mend} (${clause})`;
  return {
    step,
    outcome: verdict === 'failed' ? 'failed' : 'passed',
    failures: verdict === 'failed' ? [{ message: text }] : [],
    warnings:
      verdict === 'advice' ? [text] : verdict === 'skipped' ? [`Not tried: ${seen.join(' ')}`] : [],
    durationMs: 0,
  };
}
