import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { maxAttachedNames, referenceContent } from '../../../../src/chat/participant/references';

describe('an attachment of a question to a model', () => {
  const { fs } = vscode.workspace;
  const known = { ...fs };
  afterEach(() => Object.assign(fs, known));

  for (const [what, count, last] of [
    ['few', 3, 'name2'],
    ['as many as there may be', maxAttachedNames, `name${maxAttachedNames - 1}`],
    ['too many', maxAttachedNames + 5, 'and 5 more'],
    ['very many', 200_000, `and ${200_000 - maxAttachedNames} more`],
  ] as const)
    it(`of a folder has its names, up to a bound, and says how many more there are: ${what}`, async () => {
      const entries = Array.from({ length: count }, (_, i) => [`name${i}`, 1]);
      if (count > 3) entries[0] = ['x'.repeat(10_000), 1];
      Object.assign(fs, {
        stat: () => Promise.resolve({ type: vscode.FileType.Directory }),
        readDirectory: () => Promise.resolve(entries),
      });
      const value = vscode.Uri.file('/w/folder');
      const { parts, leftOut } = await referenceContent([{ id: 'folder', value }]);
      const texts = parts.map((part) => (part.kind === 'text' ? part.text : ''));
      const names = texts.join('\n').split('\n');
      assert.ok(names.includes(last), names.slice(-5).join());
      assert.ok(names.length < maxAttachedNames + 20);
      assert.ok(names.every((name) => name.length <= 400));
      assert.deepEqual(leftOut, []);
    });
});
