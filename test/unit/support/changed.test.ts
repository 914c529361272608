import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { built } from '../../support/paths';
import { readGraph, testsOfChange, testsThatImport } from '../../support/run/changed';
import { testFiles } from '../../support/run/runMocha';

const graph = {
  'src/base/text.ts': [],
  'src/base/errors.ts': ['src/base/text.ts'],
  'src/ui/face.ts': ['src/base/errors.ts', 'src/ui/context.ts'],
  'src/ui/context.ts': ['src/ui/face.ts'],
  'src/main.ts': ['src/ui/context.ts'],
  'test/support/poll.ts': [],
  'test/unit/base/text.test.ts': ['src/base/text.ts'],
  'test/unit/base/errors.test.ts': ['src/base/errors.ts', 'test/support/poll.ts'],
  'test/unit/manifest/docs.test.ts': [],
  'test/host/ui/face.test.ts': ['src/ui/face.ts', 'test/support/poll.ts'],
  'test/journeys/tools.test.ts': ['test/support/poll.ts'],
};
const [text, errors, face] = [
  'test/unit/base/text.test.ts',
  'test/unit/base/errors.test.ts',
  'test/host/ui/face.test.ts',
];

describe('the tests of a change', () => {
  for (const [what, files, tests] of [
    ['nothing', [], []],
    ['a file, also over others that import it', ['src/base/text.ts'], [face, errors, text]],
    ['files that import each other', ['src/ui/context.ts'], [face]],
    ['what tests share, without journeys', ['test/support/poll.ts'], [face, errors]],
    ['a test itself', [text], [text]],
    ['a test that was deleted', ['test/unit/base/gone.test.ts'], []],
  ] as const)
    it(`are those that import it: ${what}`, () =>
      assert.deepEqual(testsThatImport(files, graph), tests));

  it('are also those of the manifest and the documents, where it is no code', () =>
    assert.deepEqual(testsOfChange(['docs/tools.md'], graph), {
      unit: [built('unit', 'manifest', 'docs.test.js')],
      host: [],
      untested: [],
    }));

  it('name the code that none of them imports', () =>
    assert.deepEqual(testsOfChange(['src/main.ts', 'src/base/text.ts'], graph).untested, [
      'src/main.ts',
    ]));

  it('are found among all that there are, by what the bundler wrote down', async () => {
    const real = await readGraph();
    const all = [...testFiles(built('host')), ...testFiles(built('unit'))].map(
      (path) => `test/${relative(built(), path).replaceAll('\\', '/').replace(/js$/, 'ts')}`,
    );
    assert.deepEqual(testsThatImport(Object.keys(real), real), all.toSorted());
    const own = 'test/unit/support/changed.test.ts';
    assert.ok(testsThatImport(['test/support/run/execute.ts'], real).includes(own));
    assert.ok(!testsThatImport(['src/extension.ts'], real).includes(own));
  });
});
