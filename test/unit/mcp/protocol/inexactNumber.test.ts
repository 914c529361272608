import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inEnglish } from '../../../../src/base/translate';
import { findInexactNumber, readWrittenObject } from '../../../../src/mcp/protocol/inexactNumber';

describe('a number in JSON that somebody wrote', () => {
  const exact =
    '0 -0 1 -1 9007199254740991 9007199254740992 1e3 1E+3 1.50 0.1 100 1000e-3 0.00 1e21 123456789012345680000 5e-324 0e999';
  for (const number of exact.split(' '))
    it(`is sent as it is: ${number}`, () =>
      assert.equal(findInexactNumber(`{ "a": [${number}] }`), undefined));

  for (const [written, sent] of [
    ['9007199254740993', '9007199254740992'],
    ['-9007199254740993', '-9007199254740992'],
    ['1180591620717411303425', '1.1805916207174113e+21'],
    ['0.10000000000000000001', '0.1'],
    ['1e400', 'null'],
    ['1e-400', '0'],
  ] as const)
    it(`is found where it would be sent as another: ${written}`, () => {
      const texts = [written, `{ "a": [1, { "b": ${written} }] }`, `/* 1 */ [${written}] // 2`];
      for (const text of texts) assert.deepEqual(findInexactNumber(text), { written, sent });
    });

  it('is only looked for where numbers are', () =>
    assert.equal(findInexactNumber('{ "9007199254740993": "9007199254740993" }'), undefined));

  it('is sent as it is where it was written by code', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        assert.equal(findInexactNumber(JSON.stringify(value)), undefined),
      ),
    ));

  it('takes no time, however long it is', function () {
    this.timeout(5000);
    const zeros = '0'.repeat(300_000);
    assert.equal(findInexactNumber(`[1${zeros}.${zeros}e-300000]`), undefined);
    assert.ok(findInexactNumber(`[1.${zeros}1, ${zeros}]`));
    assert.ok(findInexactNumber(`[0.${`${'0'.repeat(500)}1`.repeat(600)}]`));
  });

  it('is refused in an object, with what to do', () => {
    const read = (text: string) => readWrittenObject(text, inEnglish, 'none');
    assert.deepEqual(read('{ "a": 1 }'), { object: { a: 1 } });
    assert.deepEqual(read('[1]'), { problem: 'none' });
    assert.deepEqual(read('{ "a": 9007199254740993 }'), {
      problem:
        'The number 9007199254740993 cannot be sent exactly: it would arrive as 9007199254740992. Write it as text in quotes if the schema takes text, or choose another number.',
    });
  });
});
