import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from 'jsonc-parser';
import { respell } from '../../../src/config/places/quickFixes';
import { type TimeUnit, ownEntry, readServerLimits } from '../../../src/mcp/launch/ownEntry';
import { parseServerConfig } from '../../../src/mcp/launch/launchKinds';
import { defaultLimits } from '../../../src/mcp/serverConfig';

const url = 'https://example.com/mcp';
const http = { type: 'http', url, headers: {} };
const sse = { ...http, type: 'sse' };
const stdio = { type: 'stdio', command: 'serve', args: [], env: {} };

/** Ways to write a kind: an entry, what is launched, and its text after the quick fix. */
const spellings: readonly (readonly [entry: object, launched: object, fixed: object])[] = [
  ...[
    'streamable_http',
    'streamable-http',
    'streamableHttp',
    'Streamable HTTP',
    'STREAMABLEHTTP',
  ].map((type) => [{ type, url }, http, { type: 'http', url }] as const),
  ...['remote', 'HTTP', 'http-stream', 'httpStream'].map(
    (type) => [{ type, url }, http, { type: 'http', url }] as const,
  ),
  ...['SSE', 'http+sse', 'http-sse'].map(
    (type) => [{ type, url }, sse, { type: 'sse', url }] as const,
  ),
  ...['local', 'STDIO', 'Local'].map(
    (type) => [{ type, command: 'serve' }, stdio, { type: 'stdio', command: 'serve' }] as const,
  ),
  [{ httpUrl: url }, http, { url }],
  [{ serverUrl: url }, http, { url }],
  [{ uri: url, type: 'streamable_http' }, http, { url, type: 'http' }],
  [{ type: 'sse', serverUrl: url }, sse, { type: 'sse', url }],
  [{ type: 'stdio', url }, http, { type: 'http', url }],
  [{ type: 'local', httpUrl: url }, http, { type: 'http', url }],
  [{ transport: 'sse', url }, sse, { type: 'sse', url }],
  [{ transportType: 'streamable-http', url }, http, { type: 'http', url }],
  [{ transport: 'stdio', command: 'serve' }, stdio, { type: 'stdio', command: 'serve' }],
  [{ transport: 'http', type: 'http', url }, http, { type: 'http', url }],
  [{ transport: { type: 'sse', url } }, sse, { type: 'sse', url }],
  [{ transport: { type: 'streamable_http', serverUrl: url } }, http, { type: 'http', url }],
  [{ transport: { type: 'http' }, url }, http, { type: 'http', url }],
  [
    { name: 'a', transport: { type: 'stdio', command: 'serve', args: ['-v'] }, disabled: true },
    { ...stdio, args: ['-v'] },
    { name: 'a', type: 'stdio', command: 'serve', args: ['-v'], disabled: true },
  ],
];

describe('an entry in the words of another application', () => {
  for (const [entry, launched, fixed] of spellings)
    it(`is read, and can be spelled as in mcp.json: ${JSON.stringify(entry)}`, () => {
      assert.deepEqual(parseServerConfig(entry), { config: launched });
      const { respellings } = ownEntry({ ...entry });
      const [first] = respellings;
      assert.ok(first);
      for (const indent of [0, 2]) {
        const text = JSON.stringify(
          { servers: { other: { command: 'x' }, a: entry } },
          null,
          indent,
        );
        const at = text.indexOf(`"${first.key}"`, text.indexOf('"a"') + 3);
        const after = applyEdits(text, [...respell(text, [['mcpServers'], ['servers']], at)]);
        assert.deepEqual(JSON.parse(after), { servers: { other: { command: 'x' }, a: fixed } });
        assert.deepEqual(ownEntry({ ...fixed }).respellings, []);
      }
    });

  for (const [why, entry] of [
    ['both name an address', { httpUrl: url, serverUrl: `${url}/other` }],
    [
      'the inner and the outer address differ',
      { type: 'http', url: '', transport: { type: 'sse', url } },
    ],
    ['the inner and the outer kind differ', { type: 'websocket', transport: 'sse', url }],
    ['the kind is of no client', { transport: 'grpc', url }],
    ['it is a list', { transport: ['sse'] }],
    ['it is the name of a property of every object', { type: 'constructor', url }],
  ] as const)
    it(`is not guessed at where ${why}`, () => {
      const result = parseServerConfig(entry);
      assert.ok('problem' in result, JSON.stringify(result));
    });

  it('stays the same, comments and all, around what the quick fix changes', () => {
    const text = [
      '{',
      '  // mine',
      '  "servers": {',
      '    "a": {',
      '      "transport": { // how',
      '        "type": "streamable_http",',
      '        "url": "https://example.com/mcp",',
      '        "headers": { /* key */ "A": "1" }',
      '      },',
      '      "disabled": true // for now',
      '    },',
      '  },',
      '}',
    ];
    for (const eol of ['\n', '\r\n']) {
      const before = text.join(eol);
      const edits = respell(before, [['servers']], before.indexOf('"transport"'));
      assert.equal(
        applyEdits(before, [...edits]),
        [
          ...text.slice(0, 4),
          '      "type": "http",',
          '      "url": "https://example.com/mcp",',
          '      "headers": { /* key */ "A": "1" },',
          ...text.slice(9),
        ].join(eol),
      );
    }
  });

  it('is left alone by the quick fix anywhere but at its key', () => {
    const text = '{"servers":{"a":{"type":"remote","url":"https://x"}}}';
    for (const at of [0, 12, text.indexOf('"url"'), text.length])
      assert.deepEqual(respell(text, [['servers']], at), []);
    assert.deepEqual(respell('', [['servers']], 0), []);
    assert.deepEqual(respell('{"servers":[{"type":"remote"}]}', [['servers']], 13), []);
  });

  it('gives the same when it is read twice, whatever it contains', () => {
    const keys = [
      'type',
      'transport',
      'transportType',
      'url',
      'uri',
      'httpUrl',
      'serverUrl',
      'timeout',
      'tool_timeout_sec',
      'command',
      'timeouts',
      '__proto__',
    ];
    const words = fc.constantFrom<unknown>(
      'stdio',
      'local',
      'remote',
      'sse',
      url,
      5,
      5000,
      null,
      '',
      [],
    );
    const value = fc.oneof(words, fc.dictionary(fc.constantFrom(...keys), words));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), value),
        fc.constantFrom('s' as const, 'ms' as const, undefined),
        (entry, unit) => {
          const once = ownEntry(entry, unit).entry;
          assert.deepEqual(ownEntry(once, unit).entry, once);
          parseServerConfig(entry);
          readServerLimits(entry);
        },
      ),
      {
        examples: [
          [{ transportType: 'remote', type: 'stdio', url: 'stdio' }, 's'],
          [{ tool_timeout_sec: 5, transportType: { tool_timeout_sec: 'stdio' } }, undefined],
        ],
      },
    );
  });
});

