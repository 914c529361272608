import assert from 'node:assert/strict';
import type { ListStatus } from '../../../../src/mcp/lists/listSpecs';
import { paletteEntry } from '../../../../src/prompts/palette/paletteEntry';
import {
  ChosenPrompts,
  listingOf,
  wantedEntries,
  type PaletteMode,
} from '../../../../src/prompts/palette/wantedEntries';
import { Command } from '../../../../src/ui/ids';
import manifest from '../../../../package.json';
import { fakeServer, type FakeServerOptions } from '../../../support/fakes/fakeServer';
import { createMemento } from '../../../support/fakes/memento';

const one = fakeServer({ id: 'one', prompts: [{ name: 'a' }, { name: 'b' }] });
const two = fakeServer({ id: 'two', prompts: [{ name: 'a' }] });
const pinned = { server: one, prompt: { name: 'b' } };

async function choosing(...entries: readonly (typeof pinned)[]) {
  const chosen = new ChosenPrompts(createMemento(), 'some');
  for (const entry of entries) await chosen.choose(entry, true);
  return chosen;
}

describe('the entries that a window wants', () => {
  const modes: readonly (readonly [PaletteMode, readonly string[]])[] = [
    ['ask', []],
    ['off', []],
    ['all', ['one/a', 'one/b', 'two/a']],
    ['pinned', ['one/b']],
  ];
  for (const [mode, expected] of modes)
    it(`are ${expected.join(', ') || 'none'} for "${mode}"`, async () => {
      const [pins, publications] = [await choosing(pinned), await choosing()];
      const entries = await wantedEntries([one, two], { mode, pins, publications }, []);
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
    it(`are changed one by one in mode "${mode}" with ${expected.join() || 'nothing'}`, async () => {
      const pins = await choosing(pinned);
      assert.deepEqual(offered(`prompt.${listingOf({ mode, pins }, pinned)}`), expected);
    });

  const others: readonly (readonly [string, FakeServerOptions])[] = [
    ['of the same name elsewhere', { place: 'elsewhere' }],
    ['that runs something else by now', { args: ['other'] }],
  ];
  for (const [what, other] of others)
    it(`are not those that were chosen of a server ${what}`, async () => {
      const prompts = [{ name: 'a' }, { name: 'b' }];
      const again = fakeServer({ id: 'one', prompts, ...other });
      const unknown = fakeServer({ id: 'one', ...other });
      unknown.prompts.set([], 'empty');
      const chosen = await choosing(pinned);
      const choice = { mode: 'pinned', pins: chosen, publications: chosen } as const;
      const installed = await wantedEntries([one], choice, []);
      assert.deepEqual(
        installed.map(({ prompt, slash }) => [prompt, slash !== undefined]),
        [['b', true]],
      );
      for (const server of [again, unknown])
        assert.deepEqual(await wantedEntries([server], choice, installed), []);
      assert.ok(!chosen.has({ server: again, prompt: { name: 'b' } }));
      // The other one's own choice leaves those of the first alone.
      await chosen.choose({ server: again, prompt: { name: 'a' } }, true);
      await chosen.choose({ server: again, prompt: { name: 'b' } }, false);
      assert.deepEqual(
        [await chosen.namesOf(one), await chosen.namesOf(again)],
        [new Set(['b']), new Set(['a'])],
      );
    });

  it('are forgotten with the server, and no others', async () => {
    const other = { server: two, prompt: { name: 'a' } };
    const chosen = await choosing(pinned, other);
    await chosen.clear('one');
    assert.deepEqual([chosen.has(pinned), chosen.has(other)], [false, true]);
    await chosen.clear();
    assert.ok(!chosen.has(other));
  });

  it('are told of for rows once it is known of which launch a server is', async () => {
    const store = createMemento();
    await new ChosenPrompts(store, 'some').choose(pinned, true);
    const chosen = new ChosenPrompts(store, 'some');
    const learned: unknown[] = [];
    chosen.onDidLearn((server) => learned.push(server));
    assert.ok(!chosen.has(pinned));
    for (const server of [one, two, one]) await chosen.namesOf(server);
    assert.ok(chosen.has(pinned));
    assert.deepEqual(learned, [one]);
  });

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
        { mode: 'all', pins: await choosing(), publications: await choosing() },
        installed,
      );
      assert.deepEqual(entries, keeps ? installed.slice(0, 1) : []);
    });
});
