import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { neverAborted } from '../../../src/base/abort';
import { testedFile } from './testedFile';

type Items = Pick<ReturnType<typeof testedFile>, 'file' | 'item'>;

describe('a run in the Test Explorer', function () {
  this.timeout(60_000);
  const steps = ['a', 'b'].map((name) => ({ name, call: 'called' }));
  const cases: readonly [
    what: string,
    asked: (items: Items) => Partial<Pick<vscode.TestRunRequest, 'include' | 'exclude'>>,
    told: readonly string[],
  ][] = [
    ['everything', () => ({}), ['a passed', 'b passed']],
    ['a step', ({ item }) => ({ include: [item('b')] }), ['b passed']],
    ['everything but a hidden step', ({ item }) => ({ exclude: [item('a')] }), ['b passed']],
    [
      'a file without its hidden step',
      ({ file, item }) => ({ include: [file], exclude: [item('a')] }),
      ['b passed'],
    ],
    ['nothing of a hidden file', ({ file }) => ({ exclude: [file] }), []],
    [
      'no step of a hidden file',
      ({ file, item }) => ({ include: [item('a')], exclude: [file] }),
      [],
    ],
  ];
  for (const [what, asked, told] of cases)
    it(`sends ${what}, also once more after its file was read again`, async () => {
      const tested = testedFile({ steps });
      try {
        const request = asked(tested);
        for (let runs = 0; runs < 2; runs += 1)
          assert.deepEqual(await tested.run(request, neverAborted()), told);
      } finally {
        tested.dispose();
      }
    });
});
