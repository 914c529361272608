import assert from 'node:assert/strict';
import { ConfiguredServer } from '../../../../src/mcp/configuredServer';
import { checkLeaks } from '../../../support/processes/leakCheck';
import type { ScriptedTransport } from '../../../support/fakes/scriptedTransport';
import { legacyServer } from '../scriptedSession';
import { define, recordingLogger, scriptedTransports, testDeps } from '../testServers';

const throwing = { toString: 1 };

/** Messages that no client should have to handle; each is counted. */
const frames: readonly (readonly [string, unknown])[] = [
  ['an object for the id of an answer', { id: throwing, result: {} }],
  ['a list for the id of an answer', { id: [0], result: {} }],
  ['a fraction for the id of an answer', { id: 1_000_000.5, result: {} }],
  ['true for an id', { id: true, method: 'ping' }],
  ['an object for the id of a request', { id: throwing, method: 'ping' }],
  ['an object for a method', { id: 3, method: throwing }],
  ['a list for a message', []],
  ['null for a message', null],
];

/** Odd messages that do not have to be reported, because they belong to no request. */
const unclaimed: readonly (readonly [string, object])[] = [
  ['an object', throwing],
  ['a list', [1_000_000]],
  ['null', [null]],
  ['a text', ['1000000']],
].map(([what, progressToken]) => [
  `${String(what)} for the token of progress`,
  { method: 'notifications/progress', params: { progressToken, progress: 1 } },
]);

async function open(transport: ScriptedTransport) {
  const { log, lines } = recordingLogger();
  const { openTransport } = scriptedTransports(transport);
  const server = new ConfiguredServer(define(), testDeps({ openTransport, log }));
  const outcome = await server.start();
  return { server, outcome, lines };
}

const good = () =>
  legacyServer({
    capabilities: { tools: {} },
    scripts: {
      'tools/list': () => ({ tools: [] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'honest' }] }),
    },
  });

const problemsOf = ({ state }: ConfiguredServer) =>
  state.kind === 'running' ? (state.problems ?? []) : assert.fail(state.kind);

describe('a message that is none', () => {
  checkLeaks();

  for (const [what, frame] of [...frames, ...unclaimed]) {
    it(`does not keep the next one from being read: ${what}`, async () => {
      const transport = good();
      const { server } = await open(transport);
      const call = server.callTool('any', {});
      // Not through `receive`, which would add fields to it.
      transport.onmessage?.(frame as never);
      assert.deepEqual((await call).content, [{ type: 'text', text: 'honest' }]);
      server.dispose();
    });
  }

  for (const [what, frame] of frames) {
    it(`is counted on the row, and its beginning logged: ${what}`, async () => {
      const transport = good();
      const { server, lines } = await open(transport);
      transport.onmessage?.(frame as never);
      const [line = ''] = lines.warn;
      assert.match(line, /^A message of the server could not be read: .+ It began with: \S/);
      assert.deepEqual(problemsOf(server), [
        '1 message could not be read. The log shows how it began.',
      ]);
      server.dispose();
    });
  }

  it('is logged a hundred times a second at most, and counted always', async () => {
    const transport = good();
    const { server, lines } = await open(transport);
    for (let i = 0; i < 5000; i += 1) transport.onmessage?.([] as never);
    assert.equal(lines.warn.length, 100);
    await server.stop();
    assert.ok(lines.warn.at(-1)?.includes('4900 unreadable messages are left out here'));
    server.dispose();
  });

  it('may be nested deeper than a stack', async () => {
    const transport = good();
    const { server, lines } = await open(transport);
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    transport.onmessage?.(deep as never);
    transport.onmessage?.({ jsonrpc: '2.0', odd: deep } as never);
    await server.callTool('any', {});
    assert.match(lines.warn[0] ?? '', /could not be read: .+ It began with: /);
    assert.ok(lines.warn.every((line) => line.length < 2000));
    server.dispose();
  });
});

const info = { name: 's', version: '1' };
const protocolVersion = '2025-11-25';
const tools = { tools: {} };

/** A server's answers to `initialize`, how its row names it, and what is reported about each. */
const handshakes: readonly (readonly [object, string | undefined, readonly RegExp[]])[] = [
  [{ protocolVersion, capabilities: tools, serverInfo: info }, 's', []],
  [{ protocolVersion, serverInfo: info }, 's', [/capabilities are missing/]],
  [{ protocolVersion, capabilities: [], serverInfo: info }, 's', [/read as an empty obj/]],
  [{ protocolVersion, capabilities: null, serverInfo: info }, 's', [/are not an object/]],
  [
    { protocolVersion, capabilities: { tools: true, prompts: 7 }, serverInfo: info },
    's',
    [/"prompts" is not an object: it is left out/, /"tools" is not an object: it is taken/],
  ],
  [
    { protocolVersion, capabilities: { tools: { listChanged: 'yes' } }, serverInfo: info },
    's',
    [/"tools.listChanged" is neither/],
  ],
  [
    { protocolVersion, capabilities: tools, instructions: 5, serverInfo: info },
    's',
    [/instructions are not a text/],
  ],
  [{ protocolVersion, capabilities: tools }, undefined, [/name of the server is missing/]],
  [{ protocolVersion, capabilities: tools, serverInfo: 'x' }, undefined, [/not named as/]],
  [{ protocolVersion, capabilities: tools, serverInfo: { name: 's' } }, 's', [/version of the/]],
  [
    { protocolVersion, capabilities: tools, serverInfo: { ...info, icons: 'x', title: 5 } },
    's',
    [],
  ],
  [{ protocolVersion, capabilities: tools, serverInfo: info, _meta: 'x' }, 's', [/"_meta" is not/]],
];

describe('the answer to the handshake', () => {
  checkLeaks();

  for (const [answer, name, notes] of handshakes) {
    it(`is taken as far as it can be: ${JSON.stringify(answer)}`, async () => {
      const { server, outcome } = await open(
        legacyServer({
          scripts: { initialize: () => answer, 'tools/list': () => ({ tools: [] }) },
        }),
      );
      assert.deepEqual(outcome, { kind: 'running' });
      assert.ok(server.state.kind === 'running');
      assert.equal(server.state.info.implementation?.name, name);
      const problems = problemsOf(server);
      assert.equal(problems.length, notes.length, problems.join('\n'));
      notes.forEach((note, index) => assert.match(problems[index] ?? '', note));
      server.dispose();
    });
  }

  for (const [answer, sentence] of [
    [{ capabilities: tools, serverInfo: info }, /field "protocolVersion" is missing/],
    [{ protocolVersion: 5, serverInfo: info }, /field "protocolVersion" is not a string/],
    [{}, /field "protocolVersion" is missing/],
    [[], /not an object|is not/],
  ] as const) {
    it(`is refused in words: ${JSON.stringify(answer)}`, async () => {
      const { server, outcome, lines } = await open(
        legacyServer({ scripts: { initialize: () => answer } }),
      );
      assert.ok(outcome.kind === 'failed');
      assert.match(outcome.message, sentence);
      const written = [outcome.message, ...Object.values(lines).flat()].join('\n');
      assert.doesNotMatch(written, /invalid_type|Invalid input|"expected"/);
      server.dispose();
    });
  }
});
