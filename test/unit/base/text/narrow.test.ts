import assert from 'node:assert/strict';
import { maxPickRows, narrow } from '../../../../src/base/text/text';

const rows = (count: number) => Array.from({ length: count }, (_, i) => `Row ${i} of all`);
const itself = (row: string) => row;

describe('rows of a pick', () => {
  it('are all there, for the editor to filter, where they are not too many', () => {
    assert.deepEqual(narrow(rows(maxPickRows), 'nothing like it', itself), {
      shown: rows(maxPickRows),
      more: 0,
    });
  });

  it('are the first of those that are too many, and how many more there are', () => {
    const { shown, more } = narrow(rows(maxPickRows + 12), '', itself);
    assert.equal(shown.length, maxPickRows);
    assert.equal(more, 12);
  });

  it('are found by every word that is typed, in any case and order, wherever they stand', () => {
    const { shown, more } = narrow(rows(5 * maxPickRows), '  OF 4999 row', itself);
    assert.deepEqual(shown, ['Row 4999 of all']);
    assert.equal(more, 0);
  });
});
