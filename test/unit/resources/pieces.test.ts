import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { directoryMembers } from '../../../src/resources/tree/nesting';
import { hexDump } from '../../../src/resources/documents/fileSystem';
import { pathInside } from '../../../src/resources/commands/saveResources';
import { exceedsGuard } from '../../../src/resources/documents/openResource';
import { toDocuments } from '../../../src/resources/documents/resourceDocument';

const uris = (entries: readonly { readonly uri: string }[]) => entries.map(({ uri }) => uri);

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
  const read = (...found: string[]) =>
    toDocuments(self.uri, { contents: found.map((uri) => ({ uri, text: 'x' })) });
  const members = [{ uri: 'x://h/d/listed', name: 'listed' }];

  it('are those listed and those read, each once', () => {
    const all = directoryMembers(
      { label: 'd', prefix: self.uri, self, members },
      read('x://h/d/listed', 'x://h/d/new', 'x://h/d/sub/deep'),
    );
    assert.deepEqual(uris(all.members), ['x://h/d/listed', 'x://h/d/new', 'x://h/d/sub/deep']);
    assert.deepEqual(all.members[1]?.within, { directory: self, document: 'new' });
  });

  it('are told from others in no time to speak of, however many were read', () => {
    const each = Array.from({ length: 100_000 }, (_, at) => [`x://h/d/${at}`, `y://${at}`]);
    const documents = each.flat().map((uri) => ({ uri, name: uri, bytes: new Uint8Array() }));
    const { user } = process.cpuUsage();
    const all = directoryMembers(
      { label: 'd', prefix: self.uri, self, members },
      documents as never,
    );
    assert.ok(process.cpuUsage().user - user < 1_000_000);
    assert.deepEqual([all.members.length, all.own.length], [1 + each.length, each.length]);
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
