import assert from 'node:assert/strict';
import { FormDrafts, maxDraftBytes } from '../../../src/requests/elicitation';

const none = { values: {} };

describe('Drafts of forms', () => {
  it('are those of the last fifty forms', async () => {
    const drafts = new FormDrafts();
    for (let i = 0; i < 60; i += 1) await drafts.keep('a', { title: `${i}` }, { values: { i } });
    const kept: unknown[] = [];
    for (let i = 0; i < 60; i += 1) {
      const { values } = await drafts.get('a', { title: `${i}` });
      kept.push(values['i']);
    }
    assert.deepEqual(kept.slice(0, 10), Array.from({ length: 10 }));
    assert.deepEqual(
      kept.slice(10),
      Array.from({ length: 50 }, (_, i) => i + 10),
    );
  });

  it('take a bounded number of bytes together', async () => {
    const drafts = new FormDrafts();
    const half = { values: { value: 'x'.repeat(maxDraftBytes / 2 - 100) } };
    for (const title of ['1', '2', '3']) await drafts.keep('a', { title }, half);
    const huge = { values: {}, unfinished: 'x'.repeat(maxDraftBytes) };
    await drafts.keep('a', { title: 'huge' }, huge);
    assert.deepEqual(await drafts.get('a', { title: '1' }), none);
    assert.deepEqual(await drafts.get('a', { title: '3' }), half);
    assert.deepEqual(await drafts.get('a', { title: 'huge' }), none);
  });

  it('stay with the latest values, however often they were kept', async () => {
    const drafts = new FormDrafts();
    for (let value = 0; value < 60; value += 1) await drafts.keep('a', {}, { values: { value } });
    assert.deepEqual(await drafts.get('a', {}), { values: { value: 59 } });
  });

  it('are not shown to another launch', async () => {
    const drafts = new FormDrafts();
    await drafts.keep('a', {}, { values: { value: 1 }, unfinished: '{ half' });
    assert.deepEqual(await drafts.get('b', {}), none);
  });

  it('are forgotten once they were sent', async () => {
    const drafts = new FormDrafts();
    await drafts.keep('a', {}, { values: { value: 1 }, unfinished: '{ half' });
    await drafts.forget('a', {});
    assert.deepEqual(await drafts.get('a', {}), none);
  });
});
