import assert from 'node:assert/strict';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { junitReport } from '../../../src/calls/report/junit';
import {
  type FileReport,
  diffLines,
  dotReport,
  exitCodeOf,
  maxDiffLines,
  maxDiffedLines,
  maxSummaryBytes,
  summaryReport,
  totalsLine,
} from '../../../src/calls/report/report';

const failed: FileReport = {
  path: 'a.mcp-calls.jsonc',
  results: parseCalls('{ "from": "demo", "steps": [{ "call": "a" }] }').steps.map((step) => ({
    step,
    outcome: 'failed',
    failures: [{ message: 'no' }],
    warnings: [],
    durationMs: 1,
  })),
  problems: [],
  durationMs: 1,
};
const broken: FileReport = { ...failed, results: [], error: 'It does not start.' };

describe('the summary of saved calls', () => {
  const runs: readonly [what: string, files: readonly FileReport[], blocks: readonly RegExp[]][] = [
    ['failures', [failed], [/^### ❌/, /^\| File .*\n\| --- .*\n\| a/]],
    ['broken files', [broken], [/^### ❌/, /^- a/]],
    ['both', [failed, broken], [/^### ❌/, /^- a/, /^\| File .*\n\| --- .*\n\| a/]],
    [
      'both, and tools without a step',
      [failed, { ...broken, uncalledTools: ['b'] }],
      [/^### ❌/, /^- a/, /^\| File/, /^Tools without a step: `b`/],
    ],
  ];
  for (const [what, files, blocks] of runs)
    it(`has an empty line between its blocks: ${what}`, () => {
      const found = summaryReport(files).trimEnd().split('\n\n');
      assert.equal(found.length, blocks.length, found.join('\n…\n'));
      for (const [at, block] of blocks.entries()) assert.match(found[at] ?? '', block);
    });
});

describe('a summary that is too long', () => {
  it('has the parts that there is room for, and says that others are left out', () => {
    const uncalledTools = Array.from({ length: 60_000 }, (_, at) => `tool number ${at}`);
    const text = summaryReport([failed, { ...broken, uncalledTools }]);
    assert.ok(Buffer.byteLength(text) <= maxSummaryBytes + 100);
    assert.match(text, /^### ❌ .*\n\n- a[^]*\| a/);
    assert.doesNotMatch(text, /tool number/);
    assert.match(text, /\n\nThere was no room for 1 more parts of this summary\.\n$/);
  });
});

/** A file whose one step ended in some way. */
const ended = (part: Partial<FileReport['results'][number]>): FileReport => ({
  ...failed,
  results: failed.results.map((result) => ({ ...result, ...part })),
});

describe('a difference between what was expected and what came back', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));
  const joined = (lines: readonly string[]) => lines.join('\n');
  const cases: readonly [
    what: string,
    expected: string,
    actual: string,
    lines: readonly string[],
  ][] = [
    ['of one line', 'a', 'b', ['-a', '+b']],
    ['of an added line', 'a\nb', 'a\nc\nb', [' a', '+c', ' b']],
    ['of a missing line', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    [
      'far from the beginning',
      joined(numbers(20)),
      joined(numbers(20)).replace('10', 'x'),
      ['@@ -8 +8 @@', ' 7', ' 8', ' 9', '-10', '+x', ' 11', ' 12', ' 13'],
    ],
    [
      'in two places',
      joined(numbers(12)),
      joined(['x', ...numbers(12).slice(1, 11), 'y']),
      ['-0', '+x', ' 1', ' 2', ' 3', '@@ -9 +9 @@', ' 8', ' 9', ' 10', '-11', '+y'],
    ],
  ];
  for (const [what, expected, actual, lines] of cases)
    it(`is shown as a unified diff: ${what}`, () =>
      assert.deepEqual(diffLines({ message: '', expected, actual }), [
        '- expected, + actual',
        ...lines,
      ]));

  it('is shown where it is, however far along the line', () => {
    const [head, was, is] = diffLines({
      message: '',
      expected: `${'a'.repeat(1000)}b`,
      actual: `${'a'.repeat(1000)}c`,
    });
    assert.equal(head, '- expected, + actual');
    assert.match(was ?? '', /^-…a+b$/);
    assert.match(is ?? '', /^\+…a+c$/);
  });

  it('is not shown where a part or a pattern was expected', () =>
    assert.deepEqual(diffLines({ message: '', expected: 'a', actual: 'b', isPart: true }), []));

  it('is shown to a bound that says how much is left, however long the texts are', () => {
    const long = (prefix: string) => joined(numbers(maxDiffedLines + 1).map((one) => prefix + one));
    const shown = diffLines({ message: '', expected: long('a'), actual: long('b') });
    assert.equal(shown.length, maxDiffLines + 2);
    assert.equal(shown.at(-1), `… ${2 * (maxDiffedLines + 1) - maxDiffLines} more lines`);
  });

  it('takes no time to speak of where hardly a line is the same', () => {
    const [expected, actual] = ['a\n'.repeat(500_000), 'b\n'.repeat(500_000)];
    const shown = diffLines({ message: '', expected, actual });
    assert.equal(shown.at(-1), `… ${1_000_001 - maxDiffLines} more lines`);
  });

  it('is colored where a terminal shows it, and what a server wrote is not', () => {
    const failures = [{ message: 'no', expected: 'a', actual: '\u001B[1mb' }];
    const lines = dotReport([ended({ failures })], true).split('\n');
    assert.ok(lines.includes('\u001B[31m      -a\u001B[0m'), lines.join('\n'));
    assert.ok(lines.includes('\u001B[32m      +⟨U+001B⟩[1mb\u001B[0m'), lines.join('\n'));
    assert.ok(!dotReport([ended({ failures })]).includes('\u001B'));
  });

  it('has a title in a summary that is shown as it is', () => {
    const failures = [{ message: 'a_b * <i>"c"</i> & d.', expected: 'a', actual: 'b' }];
    const shown = summaryReport([ended({ failures })]);
    const title = 'a: a_b * &lt;i&gt;&quot;c&quot;&lt;/i&gt; &amp; d.';
    assert.ok(shown.includes(`<details><summary>${title}</summary>`), shown);
  });

  it('mentions nobody in a summary', () => {
    const failures = [{ message: '@ada', expected: '@ada', actual: 'b' }];
    const files = [
      { ...ended({ failures }), path: '@ada' },
      { ...broken, error: '@ada' },
    ];
    const shown = summaryReport(files).replace(/^```[^]*^```/m, '');
    assert.equal(shown.match(/@&#8203;ada/g)?.length, 4, shown);
    assert.doesNotMatch(shown, /@ada/);
  });

  it('has no name that is markup in a summary, or ends a cell of its table', () => {
    const path = 'a|<img src=x>|[b](javascript:c)|\\|d.mcp-calls.jsonc';
    const shown = summaryReport([{ ...ended({}), path }]).split('\n');
    const [row = ''] = shown.filter((line) => line.startsWith('| a'));
    const left = row.replaceAll(/\\[^]/g, '');
    assert.doesNotMatch(left, /[<>`[\]]/);
    assert.equal(left.match(/\|/g)?.length, 4, row);
  });

  it('is in one failure of its case in JUnit, with all others', () => {
    const failures = ['one', 'two'].map((message) => ({ message, expected: 'a', actual: 'b' }));
    const report = junitReport([ended({ failures })]);
    assert.equal(report.match(/<failure /g)?.length, 1);
    assert.match(report, /message="one two">one&#10;- expected, \+ actual&#10;-a&#10;\+b&#10;two/);
  });
});

describe('what neither passed nor failed', () => {
  for (const [outcome, counted, mark] of [
    ['advice', '0 passed, 1 worth improving', /<system-out>no<\/system-out>/],
    ['untried', '0 passed, 1 not tried', /<skipped message="no">/],
  ] as const)
    it(`is counted apart, told, and no reason to fail: ${outcome}`, () => {
      const files = [ended({ outcome })];
      assert.ok(totalsLine(files).startsWith(counted), totalsLine(files));
      assert.equal(exitCodeOf(files), 0);
      assert.match(dotReport(files), new RegExp(`^${outcome} +a\\.mcp.*\\n +no$`, 'm'));
      assert.match(junitReport(files), mark);
      assert.match(junitReport(files), /tests="1" failures="0"/);
      assert.match(summaryReport(files), /^### ✅/);
    });
});
