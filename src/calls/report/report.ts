import { utf8 } from '../../base/bytes';
import type { Tool } from '../../mcp/protocol/types';
import type { CallsFile, CallsProblem } from '../format/calls';
import type { StepResult } from '../runCalls';
import { escapeMarkdown, escapeMarkup, fencedMarkdown, inlineCode } from '../../base/text/markdown';
import {
  plainLabel,
  revealHidden,
  terminalExact,
  terminalJson,
  terminalText,
  truncate,
} from '../../base/text/text';
import { type Translate, inEnglish, listText } from '../../base/translate';
import type { Failure } from '../expect/judge';

const marks = { passed: '.', failed: 'F', skipped: 's', advice: '!', untried: '-' } as const;

/** At most this much of a difference is printed, in lines and in UTF-16 units per line. */
export const maxDiffLines = 200;
const maxLineLength = 300;
/** The same in a summary. */
const maxSummaryLines = 40;

/** Returns the mark of one step, for a terminal that shows each step as it ends. */
export function dotOf({ outcome }: ReportedResult): string {
  return marks[outcome];
}

/** Returns what follows the marks: each failure and warning with its location, and the totals. */
export function dotReport(files: readonly FileReport[], isColored = false): string {
  const lines = files.flatMap((file) => [
    ...brokenLines(file).map((line) => ({ line })),
    ...file.results.flatMap((result) => describe(file.path, result)),
  ]);
  // A terminal, or whoever runs this, would obey what a server wrote.
  return [...lines, { line: totalsLine(files) }]
    .map(({ line, color, isCompared }: PrintedLine) => {
      const text = isCompared ? terminalExact(line) : terminalText(line);
      return isColored && color ? `\u001B[${color}m${text}\u001B[0m` : text;
    })
    .join('\n');
}

/** A line, with its color as a terminal calls it. */
interface PrintedLine {
  readonly line: string;
  readonly color?: number | undefined;
  /** Two texts may differ in colors alone. */
  readonly isCompared?: true;
}

/** Red, green and cyan. */
const colors: Readonly<Record<string, number>> = { '-': 31, '+': 32, '@': 36 };

/** Returns how what came back differs from what was expected, as lines; empty if there is nothing to compare. */
export function diffLines(failure: Failure, most = maxDiffLines): readonly string[] {
  const { expected, actual, isPart } = failure;
  if (expected === undefined || actual === undefined || isPart) return [];
  const { lines, left } = unifiedDiff(expected, actual);
  const more = lines.length - most + left;
  return [
    '- expected, + actual',
    ...cutLines(lines.slice(0, most)),
    ...(more > 0 ? [`… ${more} more lines`] : []),
  ];
}

/** Cuts long lines: two that would look the same are shown from shortly before the place where they differ. */
function cutLines(lines: readonly string[]): readonly string[] {
  const shown = lines.map((line) => truncate(line, maxLineLength));
  let removed: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('-')) removed.push(at);
    else if (!line.startsWith('+')) removed = [];
    else {
      const pair = removed.shift();
      if (pair === undefined || shown[pair]?.slice(1) !== shown[at]?.slice(1)) continue;
      const other = lines[pair] ?? '';
      let differs = 1;
      while (line.charCodeAt(differs) === other.charCodeAt(differs)) differs += 1;
      const from = Math.max(1, differs - maxLineLength / 6);
      shown[pair] = truncate(`-…${other.slice(from)}`, maxLineLength);
      shown[at] = truncate(`+…${line.slice(from)}`, maxLineLength);
    }
  }
  return shown;
}

function describe(
  path: string,
  { step, outcome, failures, warnings }: ReportedResult,
): readonly PrintedLine[] {
  const place = `${path}:${step.nameRange.line + 1} ${step.name}`;
  const warned = warnings.map((warning) => ({ line: `warning  ${place}\n    ${warning}` }));
  if (outcome === 'passed') return warned;
  const reasons = failures.flatMap((failure) => [
    { line: `    ${failure.message}` },
    ...diffLines(failure).map((line, index) => ({
      line: `      ${line}`,
      color: index === 0 ? undefined : colors[line.charAt(0)],
      isCompared: true as const,
    })),
  ]);
  return [{ line: `${outcome.padEnd(8)} ${place}` }, ...reasons, ...warned];
}

/** Returns an entire run as JSON, for other programs. */
export function jsonReport(files: readonly FileReport[]): string {
  const report = {
    totals: totalsOf(files),
    files: files.map(({ path, results, problems, error, durationMs, ...rest }) => ({
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
      ...(rest.uncalledTools && { uncalledTools: rest.uncalledTools }),
    })),
  };
  return `${terminalJson(JSON.stringify(report, undefined, 2))}\n`;
}

