import { redactSecrets } from '../../base/secrets/secrets';
import { revealHidden } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { Finding } from '../../mcp/doctor/finding';

const marks: Readonly<Record<Finding['verdict'], string>> = { bad: '✗', note: '·', good: '✓' };
const order: readonly Finding['verdict'][] = ['bad', 'note', 'good'];

/** What a report is about, for the lines at its top. */
export interface ReportSubject {
  readonly name: string;
  readonly facts: readonly string[];
}

/**
 * Returns the text of a diagnosis, with what is bad first. What was found is indented, so that what a server
 * wrote cannot pass for one of our headings; lines that look like a secret are redacted.
 */
export function reportText(
  { name, facts }: ReportSubject,
  findings: readonly Finding[],
  t: Translate,
): string {
  const sorted = order.flatMap((verdict) => findings.filter((one) => one.verdict === verdict));
  const bad = findings.filter(({ verdict }) => verdict === 'bad').length;
  const summary = bad === 0 ? t('No problems found.') : t('Problems found: {0}', String(bad));
  const head = [t('Diagnosis of {0}', name), ...facts, '', summary].map(line).join('\n');
  return `${[head, ...sorted.map((one) => findingText(one))].join('\n\n')}\n`;
}

function findingText({ verdict, title, detail, next }: Finding): string {
  return [
    `${marks[verdict]} ${line(title)}`,
    ...(detail ? detail.split(/\r?\n/).map((one) => `      ${line(one)}`.trimEnd()) : []),
    ...(next ? [`   → ${line(next)}`] : []),
  ].join('\n');
}

function line(text: string): string {
  return revealHidden(String(redactSecrets(text))).replaceAll('\n', '⏎');
}
