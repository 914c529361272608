import assert from 'node:assert/strict';
import { folderFiles } from '../../../../src/config/places/folderFiles';
import { findHints } from '../../../../src/config/places/hints';
import { findServers, maxServersOfFile, parseMcpJson } from '../../../../src/config/places/mcpJson';
import { inEnglish } from '../../../../src/base/translate';
import { mergeLayers } from '../../../../src/config/mergeLayers';
import { processMs, leeway } from '../../../support/processes/ownLoad';

describe('the text of an mcp.json', () => {
  it('has the times of other readers of the file as they mean them', () => {
    const text = '{"mcpServers":{"a":{"command":"x","timeout":60000}}}';
    const valueIn = (path: string) => {
      const [file] = folderFiles(['mcpJson', 'github', 'vscode'], undefined).filter(
        (one) => one.path === path,
      );
      return structuredClone(parseMcpJson(text, file).entries[0]?.value);
    };
    for (const path of ['.mcp.json', '.github/mcp.json'])
      assert.deepEqual(valueIn(path), { command: 'x', timeouts: { request: 60, total: 60 } });
    assert.deepEqual(valueIn('.vscode/mcp.json'), { command: 'x', timeout: 60000 });
  });

  it('gives each server its value and the place of its name', () => {
    const text = `{
  // a comment
  "servers": {
    "one": { "command": "node", "args": [] },
    "two": { "url": "https://example.com/mcp" },
  },
  "inputs": [{ "id": "key" }],
}`;
    // Parsed objects have no prototype, so they would not equal plain ones.
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

  const many = (count: number) => {
    const one = (index: number) => `"s${index}": { "comand": "node", "args": ["${index}.js"] }`;
    return `{"servers": {\n${Array.from({ length: count }, (_, index) => one(index)).join(',\n')}\n}}`;
  };

  it('may have five hundred servers, one of which is broken', () => {
    const text = many(500).replaceAll('comand', 'command').replace('"7.js"', '7');
    const read = parseMcpJson(text);
    assert.deepEqual(read.problems, []);
    const place = { scope: 'user', label: 'mcp.json', ...read } as const;
    const { servers, problems } = mergeLayers([place]);
    assert.equal(servers.length, 499);
    assert.deepEqual(
      problems.map(({ name, message, range }) => [name, message, range?.line]),
      [['s7', '"args" must be a list of strings.', 8]],
    );
  });

  it('is read up to a thousand servers, and the next one is marked', () => {
    const { entries, problems } = parseMcpJson(many(maxServersOfFile + 500));
    assert.equal(entries.length, maxServersOfFile);
    assert.equal(entries.at(-1)?.name, `s${maxServersOfFile - 1}`);
    assert.deepEqual(
      problems.map(({ message, range }) => [message, range?.line]),
      [[`Only the first ${maxServersOfFile} servers of a file are read.`, maxServersOfFile + 1]],
    );
  });

  it('is read in one pass, however many servers it has', function () {
    this.timeout(60_000);
    const text = many(50_000);
    const begun = processMs();
    assert.equal(parseMcpJson(text).entries.length, maxServersOfFile);
    assert.equal(findHints(text, { serversKey: 'servers' }, inEnglish).length, 100);
    assert.ok((processMs() - begun) / leeway() < 5000, 'Quadratic work takes minutes.');
  });

  const server = (keys: readonly string[]) =>
    Object.fromEntries([['command', 'a'], ...keys.map((key) => [key, 2000] as const)]);
  const odd = Array.from({ length: 1000 }, (_, at) => `inheritVariableEnviron${at}`);
  const cased = Array.from({ length: 30_000 }, (_, at) =>
    Array.from('connectionTimeoutMilliseconds', (letter, bit) =>
      (at >> bit) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
    ).join(''),
  );
  for (const [what, servers] of [
    ['unknown keys', Array.from({ length: 60 }, () => server(odd))],
    ['keys that another application has', [server(cased)]],
  ] as const)
    it(`is read in one pass, however many ${what} it has`, function () {
      this.timeout(60_000);
      const text = JSON.stringify({ servers: Object.fromEntries(servers.entries()) });
      const begun = processMs();
      parseMcpJson(text);
      findHints(text, { serversKey: 'servers' }, inEnglish);
      assert.ok((processMs() - begun) / leeway() < 5000, 'Comparing all takes minutes.');
    });
});

describe('customizations.vscode.mcp of a devcontainer.json', () => {
  const [file] = folderFiles(['devcontainer'], 'dev-container');
  const inContainer = (mcp: string) =>
    `{\n// the image\n"customizations": {"vscode": {"mcp": ${mcp}}}}`;
  const read = (text: string) => structuredClone(parseMcpJson(text, file));

  it('is read inside that container and nowhere else', () => {
    const pathsIn = (remote: string | undefined) =>
      folderFiles(['devcontainer', 'vscode'], remote).map(({ path }) => path);
    assert.deepEqual(pathsIn('dev-container'), [
      '.devcontainer/devcontainer.json',
      '.vscode/mcp.json',
    ]);
    for (const remote of [undefined, 'ssh-remote', 'wsl', 'attached-container'])
      assert.deepEqual(pathsIn(remote), ['.vscode/mcp.json']);
  });

  it('has servers and inputs as an mcp.json has', () => {
    const { entries, inputs, problems } = read(
      inContainer('{"servers": {"a": {"command": "node"}}, "inputs": [{"id": "k"}]}'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(inputs, [{ id: 'k' }]);
    assert.deepEqual(
      entries.map(({ name, value, range }) => [name, value, range?.line]),
      [['a', { command: 'node' }, 2]],
    );
  });

  for (const [title, text, message] of [
    ['a list', inContainer('[]'), '"customizations.vscode.mcp" must be an object.'],
    [
      'servers that are a list',
      inContainer('{"servers": []}'),
      '"servers" must be an object that maps names to servers.',
    ],
  ] as const)
    it(`is marked where it is ${title}`, () =>
      assert.deepEqual(
        read(text).problems.map((one) => [one.message, one.range?.line]),
        [[message, 2]],
      ));

  for (const text of ['{}', '{"servers": {"a": {"command": "node"}}}', '{"customizations": {}}'])
    it(`may be absent: ${text}`, () => {
      const { entries, problems } = read(text);
      assert.deepEqual([entries, problems], [[], []]);
    });
});
