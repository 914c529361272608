import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseServerConfig } from '../../../src/mcp/launch/launchKinds';
import {
  sameConfig,
  sameDefinition,
  type ServerConfig,
  type ServerDefinition,
  defaultLimits,
} from '../../../src/mcp/serverConfig';
import { canonicalJson } from '../../../src/base/json';

describe('a server configuration', () => {
  const valid: readonly (readonly [string, object, ServerConfig])[] = [
    [
      'with a command is a process',
      { command: 'serve' },
      { type: 'stdio', command: 'serve', args: [], env: {} },
    ],
    [
      'of a process may have everything',
      {
        type: 'stdio',
        command: 'serve',
        args: ['-v', '${workspaceFolder}'],
        env: { A: 'x', B: 1, C: null },
        cwd: '/work',
        envFile: '.env',
      },
      {
        type: 'stdio',
        command: 'serve',
        args: ['-v', '${workspaceFolder}'],
        env: { A: 'x', B: '1', C: null },
        cwd: '/work',
        envFile: '.env',
      },
    ],
    [
      'with an address is reached over HTTP',
      { url: 'https://example.com/mcp' },
      { type: 'http', url: 'https://example.com/mcp', headers: {} },
    ],
    ...['http', 'streamable-http', 'streamableHttp'].map(
      (type) =>
        [
          `of type ${type} is reached over HTTP`,
          { type, url: 'http://localhost:1/mcp', headers: { 'X-Key': 'k' } },
          { type: 'http', url: 'http://localhost:1/mcp', headers: { 'X-Key': 'k' } },
        ] as const,
    ),
    [
      'of type sse is reached over HTTP+SSE',
      { type: 'sse', url: 'HTTP://localhost:1/sse' },
      { type: 'sse', url: 'HTTP://localhost:1/sse', headers: {} },
    ],
    [
      'may have a variable for its address',
      { url: '${env:MCP_URL}' },
      { type: 'http', url: '${env:MCP_URL}', headers: {} },
    ],
    [
      'may be local, as Copilot says',
      { type: 'local', command: 'serve' },
      { type: 'stdio', command: 'serve', args: [], env: {} },
    ],
    [
      'may have fields that others use',
      { command: 'serve', disabled: true, gallery: 1 },
      { type: 'stdio', command: 'serve', args: [], env: {} },
    ],
  ];
  for (const [name, value, config] of valid) {
    it(name, () => assert.deepEqual(parseServerConfig(value), { config }));
  }

  const invalid: readonly (readonly [unknown, RegExp])[] = [
    [null, /must be an object/],
    ['serve', /must be an object/],
    [[], /must be an object/],
    [{}, /needs a "command" to start or a "url"/],
    [{ command: '' }, /"command" must name/],
    [{ command: '  ' }, /"command" must name/],
    [{ command: ['serve'] }, /"command" must name/],
    [{ command: 'serve', args: '-v' }, /"args" must be a list of strings/],
    [{ command: 'serve', args: [1] }, /"args" must be a list of strings/],
    [{ command: 'serve', env: ['A=1'] }, /"env" must map/],
    [{ command: 'serve', env: { A: {} } }, /"env" must map/],
    [{ command: 'serve', env: { A: true } }, /"env" must map/],
    [{ command: 'serve', cwd: 5 }, /"cwd" must be a path/],
    [{ command: 'serve', envFile: [] }, /"envFile" must be a path/],
    [{ type: 'websocket', url: 'ws://x' }, /type "websocket" is unknown/],
    [{ type: 7 }, /type 7 is unknown: use "stdio", "http" or "sse"\./],
    [{ type: 'local', args: [] }, /"command" is missing/],
    [{ type: 'remote', command: 'serve' }, /"url" is missing/],
    [{ type: 'sse', headers: {} }, /"url" is missing: a server of type "sse"/],
    [{ url: '' }, /"url" must be/],
    [{ url: 'example.com' }, /"url" must be/],
    [{ url: 'file:///etc/passwd' }, /"url" must be/],
    [{ url: 'javascript:alert(1)' }, /"url" must be/],
    [{ url: 'http:///mcp' }, /"url" must be/],
    [{ url: 5 }, /"url" must be/],
    [{ url: 'https://example.com', headers: ['a'] }, /"headers" must map/],
    [{ url: 'https://example.com', headers: { a: 1 } }, /"headers" must map/],
  ];
  for (const [value, problem] of invalid) {
    it(`is refused: ${JSON.stringify(value)}`, () => {
      const result = parseServerConfig(value);
      assert.ok('problem' in result);
      assert.match(result.problem, problem);
      assert.match(result.problem, /\.$/, 'a whole sentence');
    });
  }

  it('is read or refused, whatever stands in the file', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const result = parseServerConfig(value);
        assert.ok('config' in result || 'problem' in result);
        parseServerConfig({ command: 'x', args: value, env: other });
        parseServerConfig({ url: value, headers: other });
      }),
    );
  });
});

describe('two definitions', () => {
  const one: ServerDefinition = {
    id: 'a',
    name: 'A',
    config: { type: 'stdio', command: 'serve', args: ['x'], env: { A: '1', B: '2' } },
    limits: defaultLimits,
    source: { label: 'mcp.json', uri: 'file:///a', line: 3 },
    folder: 'file:///work',
  };
  const stdio = one.config as Extract<ServerConfig, { type: 'stdio' }>;

  it('are the same wherever they stand and however their keys are ordered', () => {
    const env = { B: '2', A: '1' };
    const other = { ...one, source: { label: 'settings' }, config: { ...stdio, env } };
    assert.equal(sameDefinition(one, other), true);
  });

  const changes: readonly (readonly [string, Partial<ServerDefinition>])[] = [
    ['id', { id: 'b' }],
    ['name', { name: 'B' }],
    ['folder', { folder: 'file:///other' }],
    ['command', { config: { ...stdio, command: 'other' } }],
    ['arguments', { config: { ...stdio, args: ['x', 'y'] } }],
    ['environment', { config: { ...stdio, env: { A: '1' } } }],
    ['working directory', { config: { ...stdio, cwd: '/' } }],
    ['only revision', { revision: '2025-03-26' }],
    ['transport', { config: { type: 'http', url: 'https://example.com', headers: {} } }],
  ];
  for (const [name, change] of changes) {
    it(`differ by their ${name}`, () =>
      assert.equal(sameDefinition(one, { ...one, ...change }), false));
  }

  it('differ by the order of arguments', () => {
    assert.equal(sameConfig({ ...stdio, args: ['a', 'b'] }, { ...stdio, args: ['b', 'a'] }), false);
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values, whatever the order of their keys', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, part]) => [key, shuffled(part)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(canonicalJson(shuffled(value)), canonicalJson(value));
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('differs for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b);
        assert.equal(
          same,
          isDeepEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))),
        );
      }),
    );
  });
});

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
