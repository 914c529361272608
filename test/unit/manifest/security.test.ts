import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingRules, type SettingRule } from '../../../src/ui/settings/settingRules';
import { repositoryRoot } from '../../support/paths';

/** How the table describes each reach. */
const reaches: Readonly<Record<SettingRule<unknown>['reach'], string>> = {
  user: 'only yours counts',
  tightens: 'the stricter one holds',
  asked: "only yours counts; you are asked about the workspace's",
  place: "only yours counts for your servers; for the workspace's, the closest one holds",
  free: 'the closest one holds; it permits nothing by itself',
};

const text = readFileSync(join(repositoryRoot, 'docs', 'security.md'), 'utf8');

/** Returns the rows of the table below a heading, split into cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

describe('The page on security', () => {
  const attacks = rowsBelow('Attacks');

  it('has a defence and a test for each of many attacks', () => {
    assert.ok(attacks.length >= 40, `${attacks.length}`);
    assert.equal(new Set(attacks.map(([attack]) => attack)).size, attacks.length);
    for (const cells of attacks) assert.equal(cells.filter(Boolean).length, 3, cells[0]);
  });

  for (const [attack = '', , cell = ''] of attacks)
    it(`names a test against ${attack}`, () => {
      const [, title, file] = /^(.+) \(`(\S+\.test\.ts)`\)$/.exec(cell) ?? [];
      assert.ok(title && file, cell);
      const tests = readFileSync(join(repositoryRoot, 'test', file), 'utf8');
      assert.ok(tests.includes(title), `${file} has no test "${title}"`);
    });

  it('tells of every setting what a workspace may do with it', () => {
    const rules = Object.entries(settingRules) as unknown as [string, SettingRule<unknown>][];
    const wanted = rules.map(([key, { reach, fallback }]) => [
      `\`${key}\``,
      reaches[reach],
      `\`${JSON.stringify(fallback)}\``,
    ]);
    assert.deepEqual(rowsBelow('Settings that a workspace may change'), wanted);
  });
});
