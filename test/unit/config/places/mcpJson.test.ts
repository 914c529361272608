import assert from 'node:assert/strict';
import { findServers, parseMcpJson } from '../../../../src/config/places/mcpJson';

describe('the text of an mcp.json', () => {
  it('gives each server its value and the place of its name', () => {
    const text = `{
  // a comment
  "servers": {
    "one": { "command": "node", "args": [] },
    "two": { "url": "https://example.com/mcp" },
  },
  "inputs": [{ "id": "key" }],
}`;
    // Its objects have no prototype, which plain ones would not equal.
    const { entries, inputs, problems } = structuredClone(parseMcpJson(text));
    assert.deepEqual(problems, []);
    assert.deepEqual(inputs, [{ id: 'key' }]);
    assert.deepEqual(entries, [
      {
        name: 'one',
        value: { command: 'node', args: [] },
        range: { line: 3, character: 4, endLine: 3, endCharacter: 9 },
      },
      {
        name: 'two',
        value: { url: 'https://example.com/mcp' },
        range: { line: 4, character: 4, endLine: 4, endCharacter: 9 },
      },
    ]);
  });

  it('takes servers from mcpServers as well', () =>
    assert.deepEqual(
      parseMcpJson('{"mcpServers":{"a":{}}}').entries.map(({ name }) => name),
      ['a'],
    ));

  it('counts lines whatever ends them', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.equal(
        parseMcpJson(['{', '"servers": {', '"a": {}', '}}'].join(end)).entries[0]?.range?.line,
        2,
        JSON.stringify(end),
      );
  });

  for (const [title, text, message, line] of [
    ['a missing comma', '{\n"servers": {\n"a": {}\n"b": {}\n}}', /^Line 4 .*a comma is missing/, 3],
    ['a missing brace', '{\n"servers": {', /a closing brace is missing/, 1],
    ['a missing value', '{\n"servers":\n}', /^Line 3 .*a value is missing/, 2],
    ['a list as the file', '\n[]', /The file must be an object/, 1],
    ['a list of servers', '{\n\n"servers": []}', /"servers" must be an object/, 2],
  ] as const)
    it(`says at the right line what is wrong with ${title}`, () => {
      const { entries, problems } = parseMcpJson(text);
      assert.deepEqual(entries, []);
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.message ?? '', message);
      assert.equal(problems[0]?.range?.line, line);
    });

  it('takes an empty file as one without servers', () =>
    assert.deepEqual(parseMcpJson(' \n'), { entries: [], inputs: undefined, problems: [] }));

  it('shows where servers stand while it is being written', () => {
    const text = '{\n  "servers": {\n    "a.b": { "command": \n  "b": {}\n';
    assert.deepEqual(
      findServers(text, [['servers'], ['mcpServers']]).map(({ name, range }) => [name, range.line]),
      [['a.b', 2]],
    );
    assert.deepEqual(findServers('{ "x.servers": { "c": {} } }', [['x.servers']])[0]?.name, 'c');
    assert.deepEqual(findServers('nothing', [['servers']]), []);
  });
});
