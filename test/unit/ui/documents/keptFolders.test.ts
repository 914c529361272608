import assert from 'node:assert/strict';
import { KeptFolders, maxFolders } from '../../../../src/ui/documents/keptFolders';
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
  const kept = new KeptFolders(files as unknown as MemoryFiles);
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
