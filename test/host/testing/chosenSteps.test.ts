import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { neverAborted } from '../../../src/base/async';
import { UserError } from '../../../src/base/errors';
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

  it('leaves what has ended as it ended when it is stopped', async () => {
    const stop = new AbortController();
    let calls = 0;
    const onCall = async (_name: string, signal: AbortSignal) => {
      calls += 1;
      if (calls === 2) stop.abort();
      signal.throwIfAborted();
    };
    const tested = testedFile({ steps, onCall });
    try {
      assert.deepEqual(await tested.run({}, stop.signal), ['a passed', 'b skipped']);
    } finally {
      tested.dispose();
    }
  });

  it('leaves what has ended as it ended when the next session does not open', async () => {
    let sessions = 0;
    const allows = async () => {
      sessions += 1;
      if (sessions === 2) throw new UserError('It does not start.');
      return true;
    };
    const tested = testedFile({ steps, session: 'step', allows });
    try {
      assert.deepEqual(await tested.run({}, neverAborted()), ['a passed', 'b errored']);
    } finally {
      tested.dispose();
    }
  });
});
