import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

interface Limit {
  readonly what: string;
  /** The number at the start or end of the row, as text. */
  readonly bound: string;
  readonly constant: string;
  readonly source: string;
  readonly title: string;
  readonly test: string;
}

const row = /^\| (.+?) \| (.+?) \| .+? \| `(\w+)` in `(\S+)` \| (.+) \(`(\S+)`\) +\|$/;

function readLimits(): readonly Limit[] {
  const text = readFileSync(join(repositoryRoot, 'docs', 'limits.md'), 'utf8').replaceAll(
    / +\|/g,
    ' |',
  );
  return text.split('\n').flatMap((line) => {
    const [, what, bound, constant, source, title, test] = row.exec(line) ?? [];
    return what && bound && constant && source && title && test
      ? [{ what, bound, constant, source, title, test }]
      : [];
  });
}

/** Returns the value of a constant that is a number or a product of numbers; `undefined` for any other. */
function valueOf(constant: string, source: string): number | undefined {
  const text = readFileSync(join(repositoryRoot, 'src', source), 'utf8');
  const [, value] = new RegExp(String.raw`\bconst ${constant} = ([\d_ *]+);`).exec(text) ?? [];
  return value
    ?.split('*')
    .map((factor) => Number(factor.replaceAll('_', '')))
    .reduce((product, factor) => product * factor, 1);
}

describe('The table of limits', () => {
  const limits = readLimits();

  it('has every row that it seems to have', () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'limits.md'), 'utf8');
    const rows = text.split('\n').filter((line) => /^\| (?!What +\||-)/.test(line));
    assert.ok(rows.length > 40);
    assert.equal(limits.length, rows.length);
  });

  it('leaves out no bound that code shares', () => {
    const source = join(repositoryRoot, 'src');
    const told = new Set(limits.map(({ constant }) => constant));
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(source, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/^export const ((?:max|longest)[A-Z]\w*) =/gm))
        assert.ok(told.has(name), `${name} of ${file} is not in docs/limits.md`);
    }
  });

  for (const { what, bound, constant, source, title, test } of limits)
    it(`tells the bound of ${what}, and the test of it`, () => {
      const value = valueOf(constant, source);
      const told = /\d[\d,]*/.exec(bound.replace(/^one (?:refresh )?in /, ''))?.[0] ?? '';
      assert.equal(Number(told.replaceAll(',', '')), value, `${constant} in ${source}`);
      const tests = readFileSync(join(repositoryRoot, 'test', test), 'utf8');
      assert.ok(tests.includes(title), `${test} has no test "${title}"`);
    });
});
