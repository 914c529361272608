import { escapeMarkdown } from '../../base/text/markdown';
import type { CheckResult } from './finding';

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
