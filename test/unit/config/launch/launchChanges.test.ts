import assert from 'node:assert/strict';
import { launchChanges } from '../../../../src/config/launch/launch';

const text = (...lines: readonly string[]) =>
  [
    'Command line',
    ...lines.map((line) => `    ${line}`),
    '',
    'Working directory',
    '    /work',
  ].join('\n');

describe('the changes of a launch', () => {
  for (const [what, before, now, added, removed] of [
    ['nothing', ['node', 'a.js'], ['node', 'a.js'], [], []],
    ['an argument that is new', ['node', 'a.js'], ['node', '-r', 'a.js'], ['-r'], []],
    ['an argument that is gone', ['node', '-r', 'a.js'], ['node', 'a.js'], [], ['-r']],
    ['another argument', ['node', 'a.js'], ['node', 'b.js'], ['b.js'], ['a.js']],
    ['an argument once more', ['x', '-v'], ['x', '-v', '-v'], ['-v'], []],
    ['a line that looks like another section', ['x'], ['x', 'Command line'], ['Command line'], []],
  ] as const)
    it(`are ${what}`, () =>
      assert.deepEqual(launchChanges(text(...before), text(...now)), { added, removed }));
});
