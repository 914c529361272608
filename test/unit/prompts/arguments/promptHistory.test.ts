import assert from 'node:assert/strict';
import type { Memento } from '../../../../src/base/memento';
import { promptKey } from '../../../../src/prompts/promptEntry';
import { PromptHistory } from '../../../../src/prompts/arguments/promptHistory';

/** Creates a store that keeps values as JSON, like the editor's. */
function memory(): Memento & { readonly text: () => string } {
  const values = new Map<string, string>();
  return {
    get: (key) => {
      const text = values.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    update: (key, value) => {
      values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
    text: () => JSON.stringify([...values]),
  };
}

describe('the history of prompts', () => {
  it('has the latest prompt first and each once', async () => {
    const history = new PromptHistory(memory());
    for (const key of ['a', 'b', 'a']) await history.add(key, key, {});
    assert.deepEqual(history.recent, ['a', 'b']);
  });

  it('has no prompt of a server that was forgotten', async () => {
    const store = memory();
    const history = new PromptHistory(store);
    const keyOf = (id: string) => promptKey({ server: { id }, prompt: { name: 'a' } });
    for (const id of ['a', 'a","b', 'ab']) await history.add(keyOf(id), id, {});
    await history.forgetOf('a');
    assert.deepEqual(new PromptHistory(store).recent, [keyOf('ab'), keyOf('a","b')]);
  });

  it('remembers the arguments of the last run over sessions', async () => {
    const store = memory();
    const first = new PromptHistory(store);
    await first.add('a', 'a', { code: '1\n2', style: 'x' });
    await first.add('a', 'a', { code: ' "3" ' });
    assert.deepEqual(new PromptHistory(store).lastArguments('a'), { code: ' "3" ' });
    assert.deepEqual(new PromptHistory(store).lastArguments('b'), {});
  });

  it('remembers where the messages of each prompt went over sessions', async () => {
    const store = memory();
    const first = new PromptHistory(store);
    await first.keepTarget('a', 'chat');
    await first.keepTarget('b', 'copy');
    await first.keepTarget('a', 'message');
    const later = new PromptHistory(store);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => later.nextTarget(key)),
      ['message', 'copy', 'chat'],
    );
  });

  it('writes down no secret, neither of a run nor of a draft', async () => {
    const store = memory();
    const history = new PromptHistory(store);
    await history.keepDraft('a', { apiKey: 'hunter2', code: 'x' });
    await history.add('a', 'a', { api_key: 'hunter2', code: 'x' });
    await history.keepDraft('b', { password: 'hunter2' });
    assert.ok(!store.text().includes('hunter2'));
    assert.deepEqual(history.lastArguments('a'), { code: 'x' });
  });

  it('keeps a draft whole in the session and without secrets after it', async () => {
    const store = memory();
    const history = new PromptHistory(store);
    await history.keepDraft('a', { token: 't', code: 'x' });
    assert.deepEqual(history.draft('a'), { token: 't', code: 'x' });
    assert.deepEqual(new PromptHistory(store).draft('a'), { code: 'x' });
  });

  it('keeps a document that cannot be read in the session, until something else is kept', async () => {
    const store = memory();
    const history = new PromptHistory(store);
    await history.keepDraft('a', {}, '{ half');
    assert.equal(history.unfinishedDocument('a'), '{ half');
    assert.equal(new PromptHistory(store).unfinishedDocument('a'), undefined);
    await history.keepDraft('a', { code: 'x' });
    assert.equal(history.unfinishedDocument('a'), undefined);
  });

  it('forgets the draft of a prompt that ran', async () => {
    const store = memory();
    const history = new PromptHistory(store);
    await history.keepDraft('a', { code: 'x' });
    await history.add('a', 'a', { code: 'y' });
    assert.deepEqual(history.draft('a'), {});
    assert.deepEqual(new PromptHistory(store).draft('a'), {});
  });

  it('does not write down a megabyte', async () => {
    const store = memory();
    await new PromptHistory(store).add('a', 'a', { code: 'x'.repeat(1_000_000) });
    assert.ok(store.text().length < 1000);
  });

  it('knows which definitions were looked at', async () => {
    const store = memory();
    await new PromptHistory(store).addPreviewed('f1');
    assert.deepEqual(
      ['f1', 'f2'].map((definition) => new PromptHistory(store).wasPreviewed(definition)),
      [true, false],
    );
  });

  it('survives a store that holds nonsense', () => {
    const history = new PromptHistory({ get: () => 'nonsense', update: () => Promise.resolve() });
    assert.deepEqual(history.recent, []);
    assert.deepEqual(history.lastArguments('a'), {});
    assert.equal(history.wasPreviewed('f'), false);
  });
});
