import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import { FollowedRuns, type RunPart } from '../../../src/testing/continuousRun';

const a = { file: 'a', server: 's' };
const b = { file: 'b', server: 's' };
const other = { file: 'c', server: 't' };

/**
 * Creates runs of those three files, which continue until a test ends them or they are given up, and records the
 * files of each.
 */
function create() {
  const parts = new Map<string, RunPart>([a, b, other].map((part) => [part.file, part]));
  const begun: { readonly files: string; readonly signal: AbortSignal; end(): void }[] = [];
  const runs = new FollowedRuns((wants, signal) => {
    const ended = deferred<void>();
    const files = [...parts.values()].filter(wants).map(({ file }) => file);
    begun.push({ files: files.join(' '), signal, end: () => ended.resolve() });
    return ended.promise;
  });
  const settle = () => new Promise(setImmediate);
  return {
    runs,
    begun,
    change: async (part: RunPart) => {
      parts.set(part.file, part);
      runs.fileChanged(part);
      await settle();
    },
    restart: async (id: string) => {
      runs.serverStarted(id);
      await settle();
    },
    end: async (index: number) => {
      begun[index]?.end();
      await settle();
    },
    shown: () => begun.map(({ files, signal }) => (signal.aborted ? `(${files})` : files)),
  };
}

type Runs = ReturnType<typeof create>;

describe('runs that follow servers and files', () => {
  const cases: readonly [
    what: string,
    first: (runs: Runs) => Promise<void>,
    second: (runs: Runs) => Promise<void>,
    shown: readonly string[],
  ][] = [
    [
      'a run of a file, by a start of its server',
      ({ change }) => change(a),
      ({ restart }) => restart('s'),
      ['(a)', 'a b'],
    ],
    [
      'a run for a server, by its next start',
      ({ restart }) => restart('s'),
      ({ restart }) => restart('s'),
      ['(a b)', 'a b'],
    ],
    [
      'a run for a server, by a change of its file, and run for it again',
      ({ restart }) => restart('s'),
      ({ change }) => change(a),
      ['(a b)', 'a b'],
    ],
    [
      'a run for a server, by a change that moves a file to another',
      ({ restart }) => restart('s'),
      ({ change }) => change({ ...a, server: 't' }),
      ['(a b)', 'a b'],
    ],
    [
      'a run of a file, by its next change',
      ({ change }) => change(a),
      ({ change }) => change(a),
      ['(a)', 'a'],
    ],
    [
      'no run of a file, by a change of another',
      ({ change }) => change(a),
      ({ change }) => change(b),
      ['a', 'b'],
    ],
    [
      'no run of a file, by a start of another server',
      ({ change }) => change(a),
      ({ restart }) => restart('t'),
      ['a', 'c'],
    ],
    [
      'no run for a server, by a change of a file of another',
      ({ restart }) => restart('s'),
      ({ change }) => change(other),
      ['a b', 'c'],
    ],
  ];
  for (const [what, first, second, shown] of cases)
    it(`give up ${what}`, async () => {
      const runs = create();
      await first(runs);
      await second(runs);
      await runs.end(0);
      assert.deepEqual(runs.shown(), shown);
    });

  it('begin once those that they overtake have ended, and the latest alone', async () => {
    const { restart, change, end, shown } = create();
    await change(a);
    await restart('s');
    await restart('s');
    assert.deepEqual(shown(), ['(a)']);
    await end(0);
    assert.deepEqual(shown(), ['(a)', 'a b']);
  });

  it('give up nothing that has ended', async () => {
    const { restart, change, end, shown } = create();
    await restart('s');
    await end(0);
    await change(a);
    assert.deepEqual(shown(), ['a b', 'a']);
  });

  it('are all given up in the end', async () => {
    const { runs, change, shown } = create();
    await change(a);
    await change(other);
    runs.stop();
    assert.deepEqual(shown(), ['(a)', '(c)']);
  });
});
