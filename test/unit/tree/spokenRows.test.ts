import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

const source = join(repositoryRoot, 'src');

/** The arguments of every call of `treeRow`, with the file. */
const rows = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && name !== 'ui/rows/treeRow.ts')
  .flatMap((name) => {
    const code = readFileSync(join(source, name), 'utf8');
    return Array.from(code.matchAll(/\btreeRow\(/g), ({ index }) => ({
      name,
      given: inBrackets(code, index + 'treeRow'.length),
    }));
  });

function inBrackets(code: string, begin: number): string {
  let depth = 0;
  for (let at = begin; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')') depth -= 1;
    if (depth === 0) return code.slice(begin, at + 1);
  }
  throw new Error('A bracket is not closed.');
}

/** Rows whose labels are sentences or already say what is below: there is no name to put a kind in front of. */
const sayItAll = [
  /'Workspace Roots'/,
  /'Agents'/,
  /'Shared with'/,
  /label: (text|note\.text),/,
  /label: (vscode\.l10n\.)?t\('[^']+ [^']+'/,
  /label: countText\(/,
  // The lists of a server, such as *Prompts* and *Tools*.
  /label: title,/,
];

/** Matches rows whose icon shows a state. */
const showsState = /iconOf\(|\.\.\.sign\b/;

describe('a row of a tree, as a screen reader says it', () => {
  it('has its kind before its name', () => {
    assert.ok(rows.length > 20);
    assert.deepEqual(
      rows.filter(
        ({ given }) => !/^ *kind[:,]/m.test(given) && !sayItAll.some((label) => label.test(given)),
      ),
      [],
    );
  });

  it('has its state behind its name, where only its icon shows that', () =>
    assert.deepEqual(
      rows.filter(({ given }) => showsState.test(given) && !/^ *state[:,]/m.test(given)),
      [],
    ));
});
