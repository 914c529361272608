import assert from 'node:assert/strict';
import { byRecency, promptEntries, promptKey } from '../../../src/prompts/promptEntry';
import { fakeServer } from '../../support/fakes/fakeServer';

const names = (entries: ReturnType<typeof promptEntries>) =>
  entries.map(({ server, prompt }) => `${server.id}/${prompt.name}`);

const key = (server: string, prompt: string) =>
  promptKey({ server: { id: server }, prompt: { name: prompt } });

describe('the prompts of all servers', () => {
  const one = fakeServer({
    id: 'one',
    prompts: [{ name: 'a' }, { name: 'b' }, { name: 'a', title: 'again' }],
  });
  const two = fakeServer({ id: 'two', prompts: [{ name: 'a' }] });
  it('keep the order of the servers, and the first of two with one name', () => {
    assert.deepEqual(names(promptEntries([one, two])), ['one/a', 'one/b', 'two/a']);
    assert.equal(promptEntries([one])[0]?.prompt.title, undefined);
  });

  it('put the latest used first and forget none', () => {
    const keys = [key('two', 'a'), key('gone', 'x'), key('one', 'b')];
    const { recent, rest } = byRecency(promptEntries([one, two]), keys);
    assert.deepEqual(names(recent), ['two/a', 'one/b']);
    assert.deepEqual(names(rest), ['one/a']);
  });

  it('have keys that no choice of names can mix up', () => {
    const pairs = [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
    ] as const;
    const keys = pairs.map(([id, name]) => promptKey({ server: { id }, prompt: { name } }));
    assert.equal(new Set(keys).size, pairs.length);
  });
});
