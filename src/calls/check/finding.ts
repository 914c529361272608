import type { FileReport } from '../report/report';
import type { StepResult } from '../runCalls';
import { escapeMarkdown } from '../../base/text/markdown';

const marks = { passed: '✓', failed: '✗', advice: '!', skipped: '–' } as const;
const titles = {
  failed: 'Does not hold',
  advice: 'Worth improving',
  skipped: 'Not tried',
  passed: 'Holds',
} as const;

/** Returns a check as a Markdown document: broken rules first, with the reasons and how to fix them. */
export function checkText(server: string, results: readonly CheckResult[]): string {
  const count = (verdict: CheckResult['verdict']) =>
    results.filter((result) => result.verdict === verdict).length;
  const order = ['failed', 'advice', 'skipped', 'passed'] as const;
  return [
    `# Check of ${escapeMarkdown(server)}`,
    '',
    `${count('passed')} of ${results.length} rules hold, ${count('failed')} do not, ${count('advice')} worth improving, ${count('skipped')} not tried.`,
    '',
    ...order.flatMap((verdict) => {
      const these = results.filter((result) => result.verdict === verdict);
      return these.length === 0 ? [] : [`## ${titles[verdict]}`, '', ...these.flatMap(section)];
    }),
  ].join('\n');
}

function section({ rule, clause, verdict, seen, why, mend }: CheckResult): readonly string[] {
  if (verdict === 'passed') return [`- ${marks[verdict]} [${rule}](${clause})`];
  const lines = seen.map((sentence) => `- ${escapeMarkdown(sentence, 500)}`);
  const advice = verdict === 'skipped' ? [] : ['', `**Why:** ${why}`, '', `**Mend:** ${mend}`];
  return [
    `### ${marks[verdict]} ${rule}`,
    '',
    ...lines,
    ...advice,
    '',
    `[Specification](${clause})`,
    '',
  ];
}

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
