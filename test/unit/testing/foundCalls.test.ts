import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  CallsTests,
  maxCallsFiles,
  maxFoundBytes,
  maxReadAtOnce,
} from '../../../src/testing/callsTests';

describe('the files of saved calls of a workspace', () => {
  const { workspace } = vscode;
  const { fs } = workspace;
  const known = { ...workspace };
  const knownFs = { ...fs };
  afterEach(() => {
    for (const name of ['findFiles', 'createFileSystemWatcher', 'onDidOpenTextDocument'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, known);
    Object.assign(fs, knownFs);
  });

  /** Lists so many files of such a size, and returns what became of each and the most that were read at a time. */
  async function list(count: number, size: number) {
    const items = new Map<string, vscode.TestItem>();
    const createTestItem = (id: string, label: string, uri: vscode.Uri) => ({
      id,
      label,
      uri,
      children: { replace: () => {} },
    });
    const controller = {
      items: {
        get: (id: string) => items.get(id),
        add: (item: vscode.TestItem) => items.set(item.id, item),
        delete: () => {},
      },
      createTestItem,
    };
    let now = 0;
    const seen = { most: 0, read: 0 };
    const happens = () => ({ dispose: () => {} });
    const all = Array.from({ length: count }, (_, i) => vscode.Uri.file(`/w/${i}.mcp-calls.jsonc`));
    Object.assign(workspace, {
      findFiles: (_of: string, _but: string, most: number) => Promise.resolve(all.slice(0, most)),
      createFileSystemWatcher: () => ({
        onDidCreate: happens,
        onDidChange: happens,
        onDidDelete: happens,
        dispose: () => {},
      }),
      onDidOpenTextDocument: happens,
      onDidSaveTextDocument: happens,
    });
    Object.assign(fs, {
      stat: () => Promise.resolve({ type: vscode.FileType.File, size }),
      readFile: async () => {
        seen.read += 1;
        now += 1;
        seen.most = Math.max(seen.most, now);
        await new Promise(setImmediate);
        now -= 1;
        return new TextEncoder().encode('{"from": "a", "steps": []}');
      },
    });
    const tests = new CallsTests(controller as unknown as vscode.TestController);
    await tests.ready;
    tests.dispose();
    return { ...seen, errors: [...items.values()].map(({ error }) => (error ?? '') as string) };
  }

  for (const [what, count, size, read, why] of [
    ['a few small ones', 9, 100, 9, undefined],
    ['many large ones', 30, 5_000_000, maxFoundBytes / 5_000_000, /^Not read: .* 50 MB together\./],
    ['as many as are listed', maxCallsFiles, 100, maxCallsFiles, undefined],
    ['more than are listed', maxCallsFiles + 9, 100, maxCallsFiles, /^Not read: at most 1000 /],
  ] as const)
    it(`are read a few at a time, and not all where they are too much: ${what}`, async () => {
      const found = await list(count, size);
      assert.deepEqual([found.read, found.most], [read, maxReadAtOnce]);
      const told = found.errors.filter((one) => one !== '');
      assert.equal(told.length, Math.min(count, maxCallsFiles + 1) - read);
      for (const one of told) assert.match(one, why ?? assert.fail(one));
    });
});
