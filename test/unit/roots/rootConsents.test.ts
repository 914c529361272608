import assert from 'node:assert/strict';
import { RootConsents } from '../../../src/roots/roots';
import { createMementoOf } from '../../support/fakes/memento';

describe('roots that a workspace adds', () => {
  it('are told to nobody before the user agreed, which is asked once', () => {
    const consents = new RootConsents(createMementoOf());
    assert.equal(consents.allows('file:///'), false);
    assert.deepEqual([...consents.takeUnasked(['file:///'])], ['file:///']);
    assert.deepEqual([...consents.takeUnasked(['file:///', 'file:///a'])], ['file:///a']);
    assert.equal(consents.allows('file:///'), false);
  });

  it('stay as they were decided, in later windows too, each for itself', async () => {
    const store = createMementoOf();
    await new RootConsents(store).decide(['file:///a', 'file:///b'], true);
    await new RootConsents(store).decide(['file:///b', '__proto__'], false);
    const later = new RootConsents(store);
    assert.deepEqual(
      ['file:///a', 'file:///b', '__proto__', 'constructor'].map((uri) => later.allows(uri)),
      [true, false, false, false],
    );
    assert.deepEqual(
      [...later.takeUnasked(['file:///a', 'file:///b', 'constructor'])],
      ['constructor'],
    );
  });

  it('are one folder of Windows, however its drive is written', async () => {
    const store = createMementoOf();
    await new RootConsents(store).decide(['file:///c%3A/work'], true);
    const later = new RootConsents(store);
    for (const uri of ['file:///C:/work', 'file:///c:/work/', 'file:///c%3A/work']) {
      assert.equal(later.allows(uri), true);
      assert.deepEqual([...later.takeUnasked([uri])], []);
    }
    assert.deepEqual([...later.takeUnasked(['file:///D:/work'])], ['file:///D:/work']);
    assert.deepEqual([...later.takeUnasked(['file:///d%3A/work'])], []);
  });

  for (const broken of [7, {}, [['file:///']], [[1, true]], 'x'])
    it(`are not shared where the store holds ${JSON.stringify(broken)}`, () =>
      assert.equal(new RootConsents(createMementoOf(broken)).allows('file:///'), false));
});
