import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors';
import { SignInRequiredError } from '../../../../src/mcp/auth/signInRequired';
import { describeFailure } from '../../../../src/mcp/connection/describeFailure';
import { httpStatus } from '../../../../src/mcp/protocol/errorFacts';
import type { ServerConfig } from '../../../../src/mcp/serverConfig';
import { RpcError } from '../../../../src/mcp/protocol/rpcError';
import type { ServerTransport } from '../../../../src/mcp/transport/serverTransport';

const stdio: ServerConfig = { type: 'stdio', command: 'serve', args: [], env: {} };
const http: ServerConfig = { type: 'http', url: 'https://example.com/mcp', headers: {} };
const withToken: ServerConfig = { ...http, headers: { authorization: 'Bearer x' } };

const coded = (code: unknown, message = 'failed') => Object.assign(new Error(message), { code });
const status = (number: number, text = '') =>
  Object.assign(new Error('HTTP'), { data: { status: number, text } });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const probeFailed = (cause: unknown) =>
  Object.assign(new Error('Version negotiation probe failed: unusable reply', { cause }), {
    code: 'ERA_NEGOTIATION_FAILED',
  });
const unexpectedContent = (contentType: string | null) =>
  Object.assign(coded('CLIENT_HTTP_UNEXPECTED_CONTENT'), { data: { contentType } });

interface Row {
  readonly name: string;
  readonly error: unknown;
  readonly config?: ServerConfig;
  readonly transport?: Partial<ServerTransport>;
  readonly expected: RegExp | 'needsSignIn';
}

const table: readonly Row[] = [
  {
    name: 'an error that is fit to show is shown as it is',
    error: new UserError('The command "serve" was not found.'),
    config: stdio,
    expected: /^The command "serve" was not found\.$/,
  },
  {
    name: 'a process that ended says how',
    error: new Error('Connection closed'),
    config: stdio,
    transport: { ending: 'exited with code 3' },
    expected: /^The server exited with code 3\.$/,
  },
  {
    name: 'a process that printed something else says what',
    error: new Error('Connection closed'),
    config: stdio,
    transport: {
      ending: 'exited with code 0',
      unexpectedOutput: 'Usage: serve [options]',
    },
    expected:
      /exited with code 0\. It printed “Usage: serve \[options\]”, which is not an MCP message\.$/,
  },
  {
    name: 'a request that could not be sent says why, without the words around it',
    error: new Error('Version negotiation probe failed: fetch failed', {
      cause: fetchFailed(new Error('bad port')),
    }),
    config: http,
    expected: /^Could not reach https:\/\/example\.com\/mcp: bad port\.$/,
  },
  {
    name: 'an endless first line is cut',
    error: coded('REQUEST_TIMEOUT'),
    config: stdio,
    transport: { unexpectedOutput: 'x'.repeat(5000) },
    expected: /in time.* “x{99}…”, which is not an MCP message\.$/,
  },
  {
    name: 'a server that never answers is told as such',
    error: coded('REQUEST_TIMEOUT'),
    config: stdio,
    expected: /did not answer the first request in time\. .*"timeouts\.start".*how long to wait\.$/,
  },
  {
    name: 'a server that never answers has what it wrote to stderr before what to do',
    error: coded('REQUEST_TIMEOUT'),
    config: stdio,
    transport: { stderrTail: 'Starting\nError: no \u001B[31mlicense\n    at main.js:1\n' },
    expected:
      /^The server did not answer the first request in time\. It wrote “Error: no ⟨U\+001B⟩\[31mlicense” to stderr\. "timeouts\.start"/,
  },
  {
    name: 'a server that never answers has no more of its stderr than fits a line',
    error: coded('REQUEST_TIMEOUT'),
    config: stdio,
    transport: { stderrTail: `Error: ${'x'.repeat(5000)}` },
    expected: /^.{1,500}$/,
  },
  {
    name: 'a handshake that was refused has the words of the server',
    error: coded(-32603, 'No licence found'),
    config: stdio,
    expected: /could not be made: No licence found$/,
  },
  {
    name: 'nothing listens',
    error: fetchFailed(coded('ECONNREFUSED')),
    expected: /^Nothing listens at https:\/\/example\.com\/mcp .*Is the server running there\?$/,
  },
  {
    name: 'nothing listens at any of several addresses',
    error: fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])),
    expected: /^Nothing listens at/,
  },
  {
    name: 'the reason lies several causes deep',
    error: new Error('probe failed', { cause: fetchFailed(coded('ENOTFOUND')) }),
    expected: /^The host of https:\/\/example\.com\/mcp was not found/,
  },
  { name: 'no name server answers', error: fetchFailed(coded('EAI_AGAIN')), expected: /not found/ },
  {
    name: 'the connection was closed',
    error: fetchFailed(coded('UND_ERR_SOCKET')),
    expected: /was closed before an answer came/,
  },
  {
    name: 'the connection was reset',
    error: fetchFailed(coded('ECONNRESET')),
    expected: /was closed before an answer came/,
  },
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ].map((code) => ({
    name: `the certificate is wrong (${code})`,
    error: fetchFailed(coded(code)),
    expected: new RegExp(`certificate of https://example\\.com/mcp is not trusted \\(${code}\\)`),
  })),
  { name: 'a sign-in is needed', error: status(401), expected: 'needsSignIn' },
  {
    name: 'a sign-in is needed that nobody was asked for',
    error: new SignInRequiredError('Unauthorized'),
    expected: 'needsSignIn',
  },
  { name: 'a sign-in is needed for HTTP+SSE', error: coded(401), expected: 'needsSignIn' },
  {
    name: 'a configured token is refused',
    error: status(401),
    config: withToken,
    expected: /refuses the configured Authorization header/,
  },
  {
    name: 'an HTTP status has what the server said, in one line',
    error: status(503, 'down\n  for   maintenance'),
    expected: /answered with HTTP status 503: down for maintenance\.$/,
  },
  {
    name: 'an HTTP status has no more than a line of a long page',
    error: status(500, '<html>'.repeat(1000)),
    expected: /^.{1,300}$/,
  },
  {
    name: 'an HTTP status without a word',
    error: status(404),
    expected: /^https:\/\/example\.com\/mcp answered with HTTP status 404\. Check the address\.$/,
  },
  {
    name: 'a web page where a server should be',
    error: probeFailed(unexpectedContent('text/html; charset=utf-8')),
    expected:
      /^https:\/\/example\.com\/mcp answered with a web page\. Look for the URL that ends in \/mcp\.$/,
  },
  ...[unexpectedContent('text/plain'), unexpectedContent(null), new SyntaxError('Unexpected')].map(
    (cause, index) => ({
      name: `an answer that is no message, in way ${index + 1}`,
      error: probeFailed(cause),
      expected:
        /^https:\/\/example\.com\/mcp answered with something that is not an MCP message\. Check the address\.$/,
    }),
  ),
  { name: 'a status of HTTP+SSE', error: coded(405), expected: /HTTP status 405/ },
  {
    name: 'anything else has its message and causes',
    error: new Error('odd', { cause: new Error('odder') }),
    expected: /could not be made: odd \(odder\)$/,
  },
  { name: 'what is no error', error: 'boom', expected: /could not be made: boom$/ },
];

