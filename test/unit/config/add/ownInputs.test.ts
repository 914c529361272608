import assert from 'node:assert/strict';
import { withOwnInputs } from '../../../../src/config/add/ownInputs';

const using = (...ids: readonly string[]) => {
  return {
    name: 'a',
    server: { url: 'https://a.b', headers: { X: ids.map((id) => `\${input:${id}}`).join(' ') } },
    inputs: ids.map((id) => ({ id, type: 'promptString' })),
  };
};

describe('the inputs that an added server brings', () => {
  it('get none of the values that were given for other servers', () =>
    assert.deepEqual(withOwnInputs([using('key', 'other')], new Set(['key', 'key-2'])), [
      using('key-3', 'other'),
    ]));

  it('stay shared among servers that are added together', () =>
    assert.deepEqual(withOwnInputs([using('key'), using('key')], new Set(['key'])), [
      using('key-2'),
      using('key-2'),
    ]));

  it('take no id that another of them has', () =>
    assert.deepEqual(withOwnInputs([using('key', 'key-2')], new Set(['key'])), [
      using('key-3', 'key-2'),
    ]));

  it('keep their ids where no value is stored', () => {
    const found = [using('key'), { name: 'b', server: { command: 'b' } }];
    assert.deepEqual(withOwnInputs(found, new Set(['other'])), found);
  });
});
