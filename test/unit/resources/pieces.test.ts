import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { directoryMembers } from '../../../src/resources/directory';
import { hexDump } from '../../../src/resources/hexDump';
import { pathInside } from '../../../src/resources/savePath';
import { exceedsGuard } from '../../../src/resources/sizeGuard';
import { extendMarkdownIt } from '../../../src/resources/safeMarkdown';
import { toDocuments } from '../../../src/resources/resourceDocument';

const uris = (entries: readonly { readonly uri: string }[]) => entries.map(({ uri }) => uri);

const token = (type: string, content: string, attributes: Record<string, string> = {}) => ({
  type,
  content,
  children: null,
  attrGet: (name: string) => attributes[name] ?? null,
  attrSet: (name: string, value: string) => (attributes[name] = value),
  attributes,
});

describe('a path to save to', () => {
  for (const [path, expected] of [
    ['a.md', ['a.md']],
    ['a/b/c.md', ['a', 'b', 'c.md']],
    ['a\\b', ['a', 'b']],
    ['a/', ['a']],
    ['.github/x.yml', ['.github', 'x.yml']],
    ['', undefined],
    ['  ', undefined],
    ['/etc/passwd', undefined],
    ['\\\\host\\share', undefined],
    ['C:\\Windows', undefined],
    ['c:x', undefined],
    ['~/x', undefined],
    ['../x', undefined],
    ['a/../../x', undefined],
    ['a/..', undefined],
    ['a/./b', undefined],
    ['a\0b', undefined],
    ['a/con.txt', undefined],
    ['a/b:stream', undefined],
    ['a/\u202Etxt.exe', undefined],
    ['a /b', undefined],
  ] as const)
    it(`${JSON.stringify(path)} ${expected ? 'is taken' : 'is refused'}`, () =>
      assert.deepEqual(pathInside(path), expected));

  it('never leads out of its folder', () => {
    const path = fc.string({
      unit: fc.constantFrom('.', '/', '\\', 'a', ':', ' ', '\0', '~', '%'),
    });
    fc.assert(
      fc.property(path, (typed) => {
        const segments = pathInside(typed);
        if (!segments) return;
        const resolved = new URL(segments.map(encodeURIComponent).join('/'), 'x://h/folder/').href;
        assert.ok(resolved.startsWith('x://h/folder/') && resolved.length > 'x://h/folder/'.length);
      }),
    );
  });
});

describe('the size guard', () => {
  for (const [kind, size, exceeds] of [
    ['text', 5_000_000, false],
    ['text', 5_000_001, true],
    ['image', 5_000_001, false],
    ['binary', 50_000_000, false],
    ['binary', 50_000_001, true],
  ] as const)
    it(`${exceeds ? 'asks' : 'does not ask'} for ${size} bytes of ${kind}`, () =>
      assert.equal(exceedsGuard(kind, size), exceeds));
});

describe('a hex dump', () => {
  it('shows offset, bytes and characters', () =>
    assert.equal(
      hexDump(Buffer.from('Hello, world\n\0\x7f\xe9more', 'latin1')),
      [
        '00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 0a 00 7f e9  |Hello, world....|',
        '00000010  6d 6f 72 65                                       |more|',
        '',
      ].join('\n'),
    ));

  it('ends early for what is huge, and says how much is left', () =>
    assert.match(hexDump(new Uint8Array(3_000_000)), /\n… 2 MB\n$/));
});

describe('the members of a directory', () => {
  const self = { uri: 'x://h/d/', name: 'd' };
  const read = (...uris: string[]) =>
    toDocuments(self.uri, { contents: uris.map((uri) => ({ uri, text: 'x' })) });
  const members = [{ uri: 'x://h/d/listed', name: 'listed' }];

  it('are those listed and those read, each once', () => {
    const all = directoryMembers(
      { label: 'd', prefix: self.uri, self, members },
      read('x://h/d/listed', 'x://h/d/new', 'x://h/d/sub/deep'),
    );
    assert.deepEqual(uris(all.members), ['x://h/d/listed', 'x://h/d/new', 'x://h/d/sub/deep']);
    assert.deepEqual(all.members[1]?.within, { directory: self, document: 'new' });
  });

  it('are apart from a text about the directory and from what lies elsewhere', () => {
    const all = directoryMembers(
      { label: 'd', prefix: self.uri, self, members },
      read('x://h/d/', 'y://elsewhere'),
    );
    assert.deepEqual(uris(all.members), ['x://h/d/listed']);
    assert.deepEqual(uris(all.own), ['x://h/d/', 'y://elsewhere']);
  });
});

describe('the Markdown plugin', () => {
  type Rule = Parameters<Parameters<typeof extendMarkdownIt>[0]['core']['ruler']['push']>[1];
  const run = (scheme: string, ...tokens: ReturnType<typeof token>[]) => {
    let rule: Rule | undefined;
    extendMarkdownIt({ core: { ruler: { push: (_, added) => (rule = added) } } });
    const inline = { ...token('inline', ''), children: tokens };
    rule?.({ tokens: [inline], env: { currentDocument: { scheme } } });
    return tokens;
  };

  for (const [src, kept] of [
    ['https://example.invalid/leak.png', false],
    ['//example.invalid/leak.png', false],
    ['\\\\example.invalid\\leak.png', false],
    ['http://example.invalid/x', false],
    ['data:image/svg+xml;base64,AAAA', false],
    ['data:image/png;base64,AAAA', true],
    ['picture.png', true],
    ['../picture.png', true],
  ] as const)
    it(`${kept ? 'leaves' : 'shows as text'} an image from ${src}`, () => {
      const [image] = run('mcp-workbench', token('image', 'alt', { src }));
      assert.equal(image?.type, kept ? 'image' : 'text');
      assert.equal(run('file', token('image', 'alt', { src }))[0]?.type, 'image');
    });

  it('shows HTML as text, and only in resources', () => {
    const html = ['html_inline', '<img src=x onerror=alert(1)>'] as const;
    assert.equal(run('mcp-workbench', token(...html))[0]?.type, 'text');
    assert.equal(run('file', token(...html))[0]?.type, 'html_inline');
  });

  for (const [href, kept] of [
    ['https://example.com', true],
    ['#part', true],
    ['other.md', true],
    ['command:workbench.action.quit', false],
    ['vscode://settings', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
  ] as const)
    it(`${kept ? 'leaves' : 'disarms'} a link to ${href}`, () => {
      const [link] = run('mcp-workbench', token('link_open', '', { href }));
      assert.equal(link?.attributes['href'], kept ? href : '#');
    });
});
