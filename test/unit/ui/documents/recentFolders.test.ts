import assert from 'node:assert/strict';
import {
  RecentFolders,
  maxFolderBytes,
  maxFolders,
} from '../../../../src/ui/documents/recentFolders';
import type { MemoryFiles } from '../../../../src/ui/documents/memoryFiles';

/** Creates folders whose documents are named after them. */
function createKept() {
  const texts = new Map<string, string>();
  let folders = 0;
  const files = {
    createFolder: () => {
      const folder = (folders += 1);
      const add = (name: string, text: string) => {
        texts.set(`${folder}/${name}`, text);
        return `${folder}/${name}`;
      };
      const dispose = () => {
        for (const key of texts.keys()) if (key.startsWith(`${folder}/`)) texts.delete(key);
      };
      return { add, dispose };
    },
  };
  const kept = new RecentFolders(files as unknown as MemoryFiles, 'log');
  const show = (about: string, text: string, name = 'a.txt') =>
    String(kept.document(about, name, text));
  return { show, texts };
}

describe('Documents that are kept', () => {
  it('are the same for the same thing, with what there is to say of it now', () => {
    const { show, texts } = createKept();
    const first = show('call 1', 'running');
    assert.notEqual(show('call 2', 'other'), first);
    assert.notEqual(show('call 1', 'other name', 'b.txt'), first);
    assert.equal(show('call 1', 'done'), first);
    assert.equal(texts.get(first), 'done');
  });

  it('make room by their bytes, also where one has grown', () => {
    const { show, texts } = createKept();
    const aThird = '€'.repeat(maxFolderBytes / 10);
    for (const about of ['first', 'second', 'third']) show(about, 'text');
    for (const about of ['first', 'second', 'third', 'first']) show(about, aThird);
    assert.deepEqual([...texts.keys()].toSorted(), ['1/a.txt', '2/a.txt', '3/a.txt']);
    show('second', `${aThird}${aThird}`);
    assert.deepEqual([...texts.keys()].toSorted(), ['1/a.txt', '2/a.txt']);
  });

  it('are new ones where the earlier had to make room', () => {
    const { show, texts } = createKept();
    const first = show('call', 'text');
    for (let other = 0; other < maxFolders; other += 1) show(`other ${other}`, 'text');
    assert.equal(texts.size, maxFolders);
    const again = show('call', 'text');
    assert.notEqual(again, first);
    assert.equal(texts.size, maxFolders);
  });
});
