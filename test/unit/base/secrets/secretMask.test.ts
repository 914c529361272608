import assert from 'node:assert/strict';
import { SecretMask, redacted } from '../../../../src/base/secrets';

const long = 'hush'.repeat(100_000);

describe('the mask of secrets', () => {
  for (const [what, secret, text, expected] of [
    ['as it is', 'hush-1', 'a hush-1 b hush-1', `a ${redacted} b ${redacted}`],
    ['in JSON', 'a"b\\c', '{"k":"a\\"b\\\\c"}', `{"k":"${redacted}"}`],
    ['in an address', 'p/w d&1', 'https://x/?k=p%2Fw%20d%261', `https://x/?k=${redacted}`],
    [
      'with characters of patterns',
      '.*+?(x)',
      'is .*+?(x) not abcdef',
      `is ${redacted} not abcdef`,
    ],
    [
      'with a percent sign, in an address',
      'K%;x"9/q',
      new URL('https://h/?k=K%;x"9/q').href,
      `https://h/?k=${redacted}`,
    ],
    ['of any length', long, `all of ${long}`, `all of ${redacted}`],
    ['line by line', '-----KEY\nabcd1234\n', 'the line abcd1234', `the line ${redacted}`],
    ['only when it is long enough to be told from other text', 'abc', 'abc', 'abc'],
  ] as const)
    it(`hides a value ${what}`, () => {
      const mask = new SecretMask();
      mask.hide([secret]);
      assert.equal(mask.apply(text), expected);
    });

  it('hides the longer of two values that begin alike as a whole', () => {
    const mask = new SecretMask();
    mask.hide(['token']);
    mask.hide(['token-and-more']);
    assert.equal(mask.apply('token-and-more token'), `${redacted} ${redacted}`);
  });

  for (const [secret, text] of [
    ['https://example.com/..', 'https://other.example/'],
    ['ab/..//data', '/data'],
    ['/../api/v1', 'api/v1/users'],
    ['x/../common', 'common'],
  ] as const)
    it(`hides nothing of ${text}, though an address would make it of ${secret}`, () => {
      const mask = new SecretMask();
      mask.hide([secret]);
      assert.equal(mask.apply(text), text);
    });

  it('changes nothing before it knows a value', () =>
    assert.equal(new SecretMask().apply('text'), 'text'));
});
