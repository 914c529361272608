import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  decodeAuthority,
  decodeResourcePath,
  encodeAuthority,
  encodeResourcePath,
} from '../../../../src/base/uri/resourcePath';

const uris = [
  'docs://readme',
  'docs://guide/intro.md',
  'note:abc',
  'urn:isbn:9780306406157',
  'foo:///x',
  'foo:////x',
  'foo:/x',
  'foo://',
  'foo:',
  'FOO://Host/Path',
  'c:/Users/x',
  'C:/Users/x',
  'file:///C:/Users/x',
  'a%2Fb',
  'x://h/a%2Fb%2fc',
  'x://h/a%252Fb',
  'x://h/p?q=1&r=%2F#frag%20x',
  'x://h/ümlaut/日本語/e\u0301',
  'x://h/\u{20000}\u{1F600}',
  'x://h/\u202Eevil\u200Bname\u3164',
  'x://h/\uD800alone',
  'x:\u2215\u2215h/a\u2215b',
  'file:///a/b.md',
  'x://h/./a/../b/..',
  '../../etc/passwd',
  'x://h/%2e%2e/%00',
  'x://h/a\u0000b\\c',
  '/',
  '//',
  '///',
  '~',
  '~/~',
  'x://~/~/y',
  'x://h/~20/~u0041/~~/~_',
  'x:// h /$(bell)/"quoted"',
  'x://h/a/',
  'x://h/a//',
  '',
];

describe('a resource path', () => {
  for (const uri of uris)
    it(`gives ${JSON.stringify(uri)} back`, () => {
      assert.deepEqual(decodeResourcePath(encodeResourcePath(uri)).uri, uri);
      const named = decodeResourcePath(encodeResourcePath(uri, 'note.md'));
      assert.equal(named.uri, uri);
      assert.equal(named.name, 'note.md');
    });

  it('gives any string back, with a name behind it or without', () => {
    const unit = fc.string({ unit: 'binary', maxLength: 20 });
    const hostile = fc.string({
      unit: fc.constantFrom(
        '/',
        '~',
        '.',
        ':',
        '%',
        '2',
        'f',
        'A',
        '\\',
        '?',
        '#',
        '\uD83D',
        'u',
        '\u2215',
      ),
      maxLength: 20,
    });
    const name = fc.option(fc.constantFrom('a.md', 'f', '2', ''), { nil: undefined });
    fc.assert(
      fc.property(fc.oneof(unit, hostile), name, (uri, label) => {
        assert.equal(decodeResourcePath(encodeResourcePath(uri, label)).uri, uri);
      }),
      { numRuns: 500 },
    );
  });

  it('holds nothing that the editor would rewrite', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('/', '~', '∼', '∕', '.', ':', '%', 'c', '\\', '\0'),
    });
    fc.assert(
      fc.property(hostile, (uri) => {
        const path = encodeResourcePath(uri, 'name.txt');
        const { pathname } = new URL(`https://host${path}`);
        assert.equal(decodeURIComponent(pathname), path, 'a URL parser');
        assert.doesNotMatch(path, /[%\\?#]|\/\/|^\/[A-Za-z]:|\/$/);
      }),
      { numRuns: 500 },
    );
  });

  it('ends with the file name, said once where the URI ends with it', () => {
    assert.equal(encodeResourcePath('docs://guide/intro.md', 'intro.md'), '/docs:∕∕guide/intro.md');
    assert.equal(encodeResourcePath('note:abc', 'abc.md'), '/note:abc/~/abc.md');
    assert.equal(encodeResourcePath('docs://~/a'), '/docs:∕∕∼/a');
    assert.equal(encodeResourcePath('docs://a', ''), '/docs:∕∕a/~');
  });

  for (const uri of ['file:///a/b.md', 'demo://x/y', 'note:abc', 'https://h/a/', 'git://r//f'])
    it(`reads as ${uri}`, () => {
      assert.equal(encodeResourcePath(uri).replaceAll('∕', '/'), `/${uri}`);
    });

  it('carries a URI of 1 MB', () => {
    const uri = `x://${'a%20/é'.repeat(180_000)}`;
    assert.equal(decodeResourcePath(encodeResourcePath(uri, 'big.txt')).uri, uri);
  });
});

describe('an authority', () => {
  it('gives any server id back and has no capitals', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const authority = encodeAuthority(id);
        assert.match(authority, /^[a-z0-9_~-]*$/);
        assert.equal(decodeAuthority(authority.toLowerCase()), id);
      }),
    );
  });

  for (const id of ['demo', 'my-server', 'my_server-2'])
    it(`leaves ${id} readable`, () => assert.equal(encodeAuthority(id), id));
});
