import { type FileReport, type ReportedResult, totalsOf, totalsText } from '../report/report';
import { type RuleId, rules } from './rules';
import { escapeMarkdown } from '../../base/text/markdown';

const marks = { passed: '✓', failed: '✗', advice: '!', untried: '–' } as const;
const titles = {
  failed: 'Does not hold',
  advice: 'Worth improving',
  untried: 'Not tried',
  passed: 'Holds',
} as const;

/** Returns a check as a Markdown document: broken rules first, with the reasons and how to fix them. */
export function checkText(server: string, results: readonly CheckResult[]): string {
  const order = ['failed', 'advice', 'untried', 'passed'] as const;
  return [
    `# Check of ${escapeMarkdown(server)}`,
    '',
    `${totalsText(totalsOf([reportOfCheck(server, results, 0)]))}.`,
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
  const advice = verdict === 'untried' ? [] : ['', `**Why:** ${why}`, '', `**Mend:** ${mend}`];
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
  /** `advice` breaks no rule that a server must keep; `untried` could not be tried. */
  readonly verdict: 'passed' | 'failed' | 'advice' | 'untried';
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

function toStep(result: CheckResult): ReportedResult {
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
  const text =
    verdict === 'untried' ? seen.join(' ') : `${seen.join(' ')} ${why} ${mend} (${clause})`;
  return {
    step,
    outcome: verdict,
    failures: verdict === 'passed' ? [] : [{ message: text }],
    warnings: [],
    durationMs: 0,
  };
}

/** What was observed about one rule; `seen` is empty if the rule holds. */
export interface Seen {
  readonly id: RuleId;
  readonly seen: readonly string[];
  /** The verdict if something was seen; `failed` if absent. */
  readonly verdict?: CheckResult['verdict'];
}

/** Returns the results of what was observed, in the order of the rules. */
export function resultsOf(all: readonly Seen[]): readonly CheckResult[] {
  const ids = Object.keys(rules);
  return all
    .map(({ id, seen, verdict = 'failed' }): CheckResult => ({
      id,
      ...rules[id],
      seen,
      verdict: seen.length === 0 ? 'passed' : verdict,
    }))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
