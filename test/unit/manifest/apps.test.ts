import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

const text = readFileSync(join(repositoryRoot, 'docs', 'apps.md'), 'utf8');
const [, specification = ''] = text.split('\n## The specification\n');
const rows = specification
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

describe('The page on apps', () => {
  for (const [asked = '', here = '', tests = ''] of rows)
    it(`says what becomes of: ${asked}`, () => {
      assert.ok(asked && here, asked);
      // A host does not have to do what it MAY do.
      assert.ok(tests || asked.startsWith('MAY '), asked);
      for (const test of tests ? tests.split('; ') : []) {
        const [, title, file] = /^(.+) \(`(\S+\.test\.ts)`\)$/.exec(test) ?? [];
        assert.ok(title && file, test);
        const source = readFileSync(join(repositoryRoot, 'test', file), 'utf8');
        assert.ok(source.includes(title), `${file} has no test "${title}"`);
      }
    });
});
