import assert from 'node:assert/strict';
import { SecretMask } from '../../../../src/base/secretMask';
import { redacted } from '../../../../src/base/secrets';
import { leeway, processMs } from '../../../support/processes/ownLoad';

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
    ['that was cut', 'hush-12345', 'hush hush-12… (9 bytes)', `hush ${redacted}… (9 bytes)`],
    ['that was cut, each time', 'hush-12345', 'hush-1…, hush-1…', `${redacted}…, ${redacted}…`],
    ['that was cut where it repeats', 'aaaaab', 'xaaaaa…', `x${redacted}…`],
    [
      'but nothing else that was cut',
      'hush-12345',
      'hus… and hush-2… hush-1 …',
      'hus… and hush-2… hush-1 …',
    ],
    ['only when it is long enough to be told from other text', 'abc', 'abc', 'abc'],
  ] as const)
    it(`hides a value ${what}`, () => {
      const mask = new SecretMask();
      mask.hide([secret]);
      assert.equal(mask.apply(text), expected);
    });

  for (const [text, expected] of [
    ['a message of correct-hors… (5000 bytes)', `a message of ${redacted}… (5000 bytes)`],
    ['…corr…', `…${redacted}…`],
    ['what is correct', 'what is correct'],
    ['cor…', 'cor…'],
    ['a correct-horse of another kind…', 'a correct-horse of another kind…'],
    ['"key":"correct%2Dhor…', '"key":"correct%2Dhor…'],
    [`${'…'.repeat(1000)}correct-h…`, `${'…'.repeat(1000)}${redacted}…`],
  ] as const)
    it(`hides no half of a value where it was cut: ${text.slice(-40)}`, () => {
      const mask = new SecretMask();
      mask.hide(['correct-horse-battery', 'correct-other']);
      assert.equal(mask.apply(text), expected);
    });

  it('looks for the beginnings of values in the time of the text', () => {
    const mask = new SecretMask();
    mask.hide(Array.from({ length: 50 }, (_, i) => `${i}-${'hush'.repeat(10)}`));
    const text = `${'…hush'.repeat(20_000)}1-hush…`;
    const began = processMs();
    for (let i = 0; i < 10; i += 1) assert.ok(mask.apply(text).endsWith(`${redacted}…`));
    assert.ok((processMs() - began) / leeway() < 1000);
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

  it('looks for what was cut in the time of its length', () => {
    const mask = new SecretMask();
    mask.hide([`${'hush'.repeat(500)}1`]);
    const beginnings = Array.from({ length: 600 }, (_, i) => `${'hush'.repeat(i / 4)}…`);
    const began = processMs();
    for (const text of [beginnings.join(''), 'hush'.repeat(50_000), '…'.repeat(200_000)])
      mask.apply(text);
    assert.ok((processMs() - began) / leeway() < 3000);
  });

  it('changes nothing before it knows a value', () =>
    assert.equal(new SecretMask().apply('text'), 'text'));
});
