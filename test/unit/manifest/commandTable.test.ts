import assert from 'node:assert/strict';
import manifest from '../../../package.json';
import { commandContributions } from '../../../tools/manifest/commandTable';

describe('the table of commands', () => {
  const { commands, menus, keybindings } = commandContributions();

  it('is what the manifest says of commands and their keys: `npm run manifest` writes it', () => {
    assert.deepEqual(manifest.contributes.commands, commands);
    assert.deepEqual(manifest.contributes.keybindings, keybindings);
  });

  for (const [menu, entries] of Object.entries(menus))
    it(`is what the manifest says of ${menu}: \`npm run manifest\` writes it`, () =>
      assert.deepEqual(
        (manifest.contributes.menus as Record<string, readonly unknown[]>)[menu],
        entries,
      ));

  it('knows every menu of the manifest', () =>
    assert.deepEqual(
      Object.keys(manifest.contributes.menus).toSorted(),
      Object.keys(menus).toSorted(),
    ));
});
