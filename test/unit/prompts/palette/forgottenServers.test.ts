import assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/log';
import type { CompanionExtension } from '../../../../src/prompts/palette/companionExtension';
import type { WorkspaceParts } from '../../../../src/prompts/palette/companionManifest';
import { Palette } from '../../../../src/prompts/palette/palette';
import { paletteEntry } from '../../../../src/prompts/palette/paletteEntry';
import { PaletteChoice } from '../../../../src/prompts/palette/wantedEntries';
import type { Logs } from '../../../../src/ui/logs';
import { FakeServer, FakeServers } from '../../../support/fakes/fakeServer';
import { createMemento } from '../../../support/fakes/memento';
import { poll } from '../../../support/poll';

describe('the generated extension, once a server is forgotten', () => {
  it('says nothing of its prompts, for no workspace, and all of those of others', async () => {
    const one = new FakeServer({ id: 'one', prompts: [{ name: 'a', title: 'Secret Project' }] });
    const two = new FakeServer({ id: 'two', prompts: [{ name: 'b' }] });
    const [a, b] = await Promise.all(
      [one, two].flatMap((server) =>
        server.prompts.items.map((prompt) => paletteEntry({ server, prompt })),
      ),
    );
    assert.ok(a && b);
    const elsewhere = { seen: new Date().toISOString().slice(0, 10), entries: [a, b] };
    const companion = {
      installed: true,
      parts: { elsewhere, alone: { ...elsewhere, entries: [a] } } as WorkspaceParts,
      install: async (parts: WorkspaceParts) => void (companion.parts = parts),
      uninstall: () => assert.fail('it is still of use'),
    };
    const choice = new PaletteChoice(createMemento());
    Object.defineProperty(choice, 'mode', { value: 'all' });
    const palette = new Palette({
      servers: new FakeServers(one, two),
      choice,
      companion: companion as unknown as CompanionExtension,
      logs: { extension: silentLogger } as unknown as Logs,
      runs: { run: () => Promise.resolve(undefined) },
      onRefused: (error) => assert.fail(String(error)),
      onUninstalled: () => assert.fail(),
    });
    const titles = () =>
      Object.values(companion.parts)
        .flatMap(({ entries }) => entries.map(({ title }) => title))
        .toSorted();
    await palette.apply();
    assert.deepEqual(titles(), [a.title, a.title, a.title, b.title, b.title].toSorted());
    // Where its prompts are not known, those that are installed would stay.
    one.prompts.set([], 'empty');
    await palette.apply();
    assert.equal(titles().filter((title) => title === a.title).length, 3);
    palette.forget('one');
    await poll('the entries', 5000, async () => !titles().includes(a.title) || undefined);
    assert.deepEqual(titles(), [b.title, b.title]);
    assert.ok(!Object.hasOwn(companion.parts, 'alone'));
    // It may say something again.
    one.prompts.set([{ name: 'a', title: 'Other Project' }], 'loaded');
    await palette.apply();
    assert.equal(titles().length, 3);
    palette.dispose();
    choice.dispose();
  });
});
