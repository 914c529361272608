import assert from 'node:assert/strict';
import { inEnglish } from '../../../../../src/base/translate';
import * as fc from 'fast-check';
import { LineFramer, type OversizedLine } from '../../../../../src/mcp/node/lineFramer';
import { spyOnConcat } from '../../../../support/fakes/concatSpy';

type Output = readonly (string | OversizedLine)[];

/** Returns what a framer makes of these chunks. */
function frame(chunks: readonly Uint8Array[], maxBytes = 1000): Output {
  const output: (string | OversizedLine)[] = [];
  const take = (line: string | OversizedLine) => output.push(line);
  const framer = new LineFramer(maxBytes, take, take);
  for (const chunk of chunks) framer.push(Buffer.from(chunk));
  framer.end();
  return output;
}

/** Bytes with line breaks, and how to split them into chunks. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.uint8Array({ maxLength: 20 }) },
      { weight: 1, arbitrary: fc.nat(900).map((length) => new Uint8Array(length).fill(0x78)) },
      { weight: 2, arbitrary: fc.constant(Uint8Array.of(0x0a)) },
      { weight: 1, arbitrary: fc.constant(Uint8Array.of(0x0d, 0x0a)) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)) },
    ),
  )
  .map((parts) => Buffer.concat(parts));

const cut = fc.tuple(bytes, fc.array(fc.nat(3000))).map(([whole, places]) => {
  const cuts = [...places.map((place) => Math.min(place, whole.length)), 0, whole.length];
  const sorted = cuts.toSorted((a, b) => a - b);
  return { whole, chunks: sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end)) };
});

describe('the lines of a stream', () => {
  for (const text of ['{"id":1}\n', '{"id":1}', '{"id":1}\n\uFEFF{}\n'])
    it(`have no byte order mark before the first one: ${JSON.stringify(text)}`, () => {
      const marked = Buffer.from(`\uFEFF${text}`);
      assert.deepEqual(frame([marked]), frame([Buffer.from(text)]));
      assert.deepEqual(frame([...marked].map((byte) => Uint8Array.of(byte))), frame([marked]));
    });

  it('are the same however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(cut, fc.constantFrom(512, 600, 1000), ({ whole, chunks }, maxBytes) => {
        assert.deepEqual(frame(chunks, maxBytes), frame([whole], maxBytes));
      }),
    );
  });

  it('are what lies between the line feeds, decoded as a whole', () => {
    fc.assert(
      fc.property(cut, ({ whole, chunks }) => {
        const parts = whole.toString('latin1').split('\n');
        if (parts.at(-1) === '') parts.pop();
        const lines = parts.map((part) => Buffer.from(part, 'latin1').toString());
        const expected = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
        assert.deepEqual(frame(chunks, 100_000), expected);
      }),
    );
  });

  it('do not tear characters that lie across chunks', () => {
    const whole = Buffer.from('日本語 👍\n');
    const chunks = Array.from(whole, (byte) => Buffer.of(byte));
    assert.deepEqual(frame(chunks), ['日本語 👍']);
  });

  it('include what follows the last line feed when the stream ends', () => {
    assert.deepEqual(frame([Buffer.from('one\nhalf')]), ['one', 'half']);
    assert.deepEqual(frame([Buffer.from('one\n')]), ['one']);
    assert.deepEqual(frame([]), []);
  });

  it('may be empty, and may be as long as allowed', () => {
    const longest = 'x'.repeat(1000);
    assert.deepEqual(frame([Buffer.from(`\n\n${longest}\n`)]), ['', '', longest]);
  });

  describe('that are too long', () => {
    const over = { bytes: 1001, head: 'x'.repeat(512), tail: 'x'.repeat(512) };

    it('are reported with their size, their beginning and their end', () => {
      const line = `begin${'x'.repeat(5000)}end`;
      const [report] = frame([Buffer.from(line), Buffer.from('\n')]);
      assert.ok(typeof report === 'object');
      assert.equal(report.bytes, 5008);
      assert.match(report.head, /^beginx+$/);
      assert.match(report.tail, /^x+end$/);
      assert.deepEqual([report.head.length, report.tail.length], [512, 512]);
    });

    for (const chunkSize of [1, 7, 999, 1000, 1001, 4000]) {
      it(`do not harm the lines around them, in chunks of ${chunkSize} bytes`, () => {
        const whole = Buffer.from(`before\n${'x'.repeat(1001)}\nafter\n`);
        const chunks: Buffer[] = [];
        for (let at = 0; at < whole.length; at += chunkSize)
          chunks.push(whole.subarray(at, at + chunkSize));
        assert.deepEqual(frame(chunks), ['before', over, 'after']);
      });
    }

    for (const chunkSize of [65_536, 10_000_000])
      it(`are those of too many parts as well, in chunks of ${chunkSize} bytes`, () => {
        const many = `[${'{},'.repeat(500_000)}0]`;
        const whole = Buffer.from(`before\n${many}\n${'",{"'.repeat(500_000)}\nafter\n`);
        const chunks: Buffer[] = [];
        for (let at = 0; at < whole.length; at += chunkSize)
          chunks.push(whole.subarray(at, at + chunkSize));
        const [before, report, text, after] = frame(chunks, 64_000_000);
        assert.deepEqual([before, after], ['before', 'after']);
        assert.ok(typeof report === 'object');
        assert.match(report.excess?.(inEnglish) ?? '', /limit of 1,000,000 names and values/);
        assert.equal(report.bytes, many.length);
        assert.equal(typeof text, 'string');
      });

    it('are let go while they arrive, so that they cannot fill the memory', () => {
      const framer = new LineFramer(1000, unexpected, () => {});
      const chunk = Buffer.alloc(100_000, 'x');
      const spy = spyOnConcat();
      for (let count = 0; count < 1000; count += 1) framer.push(chunk);
      const { largest } = spy.stop();
      assert.deepEqual(framer['chunks'], []);
      assert.ok(largest <= 2 * chunk.length, `${largest} bytes were held at once`);
    });
  });

  for (const chunkSize of [64, 4096, 65_536]) {
    it(`are copied once and no more, in chunks of ${chunkSize} bytes`, () => {
      const total = 8_000_000;
      const chunk = Buffer.alloc(chunkSize, 'x');
      const lengths: number[] = [];
      const framer = new LineFramer(64_000_000, (line) => lengths.push(line.length), unexpected);
      const spy = spyOnConcat();
      for (let sent = 0; sent < total; sent += chunkSize) framer.push(chunk);
      framer.push(Buffer.from('\n'));
      const { copied } = spy.stop();
      const size = Math.ceil(total / chunkSize) * chunkSize;
      assert.deepEqual(lengths, [size]);
      assert.ok(copied <= size, `${copied} bytes were copied for ${size}`);
    });
  }
});

function unexpected(): void {
  assert.fail('called');
}
