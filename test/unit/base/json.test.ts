import assert from 'node:assert/strict';
import { asRecord, isRecord } from '../../../src/base/json';

describe('a value of unknown origin', () => {
  for (const value of [{}, { a: 1 }, Object.create(null)])
    it(`is a record when it is an object: ${JSON.stringify(value)}`, () => {
      assert.equal(isRecord(value), true);
      assert.equal(asRecord(value), value);
    });
  for (const value of [undefined, null, 0, '', 'text', true, [], [{ a: 1 }], () => 1])
    it(`has no fields otherwise: ${JSON.stringify(value)}`, () => {
      assert.equal(isRecord(value), false);
      assert.deepEqual(asRecord(value), {});
    });
});
