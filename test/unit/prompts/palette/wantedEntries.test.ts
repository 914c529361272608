import assert from 'node:assert/strict';
import type { ListStatus } from '../../../../src/mcp/lists/listSpecs';
import { paletteEntry } from '../../../../src/prompts/palette/paletteEntry';
import {
  listingOf,
  wantedEntries,
  type PaletteMode,
} from '../../../../src/prompts/palette/wantedEntries';
import { promptKey } from '../../../../src/prompts/promptEntry';
import { Command } from '../../../../src/ui/ids';
import manifest from '../../../../package.json';
import { fakeServer } from '../../../support/fakes/fakeServer';

const one = fakeServer({ id: 'one', prompts: [{ name: 'a' }, { name: 'b' }] });
const two = fakeServer({ id: 'two', prompts: [{ name: 'a' }] });
const pinned = [promptKey({ server: one, prompt: { name: 'b' } })];

describe('the entries that a window wants', () => {
  const modes: readonly (readonly [PaletteMode, readonly string[]])[] = [
    ['ask', []],
    ['off', []],
    ['all', ['one/a', 'one/b', 'two/a']],
    ['pinned', ['one/b']],
  ];
  for (const [mode, expected] of modes)
    it(`are ${expected.join(', ') || 'none'} for "${mode}"`, async () => {
      const entries = await wantedEntries([one, two], { mode, pinned, published: [] }, []);
      assert.deepEqual(
        entries.map(({ server, prompt }) => `${server}/${prompt}`),
        expected,
      );
    });

  /** Returns which of these commands the menu of a prompt's row offers. */
  const offered = (row: string) =>
    manifest.contributes.menus['view/item/context']
      .filter(({ when }) => {
        const pattern = /viewItem =~ \/(.*)\/$/.exec(when)?.[1];
        return pattern !== undefined && new RegExp(pattern).test(row);
      })
      .map(({ command }) => command)
      .filter((command) => command.endsWith('PromptToPalette') || command.endsWith('FromPalette'));
  for (const [mode, expected] of [
    ['all', []],
    ['pinned', [Command.removePromptFromPalette]],
    ['off', [Command.addPromptToPalette]],
  ] as const)
    it(`are changed one by one in mode "${mode}" with ${expected.join() || 'nothing'}`, () =>
      assert.deepEqual(
        offered(`prompt.${listingOf({ mode, pinned }, pinned[0] ?? '')}`),
        expected,
      ));

  const statuses: readonly (readonly [ListStatus, boolean])[] = [
    ['empty', true],
    ['loading', true],
    ['failed', true],
    ['loaded', false],
    ['cached', false],
    ['stale', false],
  ];
  for (const [status, keeps] of statuses)
    it(`${keeps ? 'keep' : 'drop'} those of a server whose empty list is ${status}`, async () => {
      const server = fakeServer({ id: 'one' });
      server.prompts.set([], status);
      const installed = await Promise.all([
        paletteEntry({ server: one, prompt: { name: 'a' } }),
        paletteEntry({ server: two, prompt: { name: 'a' } }),
      ]);
      const entries = await wantedEntries(
        [server],
        { mode: 'all', pinned: [], published: [] },
        installed,
      );
      assert.deepEqual(entries, keeps ? installed.slice(0, 1) : []);
    });
});