describe('the times of other applications', () => {
  const call = (seconds: number) => ({ request: seconds, total: seconds });
  for (const [entry, unit, timeouts] of [
    [{ timeout: 30_000 }, 'ms', call(30)],
    [{ timeout: 30 }, 's', call(30)],
    [{ request_timeout_ms: 45_000 }, undefined, call(45)],
    [{ tool_timeout_sec: 1.5 }, undefined, call(1.5)],
    [{ toolTimeoutMs: 2000 }, 's', call(2)],
    [{ timeout_seconds: 7 }, 'ms', call(7)],
    [{ callTimeoutSec: 7 }, undefined, call(7)],
    [{ startup_timeout_sec: 20 }, undefined, { start: 20 }],
    [{ startup_timeout_ms: 20_000 }, undefined, { start: 20 }],
    [{ initTimeout: 5000 }, 'ms', { start: 5 }],
    [{ connectionTimeout: 5000 }, 'ms', { start: 5 }],
    [{ startup_timeout_sec: 20, tool_timeout_sec: 60 }, undefined, { start: 20, ...call(60) }],
    [{ timeout: 9000, timeouts: { request: 5 } }, 'ms', { request: 5, total: 9 }],
  ] as const satisfies readonly (readonly [object, TimeUnit | undefined, object])[])
    it(`are used: ${JSON.stringify(entry)}, ${unit ?? 'in any file'}`, () => {
      const own = ownEntry({ command: 'x', ...entry }, unit);
      assert.deepEqual(own, {
        entry: { command: 'x', timeouts },
        respellings: [],
        unusedTimes: [],
      });
    });

  for (const [entry, unit, why] of [
    [{ timeout: 30_000 }, undefined, 'noUnit'],
    [{ requestTimeout: 30 }, undefined, 'noUnit'],
    [{ timeout: 30 }, 'ms', 'tooShort'],
    [{ startup_timeout_ms: 999 }, undefined, 'tooShort'],
    [{ timeout: 0 }, 's', 'noNumber'],
    [{ timeout: -1 }, 'ms', 'noNumber'],
    [{ tool_timeout_sec: '60' }, undefined, 'noNumber'],
    [{ timeout: null }, 'ms', 'noNumber'],
    [{ timeout: { startup: 1, request: 2 } }, 'ms', 'noNumber'],
  ] as const satisfies readonly (readonly [object, TimeUnit | undefined, string])[])
    it(`stay, and are told about, where they cannot be used: ${JSON.stringify(entry)}, ${unit ?? 'in any file'}`, () => {
      const [key = ''] = Object.keys(entry);
      const own = ownEntry({ ...entry }, unit);
      assert.deepEqual(own, { entry, respellings: [], unusedTimes: [{ key, why }] });
      assert.deepEqual(readServerLimits(own.entry), defaultLimits);
    });

  it('are the limits of the server, and no longer than a timer can be', () => {
    const { deadlines } = readServerLimits({ tool_timeout_sec: 120, startup_timeout_sec: 1e12 });
    assert.deepEqual(deadlines, { initialize: 2 ** 31 - 1, request: 120_000, ceiling: 120_000 });
  });

  for (const key of ['timeouts', 'timeoutless', 'mytimeout', 'slowConnectionThresholdMs'])
    it(`are not ${key}`, () =>
      assert.deepEqual(ownEntry({ [key]: 5000 }, 'ms').entry, { [key]: 5000 }));
});
