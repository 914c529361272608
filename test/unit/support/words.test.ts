import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

describe('the words that the spelling check knows beside its own', () => {
  const path = join(repositoryRoot, 'tools', 'words.txt');
  const words = readFileSync(path, 'utf8').trimEnd().split('\n');

  it('stand in order, each once, in small letters', () =>
    assert.deepEqual(words, [...new Set(words.map((word) => word.toLowerCase()))].toSorted()));
});
