import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { assert as check, property, string, uint8Array } from 'fast-check';
import { sameBytes, toHex } from '../../../../src/base/bytes';
import { hmacHex, sha256Hex } from '../../../../src/base/hash';

describe('bytes and hashes without Node', () => {
  it('are those of Node', () => {
    check(
      property(string({ unit: 'binary' }), string(), (text, key) => {
        assert.equal(sha256Hex(text), createHash('sha256').update(text).digest('hex'));
        assert.equal(hmacHex(key, text), createHmac('sha256', key).update(text).digest('hex'));
      }),
    );
  });

  it('are compared and written like those of Node', () => {
    check(
      property(uint8Array(), uint8Array(), (a, b) => {
        assert.equal(toHex(a), Buffer.from(a).toString('hex'));
        assert.equal(sameBytes(a, b), Buffer.compare(a, b) === 0);
        assert.ok(sameBytes(a, a.slice()));
      }),
    );
  });
});
