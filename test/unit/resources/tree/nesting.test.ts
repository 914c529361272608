import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Resource } from '../../../../src/mcp/protocol/types';
import { below, topLevel, type ResourceLevel } from '../../../../src/resources/tree/nesting';

const resource = (uri: string): Resource => ({
  uri,
  name: uri,
  ...(uri.endsWith('#dir') && { mimeType: 'inode/directory' }),
});

type Shape = (string | [string, Shape])[];

function shape({ folders, leaves }: ResourceLevel<Resource>): Shape {
  return [
    ...folders.map((folder): [string, Shape] => [
      folder.label + (folder.self ? '*' : ''),
      shape(below(folder)),
    ]),
    ...leaves.map(({ uri }) => uri),
  ];
}

const cases: readonly (readonly [string, readonly string[], Shape])[] = [
  ['one scheme and authority take no level', ['x://h/a', 'x://h/b'], ['x://h/a', 'x://h/b']],
  [
    'several authorities are the first level',
    ['x://h/a', 'x://i/b', 'y://j/c'],
    [
      ['x://h', ['x://h/a']],
      ['x://i', ['x://i/b']],
      ['y://j', ['y://j/c']],
    ],
  ],
  [
    'names in the place of an authority stay under their scheme',
    ['docs://readme', 'demo://text', 'demo://made/1.txt'],
    [
      ['docs://', ['docs://readme']],
      ['demo://', [['made', ['demo://made/1.txt']], 'demo://text']],
    ],
  ],
  [
    'opaque URIs group by scheme',
    ['note:abc', 'urn:isbn:1', 'urn:isbn:2'],
    [
      ['note:', ['note:abc']],
      ['urn:', ['urn:isbn:1', 'urn:isbn:2']],
    ],
  ],
  [
    'a chain of folders is one row',
    ['file:///a/b/c/1', 'file:///a/b/c/2', 'file:///d/3'],
    [
      ['a/b/c', ['file:///a/b/c/1', 'file:///a/b/c/2']],
      ['d', ['file:///d/3']],
    ],
  ],
  [
    'a directory resource is the folder of what is below it',
    ['x://h/d/', 'x://h/d/1', 'x://h/e'],
    [['d*', ['x://h/d/1']], 'x://h/e'],
  ],
  [
    'slashes in a query are no levels',
    ['x://h/a?p=/b/c', 'x://h/d#/e/f'],
    ['x://h/a?p=/b/c', 'x://h/d#/e/f'],
  ],
  [
    'dots and escapes stay as they are',
    ['x://h/../a', 'x://h/%2e%2e/b', 'x://h/a%2Fb'],
    [['..', ['x://h/../a']], ['..', ['x://h/%2e%2e/b']], 'x://h/a%2Fb'],
  ],
  ['what has no scheme is listed', ['plain', '', '/'], ['plain', '', '/']],
  ['nothing gives nothing', [], []],
];

describe('nesting', () => {
  for (const [title, uris, expected] of cases)
    it(title, () => assert.deepEqual(shape(topLevel(uris.map(resource))), expected));

  it('holds every resource once, two with one URI included', () => {
    const part = fc.constantFrom('a', 'b', '/', '//', ':', '?', '#', '%2F', '..', '');
    const uri = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            uri,
            uri.map((one) => `x://${one}`),
          ),
        ),
        (uris) => {
          const found: string[] = [];
          const walk = ({ folders, leaves }: ResourceLevel<Resource>) => {
            found.push(...leaves.map((one) => one.uri));
            for (const folder of folders) {
              if (folder.self) found.push(folder.self.uri);
              walk(below(folder));
            }
          };
          walk(topLevel(uris.map(resource)));
          assert.deepEqual(found.toSorted(), uris.toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });
});
