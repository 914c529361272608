import assert from 'node:assert/strict';
import { PromptDrafts } from '../../../../src/chat/content/promptDrafts';

const handed = (name: string) => ({
  draft: { server: { id: 'a', name: 'A' }, prompt: { name }, messages: [], arguments: {} },
  linked: [],
  openable: [],
});

describe('prompts on their way into the chat', () => {
  it('are found by their names, with a number only where that is needed', () => {
    const drafts = new PromptDrafts();
    const names = ['Review (2)', 'Review', 'Review', 'Greet', 'Review'];
    const prompts = names.map(handed);
    const words = prompts.map((prompt, at) => drafts.keep(prompt, names[at] ?? '').words);
    assert.deepEqual(words, ['Review (2)', 'Review', 'Review (3)', 'Greet', 'Review (4)']);
    assert.deepEqual(
      words.map((one) => drafts.find(` ${one} `)),
      prompts,
    );
    assert.equal(drafts.find('Other'), undefined);
  });

  it('that made room for others are never taken for a later one', () => {
    const drafts = new PromptDrafts();
    const { words } = drafts.keep(handed('first'), 'Review');
    for (let at = 0; at < 60; at += 1) drafts.keep(handed(`${at}`), 'Other');
    assert.equal(drafts.find(words), undefined);
    assert.equal(drafts.keep(handed('second'), 'Review').words, 'Review (2)');
    assert.equal(drafts.find(words), undefined);
  });
});
