import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { estimateTokens, CutTexts } from '../../../../src/chat/content/cutTexts';
import type { ContentPart } from '../../../../src/contracts/modelMessages';

const text = (value: string): ContentPart => ({ kind: 'text', text: value });
const imageOf = (base64: string): ContentPart => ({ kind: 'data', mimeType: 'image/png', base64 });
const image = imageOf('AAAA');

const textOf = (parts: readonly ContentPart[]) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');

const shorten = (parts: readonly ContentPart[], limit: number, cutTexts = new CutTexts()) =>
  cutTexts.shorten('demo › tool', { parts, leftOut: [] }, limit);

const uriIn = (parts: readonly ContentPart[]) => /uri (\S+),/.exec(textOf(parts))?.[1] ?? '';

const readAll = (cutTexts: CutTexts, uri: string) => {
  let whole = '';
  for (let piece = cutTexts.read(uri); piece?.text; piece = cutTexts.read(uri, whole.length))
    whole += piece.text;
  return whole;
};

describe('A long result', () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}`);
  const long = lines.join('\n');

  it('is left whole below the limit', () => {
    const cutTexts = new CutTexts();
    assert.deepEqual(shorten([text('short'), image], 100, cutTexts), {
      parts: [text('short'), image],
      leftOut: [],
      isCut: false,
    });
    assert.ok(cutTexts.isEmpty);
  });

  const results: readonly [what: string, parts: readonly ContentPart[]][] = [
    ['of one text', [text(long)]],
    ['of many short texts', Array.from({ length: 100_000 }, () => text('x'.repeat(150)))],
    ['of many texts', Array.from({ length: 5000 }, () => text('x'.repeat(300)))],
    ['of very many empty texts', Array.from({ length: 100_000 }, () => text(''))],
    [
      'of hidden characters, which take more room when they are shown',
      [text('\u200B'.repeat(19_000))],
    ],
    ['of characters that are two units long', [text('😀'.repeat(15_000))]],
    ['of too many images', Array.from({ length: 100_000 }, () => image)],
  ];
  for (const [what, parts] of results)
    it(`${what} is within the limit with all that is said of it`, () => {
      for (const limit of [1000, 1001, 20_000]) {
        const { parts: short, isCut } = shorten(parts, limit);
        assert.ok(isCut);
        const said = textOf(short.slice(0, 1));
        assert.ok(said.length <= limit && said.length > limit - 30, String(said.length));
        assert.ok(said.isWellFormed());
        assert.ok(short.slice(1).every(({ kind }) => kind === 'data'));
        assert.ok(short.length <= 21);
      }
    });

  it('is cut to its beginning and end, and can be read whole in pieces under one URI', () => {
    const cutTexts = new CutTexts();
    const { parts } = shorten([...lines.map(text), image], 10_000, cutTexts);
    assert.match(textOf(parts), /^line 0\n/);
    assert.match(textOf(parts), /line 29999$/m);
    assert.equal(textOf(parts).match(/uri /g)?.length, 1);
    assert.deepEqual(parts[1], image);
    assert.equal(readAll(cutTexts, uriIn(parts)), long);
  });

  it('is read in pieces that are no longer than the limit, keep characters whole and name their source', () => {
    const cutTexts = new CutTexts();
    const smileys = `.${'😀'.repeat(15_000)}`;
    const uri = uriIn(shorten([text(smileys)], 1000, cutTexts).parts);
    const piece = cutTexts.read(uri, 0, 1e9);
    assert.ok(piece && piece.text.length <= 1000 && piece.text.isWellFormed());
    assert.equal(piece.source, 'demo › tool');
    assert.equal(readAll(cutTexts, uri), smileys);
  });

  it('is read on with its hidden characters shown', () => {
    const cutTexts = new CutTexts();
    const uri = uriIn(shorten([text(`a\u{E0041}${long}`)], 1000, cutTexts).parts);
    assert.match(cutTexts.read(uri)?.text ?? '', /^a⟨U\+E0041⟩line 0/);
  });

  it('gives nothing for a URI that was never kept, and stays within its bounds', () => {
    const cutTexts = new CutTexts();
    const uri = uriIn(shorten([text(long)], 60_000, cutTexts).parts);
    assert.equal(cutTexts.read(`${uri}0`), undefined);
    assert.ok(cutTexts.isUri(`${uri}0`) && !cutTexts.isUri('note:abc'));
    assert.equal(cutTexts.read(uri, -5, 4)?.text, 'line');
    assert.equal(cutTexts.read(uri, 1e9)?.text, '');
    assert.equal(cutTexts.read(uri, 0, 1e9)?.text.length, 50_000);
  });

  it('makes room for later ones by its size, and the latest is always kept', () => {
    const cutTexts = new CutTexts();
    const keep = (length: number) =>
      uriIn(shorten([text('x'.repeat(length))], 1000, cutTexts).parts);
    const [first, second, third] = [keep(20_000_000), keep(20_000_000), keep(20_000_000)];
    assert.equal(cutTexts.read(first), undefined);
    assert.ok(cutTexts.read(second) && cutTexts.read(third));
    const small = Array.from({ length: 100 }, () => keep(2000));
    assert.ok(small.every((uri) => cutTexts.read(uri)));
    const huge = keep(60_000_000);
    assert.equal(cutTexts.read(third), undefined);
    assert.ok(cutTexts.read(huge));
  });

  it('counts about four characters to a token', () => {
    assert.equal(estimateTokens([text('x'.repeat(400)), image]), 100);
  });
});

describe('The images of a result', () => {
  it('are given up to a number, the rest said aloud to model and user', () => {
    const { parts, leftOut } = shorten(
      [text('a'), ...Array.from({ length: 23 }, () => image)],
      5000,
    );
    assert.equal(parts.filter(({ kind }) => kind === 'data').length, 20);
    assert.equal(textOf(parts).match(/\[Not included: an image\]/g)?.length, 3);
    assert.match(textOf(parts), /\[Not included: 3 images/);
    assert.match(leftOut[0]?.(inEnglish) ?? '', /^3 images \(/);
  });

  it('are given up to a size together', () => {
    const large = imageOf('A'.repeat(8_000_000));
    const { parts } = shorten([large, large, image], 5000);
    assert.deepEqual([parts[0] === large, parts[1]?.kind, parts[2]], [true, 'text', image]);
  });
});
