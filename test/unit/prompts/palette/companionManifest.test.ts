import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import * as fc from 'fast-check';
import {
  companionManifest,
  contextValue,
  joinEntries,
  readParts,
  withPart,
  type WorkspaceParts,
} from '../../../../src/prompts/palette/companionManifest';
import type { PaletteEntry } from '../../../../src/prompts/palette/paletteEntry';

const today = new Date('2026-03-01T12:00:00Z');

function entry(name: string, title = name): PaletteEntry {
  const command = `mcpWorkbench.prompt.demo.${name}.${name.repeat(3)}`;
  return { server: 'demo', prompt: name, command, title, category: 'demo' };
}

const parts: WorkspaceParts = {
  w1: { seen: '2026-03-01', entries: [entry('a'), entry('b')] },
  w2: { seen: '2026-02-28', entries: [entry('b', 'old b'), entry('c')] },
};

/** Returns the commands in the palette of a window with these entries. */
function shown(
  { contributes }: ReturnType<typeof companionManifest>,
  entries: readonly PaletteEntry[],
): readonly string[] {
  return contributes.menus.commandPalette
    .filter(({ when }) => {
      const pattern = /^key =~ \/(.*)\/$/.exec(when)?.[1];
      assert.ok(pattern);
      return new RegExp(pattern).test(contextValue(entries));
    })
    .map(({ command }) => command);
}

describe('the manifest of the generated extension', () => {
  const manifest = companionManifest(parts, '1.0.5', 'key', inEnglish);

  it('holds no code', () => {
    assert.ok(!('main' in manifest) && !('browser' in manifest));
    assert.ok(!('activationEvents' in manifest));
  });

  it('has the entries of all workspaces, each once, as last seen', () => {
    assert.deepEqual(manifest.contributes.commands.map(({ title }) => title).toSorted(), [
      'a',
      'b',
      'c',
    ]);
    assert.deepEqual(Object.keys(manifest.contributes.commands[0] ?? {}), [
      'command',
      'title',
      'category',
    ]);
  });

  it('shows an entry only where the context key names it', () => {
    assert.deepEqual(shown(manifest, []), []);
    assert.deepEqual(shown(manifest, [entry('c'), entry('a')]).toSorted(), [
      entry('a').command,
      entry('c').command,
    ]);
  });

  it('gives the parts back', () =>
    assert.deepEqual(readParts(JSON.parse(JSON.stringify(manifest))), parts));

  for (const other of [
    undefined,
    null,
    {},
    { mcpWorkbenchPrompts: 3 },
    { mcpWorkbenchPrompts: { w: {} } },
  ])
    it(`finds no parts in ${JSON.stringify(other)}`, () => assert.deepEqual(readParts(other), {}));
});

describe('the part of a workspace', () => {
  it('changes nothing when its entries are the same in another order', () =>
    assert.equal(withPart(parts, 'w1', [entry('b'), entry('a')], today), undefined));

  for (const [name, entries] of [
    ['a new entry', [entry('a'), entry('b'), entry('d')]],
    ['an entry less', [entry('a')]],
    ['a new title', [entry('a'), entry('b', 'B')]],
  ] as const)
    it(`is replaced for ${name}, the others kept`, () => {
      const next = withPart(parts, 'w1', entries, today);
      assert.deepEqual(next?.['w1']?.entries, entries);
      assert.deepEqual(next['w2'], parts['w2']);
    });

  it('is added for a new workspace and not for one that wants nothing', () => {
    assert.deepEqual(withPart(parts, 'w3', [entry('x')], today)?.['w3'], {
      seen: '2026-03-01',
      entries: [entry('x')],
    });
    assert.equal(withPart(parts, 'w3', [], today), undefined);
  });

  it('goes when it wants nothing any more', () =>
    assert.deepEqual(Object.keys(withPart(parts, 'w1', [], today) ?? {}), ['w2']));

  it('is refreshed once a week, so that it does not count as forgotten', () => {
    const later = new Date('2026-03-09T12:00:00Z');
    assert.equal(
      withPart(parts, 'w1', [entry('a'), entry('b')], later)?.['w1']?.seen,
      '2026-03-09',
    );
  });

  it('is dropped when no window wanted it for a quarter of a year', () => {
    const later = new Date('2026-05-30T12:00:00Z');
    assert.deepEqual(Object.keys(withPart(parts, 'w1', [entry('a')], later) ?? {}), ['w1']);
  });
});

/** Simulates windows that share an extension: each only knows what was installed when its previous turn ended. */
function settle(windows: readonly { readonly key: string; readonly wanted: readonly string[] }[]): {
  readonly parts: WorkspaceParts;
  readonly installs: number;
} {
  let installed: WorkspaceParts = {};
  let installs = 0;
  const turn = (seen: WorkspaceParts, at: number, ownChange: boolean): boolean => {
    const { key = '', wanted = [] } = windows[at] ?? {};
    // Each window knows the prompts under different titles, as if from another time.
    const entries = wanted.map((name) => entry(name, `${name} ${at}`));
    const target = ownChange ? entries : joinEntries(seen[key]?.entries ?? [], entries);
    const next = withPart(seen, key, target, today);
    if (!next) return false;
    installed = next;
    installs += 1;
    return true;
  };
  // All do it at the same time, so that each overwrites what the others just installed.
  for (const at of windows.keys()) turn({}, at, true);
  let changed = true;
  for (let round = 0; changed && round < 100; round += 1) {
    const turns = windows.map((_, at) => turn(installed, at, false));
    changed = turns.includes(true);
  }
  return { parts: installed, installs };
}

describe('windows that want different entries', () => {
  it('agree after few installations, and each has what it wants', () => {
    const window = fc.record({
      key: fc.constantFrom('w1', 'w2', 'w3'),
      wanted: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
    });
    fc.assert(
      fc.property(fc.array(window, { maxLength: 6 }), (windows) => {
        const settled = settle(windows);
        assert.ok(settled.installs <= 2 * windows.length, `${settled.installs} installations`);
        for (const { key, wanted } of windows) {
          const names = settled.parts[key]?.entries.map(({ prompt }) => prompt) ?? [];
          assert.deepEqual(
            wanted.filter((name) => !names.includes(name)),
            [],
          );
        }
      }),
    );
  });
});
