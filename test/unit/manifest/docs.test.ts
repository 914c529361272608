import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(repositoryRoot, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

describe('a page of the documentation', () => {
  for (const page of pages)
    it(`links to files that are there: ${page}`, () => {
      const text = readFileSync(join(repositoryRoot, page), 'utf8');
      const links = Array.from(
        text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
        ([, link = '']) => link,
      );
      const folder = dirname(join(repositoryRoot, page));
      assert.deepEqual(
        links.filter((link) => !existsSync(join(folder, link))),
        [],
      );
    });
});
