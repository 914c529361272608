import assert from 'node:assert/strict';
import type { ResourceContents } from '../../../../src/mcp/protocol/types';
import {
  toDocuments,
  type ResourceHint,
} from '../../../../src/resources/documents/resourceDocument';

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');
const png = base64(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);

const one = (content: Omit<ResourceContents, 'uri'>, hint?: ResourceHint, uri = 'x://h/thing') => {
  const [document] = toDocuments(uri, { contents: [{ uri, ...content }] }, hint);
  assert.ok(document);
  return document;
};

describe('a document of a resource', () => {
  for (const [title, content, hint, name, kind] of [
    ['text with a type', { text: '# x', mimeType: 'text/markdown' }, {}, 'thing.md', 'text'],
    [
      'text with a listed type',
      { text: '{}' },
      { mimeType: 'application/json' },
      'thing.json',
      'text',
    ],
    ['text with no type', { text: 'x' }, { name: 'main.rs' }, 'main.rs', 'text'],
    ['text that claims to be an image', { text: 'x', mimeType: 'image/png' }, {}, 'thing', 'text'],
    ['an image', { blob: png, mimeType: 'image/png' }, {}, 'thing.png', 'image'],
    [
      'an image that claims to be text',
      { blob: png, mimeType: 'text/plain' },
      {},
      'thing.png',
      'image',
    ],
    ['an image of another type', { blob: png, mimeType: 'image/jpeg' }, {}, 'thing.jpg', 'image'],
    ['an image with no type', { blob: png }, {}, 'thing', 'image'],
    ['text as bytes', { blob: base64(104, 105), mimeType: 'text/plain' }, {}, 'thing', 'text'],
    ['Latin-1 text', { blob: base64(0xe4, 0x20), mimeType: 'text/plain' }, {}, 'thing', 'text'],
    [
      'bytes that claim to be text',
      { blob: base64(1, 0, 2), mimeType: 'text/plain' },
      {},
      'thing',
      'binary',
    ],
    ['bytes of no type', { blob: base64(0, 1) }, {}, 'thing', 'binary'],
    [
      'a PDF',
      { blob: base64(0x25, 0x50, 0x44, 0x46, 0x2d) },
      { mimeType: 'application/pdf' },
      'thing.pdf',
      'pdf',
    ],
    ['nothing', { text: '' }, {}, 'thing', 'text'],
  ] as const)
    it(`is ${kind} for ${title}`, () => {
      const document = one(content, hint);
      assert.equal(document.kind, kind);
      assert.ok(document.name.startsWith(name), document.name);
    });

  it('has no name that leads to an editor of another kind', () => {
    assert.equal(one({ text: 'x' }, {}, 'x://h/photo.png').name, 'photo.png.txt');
    assert.equal(one({ blob: base64(0, 1) }, {}, 'x://h/notes.md').name, 'notes.md.bin');
  });

  it('holds the very bytes, of text and of base64 in either alphabet', () => {
    assert.deepEqual([...one({ text: 'ä\u{1F600}' }).bytes], [...Buffer.from('ä\u{1F600}')]);
    assert.deepEqual([...one({ blob: '-_8=' }).bytes], [0xfb, 0xff]);
    assert.deepEqual([...one({ blob: '+/8=' }).bytes], [0xfb, 0xff]);
  });

  it('refuses what is not base64, and says of which resource', () =>
    assert.throws(() => one({ blob: '***not base64***' }), {
      name: 'UserError',
      message: /x:\/\/h\/thing.*base64/,
    }));

  it('names each of several by its own URI, and none like another', () => {
    const contents = ['x://h/d/a.md', 'x://h/d/b/a.md', 'x://h/d/c'].map((uri) => ({
      uri,
      text: '',
    }));
    assert.deepEqual(
      toDocuments('x://h/d', { contents }).map(({ name }) => name),
      ['a.md', 'a (2).md', 'c'],
    );
  });

  it('goes by the name of the resource when the server answers under another URI', () =>
    assert.equal(
      toDocuments('x://h/asked.md', { contents: [{ uri: 'y://other', text: '' }] })[0]?.name,
      'asked.md',
    ));
});
