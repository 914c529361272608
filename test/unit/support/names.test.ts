import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';

const declaration =
  /^export (?:abstract |async |declare )*(?:class|const|enum|function|interface|type) (\w+)/gm;

/** Names that each feature and each entry point of the extension can export. */
const shared: ReadonlySet<string> = new Set(['register', 'activate', 'deactivate']);

/** Returns the files below src in which each name is declared and exported. */
function exportedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const root = join(repositoryRoot, 'src');
  const names = new Map<string, Set<string>>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(declaration))
      names.set(name, (names.get(name) ?? new Set()).add(file));
  }
  return names;
}

describe('an exported name', () => {
  it('means one thing', () => {
    const names = exportedNames();
    assert.ok(names.has('createServers'), 'The names are found.');
    const twice = [...names]
      .filter(([name, files]) => files.size > 1 && !shared.has(name))
      .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
    assert.deepEqual(twice, []);
  });
});