describe('the failure of a connection', () => {
  for (const [url, shown] of [
    ['https://example.com/mcp?key=${input:key}#part', 'https://example.com/mcp'],
    ['https://me:secret@example.com:8443/a@b', 'https://example.com:8443/a@b'],
    ['http://${env:USER}:${input:pass}@host/mcp', 'http://host/mcp'],
  ] as const)
    it(`names ${shown} without what may be a secret`, () => {
      const error = fetchFailed(coded('ECONNREFUSED'));
      const state = describeFailure(error, { ...http, url }, undefined);
      assert.ok(state.kind === 'failed');
      assert.ok(state.message.startsWith(`Nothing listens at ${shown} (`), state.message);
    });

  for (const { name, error, config = http, transport, expected } of table) {
    it(name, () => {
      const state = describeFailure(error, config, transport);
      if (expected === 'needsSignIn') assert.deepEqual(state, { kind: 'needsSignIn' });
      else {
        assert.equal(state.kind, 'failed');
        assert.match(state.kind === 'failed' ? state.message : '', expected);
      }
    });
  }

  it('has the last words of the process in its detail', () => {
    const transport = { stderrTail: 'Error: no configuration' } as ServerTransport;
    const state = describeFailure(new Error('x'), stdio, transport);
    assert.equal(state.kind === 'failed' && state.detail, 'Error: no configuration');
  });

  for (const [said, transport, short] of [
    ['nothing', {}, 'no answer to the first request in time'],
    [
      'something to stderr',
      { stderrTail: 'Starting\nError: no license\n' },
      'Error: no license · no answer to the first request in time',
    ],
    [
      'a line that is no message',
      { stderrTail: 'Starting\n', unexpectedOutput: 'Usage: serve' },
      'printed “Usage: serve”, which is not an MCP message · no answer to the first request in time',
    ],
  ] as const)
    it(`begins its row with what the server wrote, which never answered: ${said}`, () => {
      const state = describeFailure(coded('REQUEST_TIMEOUT'), stdio, transport);
      assert.equal(state.kind === 'failed' && state.short, short);
    });

  it('shows no hidden characters of what a server said', () => {
    const state = describeFailure(status(500, 'a\u202Eb\u001B[2J'), http, undefined);
    assert.match(state.kind === 'failed' ? state.message : '', /a⟨U\+202E⟩b⟨U\+001B⟩\[2J/);
  });
});

describe('the HTTP status of an error', () => {
  const rows: readonly (readonly [string, unknown, number | undefined])[] = [
    ['that the transport threw', status(404), 404],
    ['below another', new Error('outer', { cause: status(404) }), 404],
    ['of HTTP+SSE', coded(410), 410],
    ['is none of JSON-RPC', new RpcError(-32601, 'x'), undefined],
    ['is none of JSON-RPC, whatever its code', new RpcError(404, 'x'), undefined],
    ['is none of JSON-RPC, whatever its data', new RpcError(1, 'x', { status: 404 }), undefined],
    ['is that which JSON-RPC came with', new RpcError(-32001, 'x', undefined, 404), 404],
    ['is none of the system', coded('ECONNREFUSED'), undefined],
    ['is none of what is no error', { data: { status: 404 } }, undefined],
  ];
  for (const [name, error, expected] of rows) {
    it(name, () => assert.equal(httpStatus(error), expected));
  }

  it('is found without end in no chain of causes', () => {
    const error = new Error('loop');
    error.cause = error;
    assert.equal(httpStatus(error), undefined);
  });
});
