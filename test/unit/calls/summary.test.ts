import assert from 'node:assert/strict';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { type FileReport, summaryReport } from '../../../src/calls/report/report';

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
    ['failures', [failed], [/^### ❌/, /^\| File .*\n\| --- .*\n\| `a/]],
    ['broken files', [broken], [/^### ❌/, /^- a/]],
    ['both', [failed, broken], [/^### ❌/, /^- a/, /^\| File .*\n\| --- .*\n\| `a/]],
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
