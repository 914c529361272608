import { totalsOf, type FileReport } from './report';

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
