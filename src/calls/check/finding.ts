import { type FileReport, type ReportedResult, totalsOf, totalsText } from '../report/report';
import { type RuleId, rules } from './rules';
import { escapeMarkdown } from '../../base/text/markdown';
import { plainLabel } from '../../base/text/text';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import type { StepAnswered } from '../expect/answer';

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

/** Returns a passed result of this name for a report of what is no step of a file, such as a rule. */
export function reportedAs(name: string): ReportedResult {
  return {
    step: {
      name,
      request: { kind: 'list', list: 'tools' },
      expect: {},
      save: {},
      index: 0,
      range: nowhere,
      nameRange: nowhere,
    },
    outcome: 'passed',
    failures: [],
    warnings: [],
    durationMs: 0,
  };
}

function toStep(result: CheckResult): ReportedResult {
  const { rule, id, verdict, seen, why, mend, clause } = result;
  const text =
    verdict === 'untried' ? seen.join(' ') : `${seen.join(' ')} ${why} ${mend} (${clause})`;
  return {
    ...reportedAs(`${id}: ${rule}`),
    outcome: verdict,
    failures: verdict === 'passed' ? [] : [{ message: text }],
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

/** Why a rule was not tried: what the user or an administrator forbids is no fault of the server. */
export const deniedHere = 'Your settings or an administrator deny the call.';

/** Returns an error that a server answered with as a sentence. */
export function sentenceOf({ code, message }: Extract<StepAnswered, { kind: 'error' }>): string {
  return code === undefined
    ? `There was no answer: ${plainLabel(message)}`
    : `It is answered with the error ${code}: ${plainLabel(message)}`;
}

/** Judges the answer to a call of a tool that the server does not have. */
export function unknownTool(answer: StepAnswered): Seen {
  if (answer.kind === 'error' && answer.isDenied) return untried('unknownTool', deniedHere);
  if (answer.kind === 'error') return refused('unknownTool', [ErrorCode.invalidParams], answer);
  const { isError } = answer.result as { readonly isError?: boolean };
  return isError
    ? {
        id: 'unknownTool',
        verdict: 'advice',
        seen: ['It is answered with a result that says isError.'],
      }
    : { id: 'unknownTool', seen: ['It is answered with a result that is no error.'] };
}

/** Judges the answer to a request that a server should refuse with one of these codes. */
export function refused(
  id: 'unknownMethod' | 'unknownTool' | 'unknownPrompt' | 'unknownResource',
  codes: readonly number[],
  answer: StepAnswered,
): Seen {
  if (answer.kind === 'result') return { id, seen: ['It is answered with a result.'] };
  const { code } = answer;
  if (code === undefined) return { id, seen: [sentenceOf(answer)] };
  return codes.includes(code)
    ? { id, seen: [] }
    : { id, seen: [sentenceOf(answer)], verdict: 'advice' };
}

/** Returns that a rule could not be tried, and why. */
export function untried(id: Seen['id'], reason: string): Seen {
  return { id, seen: [reason], verdict: 'untried' };
}

/** Returns that a rule about processes could not be tried. */
export function notAProcess(id: Seen['id']): Seen {
  return untried(id, 'The server is reached at an address.');
}
