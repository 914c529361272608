import assert from 'node:assert/strict';
import manifest from '../../../package.json';
import { unpublishable } from '../../../tools/build/publication';

describe('an address of the manifest', () => {
  const url = 'https://example.com/mcp-workbench';
  const vsce = { baseContentUrl: `${url}/blob/main` };
  const real = { repository: { url }, bugs: { url: `${url}/issues` }, homepage: url, vsce };

  it('keeps nothing from being published where it is real', () =>
    assert.deepEqual(unpublishable(real), []));

  for (const [what, changed, left] of [
    ['a placeholder', { ...real, homepage: 'https://placeholder.invalid/' }, ['homepage']],
    ['a placeholder with a path', { ...real, bugs: { url: 'https://a.invalid/b' } }, ['bugs']],
    ['missing', { homepage: url, vsce }, ['repository', 'bugs']],
  ] as const)
    it(`keeps the extension from being published where it is ${what}`, () =>
      assert.deepEqual(unpublishable(changed), left));

  it('is a placeholder in one place until there is a repository, or in none', () =>
    assert.ok([0, 4].includes(unpublishable(manifest).length)));
});
