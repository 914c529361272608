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

const added = { command: 'x', args: ['a\n"b"'] };
const oneLine = JSON.stringify(added);

/** For each test, its name, a file, and the file with `servers.new`. */
const additions: readonly (readonly [what: string, text: string, expected: string])[] = [
  [
    'in lines',
    '{\n  "servers": {\n    "b":{"command":"y"}\n  }\n}\n',
    '{\n  "servers": {\n    "b":{"command":"y"},\n    "new": {\n      "command": "x",\n      "args": [\n        "a\\n\\"b\\""\n      ]\n    }\n  }\n}\n',
  ],
  [
    'behind a comment, in the tabs and line ends of the file',
    '{\r\n\t"servers" : {\r\n\t\t"b":   { "command":"y" } // keep this\r\n\t\t// the end\r\n\t}\r\n}',
    '{\r\n\t"servers" : {\r\n\t\t"b":   { "command":"y" }, // keep this\r\n\t\t"new": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": [\r\n\t\t\t\t"a\\n\\"b\\""\r\n\t\t\t]\r\n\t\t}\r\n\t\t// the end\r\n\t}\r\n}',
  ],
  [
    'behind a comma at the end',
    '{\n "servers": {\n  "b": 1, // b\n },\n}',
    '{\n "servers": {\n  "b": 1, // b\n  "new": {\n   "command": "x",\n   "args": [\n    "a\\n\\"b\\""\n   ]\n  }\n },\n}',
  ],
  ['in one line', '{"servers":{"b":  2 }}', `{"servers":{"b":  2, "new": ${oneLine} }}`],
  [
    'in one line, behind a comma',
    '{"servers":{"b":2,/* b */}}',
    `{"servers":{"b":2,/* b */ "new": ${oneLine}}}`,
  ],
  [
    'into nothing but a comment',
    '{\n  "servers": {\n    // none yet\n  }\n}',
    '{\n  "servers": {\n    // none yet\n    "new": {\n      "command": "x",\n      "args": [\n        "a\\n\\"b\\""\n      ]\n    }\n  }\n}',
  ],
  [
    'into an empty file',
    '',
    '{\n  "servers": {\n    "new": {\n      "command": "x",\n      "args": [\n        "a\\n\\"b\\""\n      ]\n    }\n  }\n}\n',
  ],
  [
    'in the place of one of its name',
    '{\n  "servers": {\n    "new": {"command":"old"}, // mine\n    "b":{}\n  }\n}',
    '{\n  "servers": {\n    "new": {\n      "command": "x",\n      "args": [\n        "a\\n\\"b\\""\n      ]\n    }, // mine\n    "b":{}\n  }\n}',
  ],
  ['in the place of no object', '{"servers": null}', `{"servers": {"new":${oneLine}}}`],
];

describe('a server that is added to a file', () => {
  for (const [what, text, expected] of additions)
    it(`leaves all other bytes: ${what}`, () =>
      assert.equal(setInJson(text, ['servers', 'new'], added), expected));

  it('appends its inputs to a list', () => {
    for (const [text, expected] of [
      ['{"inputs":[ 1]}', '{"inputs":[ 1, 2]}'],
      ['{\n  "inputs": [\n    1 // one\n  ]\n}', '{\n  "inputs": [\n    1, // one\n    2\n  ]\n}'],
      ['{\n}', '{\n  "inputs": [\n    2\n  ]\n}'],
    ] as const)
      assert.equal(setInJson(text, ['inputs', -1], 2), expected);
  });

  it('takes no longer than the text is long', () => {
    const text = `{"servers": {\n${' '.repeat(300_000)}"b": 1${'\t'.repeat(300_000)}\n}}`;
    assert.match(setInJson(text, ['servers', 'a'], 2), /"b": 1,\s+"a": 2\s*\}\}$/);
  });
});

describe('a server that is removed from a file', () => {
  for (const [what, text, left] of files)
    it(`leaves all that is said of others: ${what}`, () =>
      assert.equal(setInJson(text, ['servers', 'a'], undefined), left));

  it('takes no longer than the text is long', () => {
    const text = `{"servers": {"b": 1,${' '.repeat(300_000)}"a": 2${'\t'.repeat(300_000)}}}`;
    assert.match(setInJson(text, ['servers', 'a'], undefined), /^\{"servers": \{"b": 1\s*\}\}$/);
  });
});
