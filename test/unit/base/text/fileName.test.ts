import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  nameAndType,
  distinctNames,
  fileName,
  type FileNameSource,
} from '../../../../src/base/text/fileName';

const cases: readonly (readonly [FileNameSource, string])[] = [
  [{ uri: 'docs://readme', mimeType: 'text/markdown' }, 'readme.md'],
  [{ uri: 'docs://guide/intro.md', mimeType: 'text/markdown; charset=utf-8' }, 'intro.md'],
  [{ uri: 'x://h/app.ts', mimeType: 'text/plain' }, 'app.ts'],
  [{ uri: 'x://h/app.ts' }, 'app.ts'],
  [{ uri: 'x://h/data.txt', mimeType: 'application/json' }, 'data.txt.json'],
  [{ uri: 'x://h/data', mimeType: 'application/vnd.api+json' }, 'data.json'],
  [{ uri: 'x://h/logo', mimeType: 'image/png' }, 'logo.png'],
  [{ uri: 'x://h/photo.JPEG', mimeType: 'image/jpeg' }, 'photo.JPEG'],
  [{ uri: 'note:abc' }, 'abc'],
  [{ uri: 'urn:isbn:123', name: 'book.html' }, 'book.html'],
  [{ uri: 'x://h/?id=1', name: 'Entry one' }, 'h'],
  [{ uri: 'x://', name: 'Entry one', mimeType: 'text/x-python' }, 'Entry one.py'],
  [{ uri: 'x://h/a%20b%2Fc.md' }, 'a b_c.md'],
  [{ uri: 'x://h/%zz' }, '_zz'],
  [{ uri: 'x://h/file.ts?v=1#L2' }, 'file.ts'],
  [{ uri: 'x://h/.gitignore' }, '.gitignore'],
  [{ uri: 'x://h/%2e%2e' }, 'resource'],
  [{ uri: 'x://h/..%2f..%2fetc%2fpasswd' }, '_.._etc_passwd'],
  [{ uri: 'x://h/..%5C..%5Cboot.ini' }, '_.._boot.ini'],
  [{ uri: 'x://h/a%00b.txt' }, 'a_b.txt'],
  [{ uri: 'x://h/con.txt' }, 'resource-con.txt'],
  [{ uri: 'x://h/.git' }, 'resource-.git'],
  [{ uri: 'x://h/.HG.' }, 'resource-.HG'],
  [{ uri: 'x://h/HEAD' }, 'resource-HEAD'],
  [{ uri: 'x://h/HEAD.md' }, 'HEAD.md'],
  [{ uri: 'x://h/gpj%E2%80%AEexe' }, 'gpj_exe'],
  [{ uri: 'c:/Windows/system.ini' }, 'system.ini'],
  [{ uri: 'x://h/dir/' }, 'dir'],
  [{ uri: '' }, 'resource'],
  [{ uri: `x://h/${'a'.repeat(500)}.ts` }, `${'a'.repeat(96)}….ts`],
];

describe('a file name', () => {
  for (const [entry, expected] of cases)
    it(`of ${JSON.stringify(entry).slice(0, 80)} is ${expected.slice(0, 30)}`, () =>
      assert.equal(fileName(entry), expected));

  it('is one safe segment whatever the server says', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', '~', ' ', ':', 'a') }),
    );
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (uri, name) => {
        const made = fileName({ uri, ...(name !== undefined && { name }) });
        assert.doesNotMatch(made, /[\\/:*?"<>|%#~\p{Cc}\p{Cf}\p{Cs}]|^\s|[\s.]$|^\.+$|^$/u);
        assert.ok(made.length <= 120);
      }),
      { numRuns: 500 },
    );
  });
});

describe('distinct names', () => {
  it('number those that came before, whatever their case', () =>
    assert.deepEqual(distinctNames(['a.md', 'A.md', 'a.md', 'b']), [
      'a.md',
      'A (2).md',
      'a (3).md',
      'b',
    ]));
});

describe('a name beside its extension', () => {
  for (const [name, bare] of [
    ['c.PNG', 'c (png)'],
    ['archive.tar.gz', 'archive.tar (gz)'],
    ['README', 'README'],
    ['.png', '.png'],
    ['1. Introduction', '1. Introduction'],
  ] as const)
    it(`of ${name} is ${bare}`, () => assert.equal(nameAndType(name), bare));
});
