import assert from 'node:assert/strict';
import { promptParts } from '../../../../src/prompts/preview/promptParts';
import { draft, everyContent, message, png, say, wav } from '../drafts';

const partsOf = (...messages: Parameters<typeof draft>[0]) => promptParts(draft(messages));

describe('the parts of a prompt', () => {
  it('are one for each message, in order and with its role', () => {
    const parts = promptParts(draft(everyContent));
    assert.deepEqual(
      parts.map(({ number, role, part }) => [number, role, part.kind]),
      [
        [1, 'user', 'text'],
        [2, 'user', 'binary'],
        [3, 'assistant', 'binary'],
        [4, 'user', 'document'],
        [5, 'user', 'binary'],
        [6, 'user', 'link'],
        [7, 'user', 'text'],
        [8, 'user', 'problem'],
      ],
    );
  });

  it('bring their bytes and texts as files with names that fit', () => {
    const files = promptParts(draft(everyContent)).map(({ file }) => file?.name);
    assert.deepEqual(files, [
      undefined,
      'image-2.png',
      'audio-3.wav',
      'a.py',
      'blob.zip',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('hold the bytes that the server sent', () => {
    const [part] = partsOf(message({ type: 'image', data: png, mimeType: 'image/png' }));
    assert.deepEqual(Buffer.from(part?.file?.content ?? ''), Buffer.from(png, 'base64'));
  });

  it('do not share a name', () => {
    const resource = { uri: 'file:///a.txt', text: '1' };
    const parts = partsOf(
      message({ type: 'resource', resource }),
      message({ type: 'resource', resource: { ...resource, uri: 'file:///b/a.txt' } }),
    );
    assert.deepEqual(
      parts.map(({ file }) => file?.name),
      ['a.txt', 'a (2).txt'],
    );
  });

  const types: readonly (readonly [string, string, string, string | undefined])[] = [
    ['a PNG that is one', png, 'image/png', undefined],
    ['a PNG called JPEG', png, 'image/jpeg', 'image/png'],
    ['a PNG called audio', png, 'audio/mpeg', 'image/png'],
    ['a PNG without a telling type', png, 'application/octet-stream', undefined],
    ['a WAV under another of its names', wav, 'audio/x-wav', undefined],
    ['a text called PNG', Buffer.from('no image').toString('base64'), 'image/png', ''],
    ['bytes of a type without a signature', 'AAECAw==', 'image/x-odd', undefined],
    ['a ZIP called a document of an office', 'UEsDBA==', 'application/vnd.oasis.text', undefined],
  ];
  for (const [name, data, mimeType, expected] of types)
    it(`tell of ${name}: ${expected ?? 'nothing'}`, () => {
      const [part] = partsOf(message({ type: 'image', data, mimeType }));
      assert.equal(part?.actualType, expected);
    });

  it('name a file by what it is, not by what it is called', () => {
    const [part] = partsOf(message({ type: 'image', data: png, mimeType: 'image/jpeg' }));
    assert.equal(part?.file?.name, 'image-1.png');
  });

  const hidden: readonly (readonly [string, Parameters<typeof message>[0], boolean])[] = [
    ['a plain text', { type: 'text', text: 'plain' }, false],
    ['a text with a tag character', { type: 'text', text: 'a\u{E0041}' }, true],
    [
      'a text that begins with a byte order mark',
      { type: 'text', text: '\uFEFFa 👩\u200D💻' },
      false,
    ],
    ['a text with such a mark inside', { type: 'text', text: 'a\uFEFF' }, true],
    ['an embedded text', { type: 'resource', resource: { uri: 'a:b', text: '\u202E' } }, true],
    ['the name of a link', { type: 'resource_link', uri: 'a:b', name: 'a\u200Bb' }, true],
    ['an image', { type: 'image', data: png, mimeType: 'image/png' }, false],
  ];
  for (const [name, content, expected] of hidden)
    it(`tell whether ${name} hides characters`, () =>
      assert.equal(partsOf(message(content))[0]?.hidden, expected));

  it('insert, copy and send joined emoji as they are, and no byte order mark that a text begins with', () => {
    const text = '👩\u200D💻 🏳\uFE0F\u200D🌈';
    const [part] = partsOf(say('user', `\uFEFF${text}`));
    assert.deepEqual(part?.part, { kind: 'text', text });
  });

  it('keep annotations', () => {
    const annotations = { audience: ['user'], priority: 0.5 } as const;
    const [part] = partsOf(message({ type: 'text', text: 'a', annotations }));
    assert.deepEqual(part?.annotations, annotations);
  });

  it('are none for a prompt without messages', () => assert.deepEqual(partsOf(), []));

  it('keep a text of a megabyte exactly', () => {
    const text = ' "\u{1F600}\r\n\t'.repeat(150_000);
    const [part] = partsOf(say('user', text));
    assert.deepEqual(part?.part, { kind: 'text', text });
  });
});
