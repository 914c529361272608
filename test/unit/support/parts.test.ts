import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import { firstJourneys, longTests, namedParts, parts } from '../../support/run/parts';

describe('the parts of the tests', () => {
  it('stand in the table of CONTRIBUTING.md, in the order in which they run, with what `npm test` has of them', () => {
    const text = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');
    const rows = [...text.matchAll(/^\| (\w[\w -]*?) +\| (yes)? +\| /gm)];
    assert.deepEqual(
      rows.map(([, name, isQuick]) => [name, isQuick ? 'quick' : 'rest']),
      namedParts([]).map((name) => [name, parts[name]?.group]),
    );
  });

  it('are all those of both groups, each once, if none is named', () =>
    assert.deepEqual(namedParts([]), [...namedParts(['quick']), ...namedParts(['rest'])]));

  it('run beside those of their own group alone', () => {
    for (const { group, besides = [] } of Object.values(parts))
      for (const name of besides) assert.equal(parts[name]?.group, group, name);
  });

  it('name the folders and files of long tests that there are', () => {
    for (const path of [...longTests, ...firstJourneys]) assert.ok(existsSync(path), path);
  });

  it('are named by those who ask for one that there is not', () =>
    assert.throws(
      () => namedParts(['hosts']),
      /No part is called hosts: there are quick, rest, short unit tests/,
    ));
});
