import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from 'jsonc-parser';
import { setProperty } from '../../../../src/config/applications/jsonEdits';
import { readJson, setInJson } from '../../../../src/config/applications/jsonFile';

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
    `{\n  "servers": {\n    "b":{"command":"y"},\n    "new": ${oneLine}\n  }\n}\n`,
  ],
  [
    'in lines, as the one before it is',
    '{\n  "servers": {\n    "b": {\n      "command": "y" },\n    "c": {}\n  }\n}\n',
    '{\n  "servers": {\n    "b": {\n      "command": "y" },\n    "c": {},\n    "new": {\n      "command": "x",\n      "args": [\n        "a\\n\\"b\\""\n      ]\n    }\n  }\n}\n',
  ],
  [
    'in a line each, with the blanks of the others',
    '{\n  "servers": {\n    "b": { "command": "y" },\n    "c": {}\n  }\n}\n',
    '{\n  "servers": {\n    "b": { "command": "y" },\n    "c": {},\n    "new": { "command": "x", "args": ["a\\n\\"b\\""] }\n  }\n}\n',
  ],
  [
    'in a line each, without blanks inside',
    '{\n  "servers": {\n    "b": {"command": "y"}\n  }\n}\n',
    '{\n  "servers": {\n    "b": {"command": "y"},\n    "new": {"command": "x", "args": ["a\\n\\"b\\""]}\n  }\n}\n',
  ],
  [
    'behind a comment, in the tabs and line ends of the file',
    '{\r\n\t"servers" : {\r\n\t\t"b":   {\r\n "command":"y" } // keep this\r\n\t\t// the end\r\n\t}\r\n}',
    '{\r\n\t"servers" : {\r\n\t\t"b":   {\r\n "command":"y" }, // keep this\r\n\t\t"new": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": [\r\n\t\t\t\t"a\\n\\"b\\""\r\n\t\t\t]\r\n\t\t}\r\n\t\t// the end\r\n\t}\r\n}',
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
    `{\n  "servers": {\n    "new": ${oneLine}, // mine\n    "b":{}\n  }\n}`,
  ],
  ['in the place of no object', '{"servers": null}', `{"servers": {"new":${oneLine}}}`],
];

describe('a server that is added to a file', () => {
  for (const [what, text, expected] of additions)
    it(`leaves all other bytes: ${what}`, () =>
      assert.equal(setInJson(text, ['servers', 'new'], added), expected));

  /** Files of every style: entries in lines or in one, comments, commas at the end, line ends, indents. */
  const style = fc.record({
    eol: fc.constantFrom('\n', '\r\n'),
    unit: fc.constantFrom('  ', '\t', '    '),
    entries: fc.array(
      fc.record({
        inLines: fc.boolean(),
        comment: fc.constantFrom('', ' // a, "b": {', ' /* } */', ' // é 👍'),
        above: fc.constantFrom('', '// "new": 1', '/* { */'),
        gap: fc.constantFrom('', ' '),
        text: fc.string(),
      }),
      { maxLength: 4 },
    ),
    isOneLine: fc.boolean(),
    last: fc.constantFrom('', ','),
    key: fc.constantFrom('new', 'n"e\\w', 'c0'),
  });
  it('leaves all other bytes in files of every style, and is in one line where the others are', () =>
    fc.assert(
      fc.property(style, ({ eol, unit, entries, isOneLine, last, key }) => {
        const lines = entries.map(({ inLines, comment, above, gap, text }, index) => {
          const inner = JSON.stringify(text);
          const isLast = index === entries.length - 1;
          const value =
            inLines && !isOneLine
              ? `{${eol}${unit.repeat(3)}"command":${gap}${inner}${eol}${unit.repeat(2)}}`
              : `{${gap}"command":${gap}${inner}${gap}}`;
          const line = `"c${index}":${gap}${value}${isLast ? last : ','}`;
          if (isOneLine) return line;
          const lead = above ? `${unit.repeat(2)}${above}${eol}` : '';
          return `${lead}${unit.repeat(2)}${line}${comment}`;
        });
        const text = isOneLine
          ? `{"servers":{${lines.join(' ')}}}`
          : ['{', `${unit}"servers": {`, ...lines, `${unit}}`, '}', ''].join(eol);
        const isThere = key === 'c0' && entries.length > 0;
        const edits = setProperty(text, ['servers', key], added);
        for (const { offset, length } of edits)
          assert.match(
            text.slice(offset, offset + length),
            isThere ? /^\{[^]*\}$/ : /^\s*$/,
            'nothing but blanks, or the entry itself, is replaced',
          );
        const result = applyEdits(text, edits);
        const before = readJson(text)['servers'] as object;
        assert.deepEqual(readJson(result)['servers'], { ...before, [key]: added });
        const lineCount = (all: string) => all.split('\n').length;
        const isInLines = isOneLine ? false : entries.some(({ inLines }) => inLines);
        if (entries.length > 0 && !isInLines)
          assert.equal(lineCount(result), lineCount(text) + (isThere || isOneLine ? 0 : 1));
        if (!isOneLine) assert.equal(/[^\r]\n/.test(result), eol === '\n');
      }),
    ));

  it('appends its inputs to a list', () => {
    for (const [text, expected] of [
      ['{"inputs":[ 1]}', '{"inputs":[ 1, 2]}'],
      ['{"inputs":[],"servers":{"a":1}}\n', '{"inputs":[2],"servers":{"a":1}}\n'],
      ['{"inputs":[ ],"servers":{}}', '{"inputs":[\n  2\n],"servers":{}}'],
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