function withoutTool(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'tool'));
}

/** At most this many failures are listed. */
const maxListed = 50;

/** Returns a run as Markdown, suitable for a pull request. */
export function summaryReport(files: readonly FileReport[]): string {
  const failed = files.flatMap(({ path, results }) =>
    results.filter(({ outcome }) => isFailed(outcome)).map((result) => ({ path, result })),
  );
  const { broken } = totalsOf(files);
  const mark = failed.length + broken === 0 ? '✅' : '❌';
  const rows = failed.slice(0, maxListed).map(({ path, result: { step, failures } }) => {
    const reasons = failures.map(({ message }) => literal(message, 300)).join('<br>');
    // In a table, a sign of a cell ends one within code, too.
    return `| ${literal(path)} | ${literal(step.name)} | ${reasons} |`;
  });
  const more = failed.length - rows.length;
  const diffs = failed.slice(0, maxListed).flatMap(({ result: { step, failures } }) =>
    failures.flatMap((failure) => {
      const lines = diffLines(failure, maxSummaryLines);
      if (lines.length === 0) return [];
      // Markdown does not reach into HTML.
      const title = unmentioned(escapeMarkup(plainLabel(`${step.name}: ${failure.message}`, 300)));
      const shown = fencedMarkdown(revealHidden(lines.join('\n')), 'diff');
      return [[`<details><summary>${title}</summary>`, '', shown, '', '</details>']];
    }),
  );
  const uncalled = files.flatMap((file) => file.uncalledTools ?? []);
  const blocks = [
    [`### ${mark} Saved MCP calls: ${totalsLine(files)}`],
    files.flatMap((file) => brokenLines(file).map((line) => `- ${literal(line)}`)),
    rows.length === 0 ? [] : ['| File | Step | Why |', '| --- | --- | --- |', ...rows],
    more > 0 ? [`And ${more} more.`] : [],
    ...diffs,
    uncalled.length === 0
      ? []
      : [`Tools without a step: ${uncalled.map((name) => inlineCode(name)).join(', ')}`],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${withinSummary(texts).join('\n\n')}\n`;
}

function literal(text: string, maxLength?: number): string {
  return unmentioned(escapeMarkdown(text, maxLength));
}

/** Returns Markdown or HTML in which no name is a mention: GitHub looks for these last, so that no way to write the sign helps. */
function unmentioned(text: string): string {
  return text.replaceAll('@', '@&#8203;');
}

/** The longest summary, in bytes: GitHub shows nothing of a step's summaries that are longer than 1 MB together. */
export const maxSummaryBytes = 500_000;

/** Returns the parts of a summary that there is room for, and says how many are left out. */
function withinSummary(texts: readonly string[]): readonly string[] {
  let room = maxSummaryBytes;
  const kept = texts.filter((text) => {
    const { length } = utf8(text);
    if (length + 2 > room) return false;
    room -= length + 2;
    return true;
  });
  const left = texts.length - kept.length;
  return left === 0 ? kept : [...kept, `There was no room for ${left} more parts of this summary.`];
}

/** How one step, or one rule of a check, ended: `advice` and `untried` neither pass nor fail. */
export interface ReportedResult extends Omit<StepResult, 'outcome'> {
  readonly outcome: StepResult['outcome'] | 'advice' | 'untried';
}

/** How the run of one file ended. */
export interface FileReport {
  /** As it is shown. */
  readonly path: string;
  readonly results: readonly ReportedResult[];
  /** The problems with the file, which keep it from running. */
  readonly problems: readonly CallsProblem[];
  /** Why the file did not run to its end, as a sentence; some steps may have run. */
  readonly error?: string;
  /** The tools of its server that no step calls. */
  readonly uncalledTools?: readonly string[];
  readonly durationMs: number;
}

/** How many steps ended in each way, and the numbers of warnings and of files that could not be run. */
export interface Totals extends Readonly<Record<ReportedResult['outcome'], number>> {
  readonly warnings: number;
  readonly broken: number;
}

/** Counts the results of all files. */
export function totalsOf(files: readonly FileReport[]): Totals {
  const results = files.flatMap((file) => file.results);
  const count = (outcome: ReportedResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    advice: count('advice'),
    untried: count('untried'),
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
  const ms = files.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `${totalsText(totalsOf(files), inEnglish)} (${(ms / 1000).toFixed(1)} s)`;
}

/** Returns totals in words; a terminal has them in English. */
export function totalsText(totals: Totals, t: Translate): string {
  const { passed, failed, skipped, advice, untried, warnings, broken } = totals;
  const words = [
    t('{0} passed', String(passed)),
    ...(failed > 0 ? [t('{0} failed', String(failed))] : []),
    ...(skipped > 0 ? [t('{0} skipped', String(skipped))] : []),
    ...(advice > 0 ? [t('{0} worth improving', String(advice))] : []),
    ...(untried > 0 ? [t('{0} not tried', String(untried))] : []),
    ...(warnings > 0
      ? [warnings === 1 ? t('1 warning') : t('{0} warnings', String(warnings))]
      : []),
    ...(broken === 1 ? [t('1 file could not be run')] : []),
    ...(broken > 1 ? [t('{0} files could not be run', String(broken))] : []),
  ];
  return listText(words, t);
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

function isFailed(outcome: ReportedResult['outcome']): boolean {
  return outcome === 'failed' || outcome === 'skipped';
}

/** Returns the names of the tools that no step of a file calls, in their original order. */
export function uncalledTools(
  { steps }: Pick<CallsFile, 'steps'>,
  tools: readonly Tool[],
): readonly string[] {
  const called = new Set(
    steps.flatMap(({ request }) => (request.kind === 'call' ? [request.name] : [])),
  );
  return tools.flatMap(({ name }) => (called.has(name) ? [] : [name]));
}

/** At most this much is looked at of each text, in lines; what is longer is shown as other altogether. */
export const maxDiffedLines = 2000;

/** How many equal lines stand around each difference. */
const context = 3;

/** A line of a difference: in both texts, only in the expected one (`-`), or only in the actual one (`+`). */
interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Returns what differs between two texts as a unified diff without its head: `@@` before each place, and lines that begin
 * with a space, `-` (expected) or `+` (actual), and how many lines are left out. Empty if they are equal.
 */
function unifiedDiff(expected: string, actual: string) {
  const { from, lines, left } = align(expected.split('\n'), actual.split('\n'));
  const shown = new Set<number>();
  for (const [at, { mark }] of lines.entries())
    if (mark !== ' ')
      for (let near = at - context; near <= at + context; near += 1) shown.add(near);
  const found: string[] = [];
  const at = { expected: from + 1, actual: from + 1 };
  for (const [index, { mark, text }] of lines.entries()) {
    if (shown.has(index)) {
      if (!shown.has(index - 1)) found.push(`@@ -${at.expected} +${at.actual} @@`);
      found.push(`${mark}${text}`);
    }
    if (mark !== '+') at.expected += 1;
    if (mark !== '-') at.actual += 1;
  }
  return { lines: found, left };
}

/**
 * Returns the lines of both texts in one order, equal ones once, from shortly before the first difference to shortly behind
 * the last, with how many come before them and how many are left out between them.
 */
function align(expected: readonly string[], actual: readonly string[]) {
  let start = 0;
  while (start < Math.min(expected.length, actual.length) && expected[start] === actual[start])
    start += 1;
  let end = 0;
  const most = Math.min(expected.length, actual.length) - start;
  while (end < most && expected.at(-1 - end) === actual.at(-1 - end)) end += 1;
  const both = (lines: readonly string[]) => lines.map((text): Line => ({ mark: ' ', text }));
  const from = Math.max(0, start - context);
  const behind = expected.length - end;
  const want = expected.slice(start, behind);
  const have = actual.slice(start, actual.length - end);
  const lines = between(want, have);
  const told = lines.reduce((sum, { mark }) => sum + (mark === ' ' ? 2 : 1), 0);
  return {
    from,
    lines: [
      ...both(expected.slice(from, start)),
      ...lines,
      ...both(expected.slice(behind, behind + context)),
    ],
    left: want.length + have.length - told,
  };
}

/** Aligns what is between the first and the last difference by a longest common subsequence. */
function between(expected: readonly string[], actual: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ mark: '-', text });
  const added = (text: string): Line => ({ mark: '+', text });
  if (Math.max(expected.length, actual.length) > maxDiffedLines) {
    const some = (lines: readonly string[]) => lines.slice(0, maxDiffedLines);
    return [...some(expected).map(removed), ...some(actual).map(added)];
  }
  const width = actual.length + 1;
  // How many lines are common from here to the end, for each pair of places.
  const common = new Uint16Array((expected.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = expected.length - 1; i >= 0; i -= 1)
    for (let j = actual.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        expected[i] === actual[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < expected.length || j < actual.length) {
    const [want, have] = [expected[i], actual[j]];
    if (want !== undefined && want === have) {
      lines.push({ mark: ' ', text: want });
      i += 1;
      j += 1;
    } else if (want !== undefined && (have === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(want));
      i += 1;
    } else {
      lines.push(added(have ?? ''));
      j += 1;
    }
  }
  return lines;
}
