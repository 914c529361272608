import assert from 'node:assert/strict';
import { setInJson } from '../../../../src/config/applications/jsonFile';

/** For each test, its name, a file, and what is left without `servers.a`. */
const files: readonly (readonly [what: string, text: string, left: string])[] = [
  ['alone', '{ "servers": { "a": {} } }', '{ "servers": {} }'],
  ['alone, in lines', '{\n  "servers": {\n    "a": {}\n  }\n}\n', '{\n  "servers": {}\n}\n'],
  [
    'alone, below a comment',
    '{"servers": {\n  // all\n  "a": {}\n}}',
    '{"servers": {\n  // all\n}}',
  ],
  [
    'before one with a comment',
    '{"servers": {\n  "a": {}, // mine\n  // b is for production\n  "b": {}\n}}',
    '{"servers": {\n  // b is for production\n  "b": {}\n}}',
  ],
  [
    'behind one with a comment',
    '{"servers": {\r\n  "b": {}, // keep this\r\n  /* a\r\n   is mine */\r\n  "a": {} // mine\r\n  // the end\r\n}}',
    '{"servers": {\r\n  "b": {} // keep this\r\n  /* a\r\n   is mine */\r\n  // the end\r\n}}',
  ],
  [
    'behind one, with a comma at the end',
    '{"servers": {\n\t"b": {},\n\t"a": {},\n}}',
    '{"servers": {\n\t"b": {},\n}}',
  ],
  ['in one line, first', '{"servers": {"a": 1, /* b */ "b": 2}}', '{"servers": {/* b */ "b": 2}}'],
  ['in one line, last', '{"servers": {"b": 2, "a": 1 }}', '{"servers": {"b": 2 }}'],
  ['between', '{"servers": {"b": 2, "a": 1, "c": 3}}', '{"servers": {"b": 2, "c": 3}}'],
  [
    'with a comma in the next line',
    '{"servers": {"a": 1 // a\n, "b": 2}}',
    '{"servers": {"b": 2}}',
  ],
  ['not there', '{"servers": {"b": 2}}', '{"servers": {"b": 2}}'],
];

describe('a server that is removed from a file', () => {
  for (const [what, text, left] of files)
    it(`leaves all that is said of others: ${what}`, () =>
      assert.equal(setInJson(text, ['servers', 'a'], undefined), left));

  it('takes no longer than the text is long', () => {
    const text = `{"servers": {"b": 1,${' '.repeat(300_000)}"a": 2${'\t'.repeat(300_000)}}}`;
    assert.match(setInJson(text, ['servers', 'a'], undefined), /^\{"servers": \{"b": 1\s*\}\}$/);
  });
});
