import { type FileReport, type ReportedResult, totalsOf, totalsText } from '../report/report';
import { type RuleId, rules } from './rules';
import { isRecord } from '../../base/json';
import { escapeMarkdown } from '../../base/text/markdown';
import { wordsLabel } from '../../base/text/text';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import { type LocalizableMessage, type Translate } from '../../base/translate';
import type { TrafficRecorder } from '../../mcp/traffic/trafficRecorder';
import type { StepAnswered } from '../expect/answer';

const marks = { passed: '✓', failed: '✗', advice: '!', untried: '–' } as const;
const titles: Readonly<Record<CheckResult['outcome'], LocalizableMessage>> = {
  failed: (t) => t('Does not hold'),
  advice: (t) => t('Worth improving'),
  untried: (t) => t('Not tried'),
  passed: (t) => t('Holds'),
};

/**
 * Returns a check, which was worded with the same `t`, as a Markdown document: broken rules first, with the reasons and
 * how to fix them.
 */
export function checkText(server: string, results: readonly CheckResult[], t: Translate): string {
  const order = ['failed', 'advice', 'untried', 'passed'] as const;
  return [
    `# ${t('Check of {0}', escapeMarkdown(server))}`,
    '',
    t('{0}.', totalsText(totalsOf([reportOfCheck(server, results, 0)]), t)),
    '',
    ...order.flatMap((outcome) => {
      const these = results.filter((result) => result.outcome === outcome);
      return these.length === 0
        ? []
        : [`## ${titles[outcome](t)}`, '', ...these.flatMap((one) => section(one, t))];
    }),
  ].join('\n');
}

function section(
  { rule, clause, outcome, seen, why, fix }: CheckResult,
  t: Translate,
): readonly string[] {
  const part = (heading: string, text: string) => ['', `**${t('{0}:', heading)}** ${text}`];
  if (outcome === 'passed') return [`- ${marks[outcome]} [${rule}](${clause})`];
  const lines = seen.map((sentence) => `- ${escapeMarkdown(sentence, 500)}`);
  const advice =
    outcome === 'untried' ? [] : [...part(t('Why'), why), ...part(t('How to fix it'), fix)];
  return [
    `### ${marks[outcome]} ${rule}`,
    '',
    ...lines,
    ...advice,
    '',
    `[${t('Specification')}](${clause})`,
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
  readonly outcome: 'passed' | 'failed' | 'advice' | 'untried';
  /** What was observed, one sentence each. */
  readonly seen: readonly string[];
  readonly why: string;
  readonly fix: string;
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
  const { rule, id, outcome, seen, why, fix, clause } = result;
  const text =
    outcome === 'untried' ? seen.join(' ') : `${seen.join(' ')} ${why} ${fix} (${clause})`;
  return {
    ...reportedAs(`${id}: ${rule}`),
    outcome,
    failures: outcome === 'passed' ? [] : [{ message: text }],
  };
}

/** What was observed about one rule; `seen` is empty if the rule holds. */
export interface Observation {
  readonly id: RuleId;
  readonly seen: readonly string[];
  /** What comes of the rule if something was seen; `failed` if absent. */
  readonly outcome?: CheckResult['outcome'];
}

/** Returns the results of what was observed, in the order of the rules. */
export function resultsOf(all: readonly Observation[], t: Translate): readonly CheckResult[] {
  const ids = Object.keys(rules);
  return all
    .map(({ id, seen, outcome = 'failed' }): CheckResult => ({
      id,
      clause: rules[id].clause,
      ...rules[id].words(t),
      seen,
      outcome: seen.length === 0 ? 'passed' : outcome,
    }))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Why a rule was not tried: what the user or an administrator forbids is no fault of the server. */
export const deniedHere: LocalizableMessage = (t) =>
  t('Your settings or an administrator forbid the call.');

/** Returns an error that a server answered with as a sentence. */
export function sentenceOf(
  { code, message }: Extract<StepAnswered, { kind: 'error' }>,
  t: Translate,
): string {
  return code === undefined
    ? t('There was no answer: {0}', wordsLabel(message))
    : t('It is answered with the error {0}, "{1}".', String(code), wordsLabel(message));
}

/** Judges the answer to a call of a tool that the server does not have. */
export function unknownTool(answer: StepAnswered, t: Translate): Observation {
  if (answer.kind === 'error' && answer.isDenied) return untried('unknownTool', deniedHere(t));
  if (answer.kind === 'error') return refused('unknownTool', [ErrorCode.invalidParams], answer, t);
  const { isError } = answer.result as { readonly isError?: boolean };
  return isError
    ? {
        id: 'unknownTool',
        outcome: 'advice',
        seen: [t('It is answered with a result that says isError.')],
      }
    : { id: 'unknownTool', seen: [t('It is answered with a result that is no error.')] };
}

/** Judges the answer to a request that a server should refuse with one of these codes. */
export function refused(
  id: 'unknownMethod' | 'unknownTool' | 'unknownPrompt' | 'unknownResource',
  codes: readonly number[],
  answer: StepAnswered,
  t: Translate,
): Observation {
  if (answer.kind === 'result') return { id, seen: [t('It is answered with a result.')] };
  const { code } = answer;
  if (code === undefined) return { id, seen: [sentenceOf(answer, t)] };
  return codes.includes(code)
    ? { id, seen: [] }
    : { id, seen: [sentenceOf(answer, t)], outcome: 'advice' };
}

/** Returns that a rule could not be tried, and why. */
export function untried(id: Observation['id'], reason: string): Observation {
  return { id, seen: [reason], outcome: 'untried' };
}

/** Returns that a rule about processes could not be tried. */
export function notAProcess(id: Observation['id'], t: Translate): Observation {
  return untried(id, t('The server is reached at an address.'));
}

/** Resolves once every request of the server is answered: while it waits, it does not end. */
export async function answered(traffic: TrafficRecorder, signal: AbortSignal): Promise<void> {
  const isOpen = () =>
    traffic.entries.some(
      ({ direction, kind, answer, failure }) =>
        direction === 'received' && kind === 'request' && !answer && !failure,
    );
  await new Promise<void>((resolve) => {
    const look = () => {
      if (isOpen() && !signal.aborted) return;
      listening.dispose();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const listening = traffic.onDidChange(look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** The result of the latest call of a tool as it came; `undefined` if it was not kept as a whole, or is a task. */
export function lastResult(
  traffic: TrafficRecorder,
): Readonly<Record<string, unknown>> | undefined {
  const call = latestCall(traffic);
  const answer = call?.answer?.value;
  const result = isRecord(answer) ? answer['result'] : undefined;
  if (!isRecord(result) || call?.answer?.isCut) return undefined;
  return 'task' in result || result['resultType'] === 'task' ? undefined : result;
}

/** Returns the latest call of a tool that was sent. */
export const latestCall = ({ entries }: TrafficRecorder) =>
  entries.findLast(({ method, direction }) => method === 'tools/call' && direction === 'sent');

/** What the names begin with that a check makes up. */
const madeUp = 'mcp-workbench-';

/** Makes up the name of something that no server has. */
export function makeUpName(): string {
  return `${madeUp}${crypto.randomUUID()}`;
}

/** True for what {@link makeUpName} returned, also in a check that is over. */
export function isMadeUp(name: string): boolean {
  return name.startsWith(madeUp) && name.length === makeUpName().length;
}
