import assert from 'node:assert/strict';
import { entryMark, paletteEntry } from '../../../../src/prompts/palette/paletteEntry';
import { fakeServer } from '../../../support/fakes/fakeServer';

const entryOf = (serverId: string, name: string, title?: string) =>
  paletteEntry({
    server: fakeServer({ id: serverId }),
    prompt: { name, ...(title !== undefined && { title }) },
  });

describe('an entry of the palette', () => {
  it('shows the title and the server', async () => {
    const { title, category } = await entryOf('demo', 'code_review', 'Review Code');
    assert.deepEqual([title, category], ['Review Code', 'demo']);
  });

  it('shows the name where there is no title', async () =>
    assert.equal((await entryOf('demo', 'code_review')).title, 'code_review'));

  it('has a command that stays the same when the title changes', async () => {
    const before = await entryOf('demo', 'review', 'Old');
    const after = await entryOf('demo', 'review', 'New');
    assert.equal(before.command, after.command);
    assert.match(before.command, /^mcpWorkbench\.prompt\.demo\.review\.[0-9a-f]{12}$/);
  });

  it('has a command and a mark of its own for each server and name', async () => {
    const entries = await Promise.all([
      entryOf('a', 'b'),
      entryOf('a', 'B'),
      entryOf('A', 'b'),
      entryOf('a b', ''),
      entryOf('', 'a b'),
      entryOf('日本', '語'),
    ]);
    assert.equal(new Set(entries.map(({ command }) => command)).size, entries.length);
    assert.equal(new Set(entries.map(entryMark)).size, entries.length);
    for (const { command } of entries) assert.match(command, /^[\w.-]+$/);
  });

  it('is never empty', async () => {
    const { title, category } = await entryOf('', ' ', ' ');
    assert.ok(title && category);
  });

  for (const text of ['%command.startServer%', '$(trash) x', 'a\u202Eb', 'a\nb'])
    it(`shows ${JSON.stringify(text)} literally`, async () => {
      const { title } = await entryOf('demo', 'p', text);
      assert.ok(!/^%.*%$|\$\(|\u202E|\n/.test(title), title);
    });

  it('is cut when it is very long', async () =>
    assert.ok((await entryOf('demo', 'p', 'x'.repeat(5000))).title.length <= 100));
});
