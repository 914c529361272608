import assert from 'node:assert/strict';
import { estimateTokens, KeptTexts } from '../../../src/chat/keptTexts';
import type { ContentPart } from '../../../src/mcp/modelMessages';

const text = (value: string): ContentPart => ({ kind: 'text', text: value });
const image: ContentPart = { kind: 'data', mimeType: 'image/png', base64: 'AAAA' };

const textOf = (parts: readonly ContentPart[]) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');

describe('A long result', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join('\n');

  it('is left whole below the limit', () => {
    const kept = new KeptTexts();
    assert.deepEqual(kept.shorten([text('short'), image], 100), {
      parts: [text('short'), image],
      cut: false,
    });
    assert.ok(kept.isEmpty);
  });

  it('is cut to its beginning and end, and can be read whole in pieces', () => {
    const kept = new KeptTexts();
    const { parts, cut } = kept.shorten([text(long), image], 10_000);
    assert.ok(cut);
    assert.ok(textOf(parts).length < 11_000);
    assert.match(textOf(parts), /^line 0\n/);
    assert.match(textOf(parts), /line 29999$/m);
    assert.deepEqual(parts[1], image);
    const uri = /uri (\S+),/.exec(textOf(parts))?.[1] ?? '';
    let whole = '';
    for (let piece = kept.read(uri); piece?.text; piece = kept.read(uri, whole.length))
      whole += piece.text;
    assert.equal(whole, long);
  });

  it('of several texts is cut in proportion, short ones left whole', () => {
    const { parts } = new KeptTexts().shorten(
      [text('x'.repeat(90_000)), text('label'), text('y'.repeat(10_000))],
      1000,
    );
    assert.equal(parts.length, 3);
    assert.deepEqual(parts[1], text('label'));
    assert.ok(textOf(parts.slice(0, 1)).length > textOf(parts.slice(2)).length);
  });

  it('gives nothing for a URI that was never kept, and stays within its bounds', () => {
    const kept = new KeptTexts();
    const { parts } = kept.shorten([text(long)], 1000);
    const uri = /uri (\S+),/.exec(textOf(parts))?.[1] ?? '';
    assert.equal(kept.read('mcp-workbench-result:/999'), undefined);
    assert.equal(kept.read(uri, -5, 4)?.text, 'line');
    assert.equal(kept.read(uri, 1e9)?.text, '');
    assert.equal(kept.read(uri, 0, 1e9)?.text.length, 50_000);
  });

  it('counts about four characters to a token', () => {
    assert.equal(estimateTokens([text('x'.repeat(400)), image]), 100);
  });
});
