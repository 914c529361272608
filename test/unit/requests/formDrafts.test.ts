import assert from 'node:assert/strict';
import { FormDrafts } from '../../../src/requests/elicitation/formDrafts';

describe('Drafts of forms', () => {
  it('are those of the last fifty forms', () => {
    const drafts = new FormDrafts();
    for (let i = 0; i < 60; i += 1) drafts.keep('a', { title: `${i}` }, { value: i });
    const kept = Array.from({ length: 60 }, (_, i) => drafts.get('a', { title: `${i}` })['value']);
    assert.deepEqual(kept.slice(0, 10), Array.from({ length: 10 }));
    assert.deepEqual(
      kept.slice(10),
      Array.from({ length: 50 }, (_, i) => i + 10),
    );
  });
});
