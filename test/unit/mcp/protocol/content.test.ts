import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import {
  decodeBase64,
  resourceParts,
  toParts,
  type Part,
} from '../../../../src/mcp/protocol/content';
import type { ContentBlock } from '../../../../src/mcp/protocol/types';

const data = Buffer.from([0, 255, 1]).toString('base64');
const bytes = new Uint8Array([0, 255, 1]);

const blocks: readonly [what: string, block: ContentBlock, part: Part][] = [
  ['a text', { type: 'text', text: ' x\n' }, { kind: 'text', text: ' x\n' }],
  [
    'an image',
    { type: 'image', data, mimeType: 'image/png' },
    { kind: 'binary', media: 'image', mimeType: 'image/png', bytes },
  ],
  [
    'audio',
    { type: 'audio', data, mimeType: 'audio/wav' },
    { kind: 'binary', media: 'audio', mimeType: 'audio/wav', bytes },
  ],
  [
    'an embedded text',
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/x', text: 'y' } },
    { kind: 'document', uri: 'a:b', mimeType: 'text/x', text: 'y' },
  ],
  [
    'embedded bytes',
    { type: 'resource', resource: { uri: 'a:b', blob: data } },
    { kind: 'binary', media: 'other', mimeType: 'application/octet-stream', bytes, uri: 'a:b' },
  ],
  [
    'an embedded image',
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'IMAGE/png', blob: data } },
    { kind: 'binary', media: 'image', mimeType: 'IMAGE/png', bytes, uri: 'a:b' },
  ],
  [
    'a link to a resource',
    { type: 'resource_link', uri: 'a:b', name: 'n', title: 't', description: 'd', size: 1 },
    { kind: 'link', uri: 'a:b', name: 'n', title: 't', description: 'd', size: 1 },
  ],
  [
    'what the protocol may know tomorrow',
    { type: 'unknown', value: { type: 'hologram' } },
    { kind: 'text', text: '{\n  "type": "hologram"\n}' },
  ],
];

describe('Content', () => {
  for (const [what, block, part] of blocks)
    it(`of ${what} becomes a part`, () => assert.deepEqual(toParts([block]), [part]));

  it('keeps its order and leaves nothing out', () => {
    assert.equal(toParts(blocks.map(([, block]) => block)).length, blocks.length);
  });

  it('says what came in place of content, up to a limit', () => {
    for (const [value, words] of [
      [{}, /^The result has no content\. Instead came: \{\}$/],
      [{ output: 'a\nb' }, /Instead came: \{"output":"a\\nb"\}$/],
      [{ output: 'x'.repeat(100_000) }, /^The result has no content.{100,10100}$/],
    ] as const) {
      const [part] = toParts([{ type: 'unknown', value, isWhole: true }]);
      assert.ok(part?.kind === 'problem');
      assert.match(part.message(inEnglish), words);
    }
  });

  it('that is not base64 becomes a sentence that names it', () => {
    const [image] = toParts([{ type: 'image', data: '***', mimeType: 'image/png' }]);
    assert.ok(image?.kind === 'problem');
    assert.match(image.message(inEnglish), /image/);
    const [resource] = resourceParts({ contents: [{ uri: 'a:b', blob: 'x y z !' }] });
    assert.ok(resource?.kind === 'problem');
    assert.match(resource.message(inEnglish), /a:b/);
  });

  it('is read from both alphabets of base64', () => {
    assert.deepEqual(decodeBase64('-_8='), decodeBase64('+/8='));
    assert.deepEqual(decodeBase64(''), new Uint8Array());
    assert.equal(decodeBase64('a'), undefined);
  });
});
