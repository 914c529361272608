import assert from 'node:assert/strict';
import { withInserted } from '../../../../src/ui/sources/textSources';

describe('a text that is inserted', () => {
  for (const [current, text, expected] of [
    ['', '/srv/app', '/srv/app'],
    ['', 'a\nb', 'a\nb'],
    ['Review this folder: ', '/srv/app', 'Review this folder: /srv/app'],
    ['path=', '/srv/app', 'path=/srv/app'],
    ['Review this:', 'a\nb\n', 'Review this:\na\nb\n'],
    ['Review this:\n', 'a\nb', 'Review this:\na\nb'],
    ['See also: ', 'a\n', 'See also: a\n'],
  ] as const)
    it(`stands behind what was typed: ${JSON.stringify(current)} and ${JSON.stringify(text)}`, () =>
      assert.equal(withInserted(current, text), expected));
});
