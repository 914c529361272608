import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import type { CallToolResult, Progress } from '../../../src/mcp/protocol/types';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import {
  hostileAnswers,
  type HostileAnswer,
  type HostileAnswerName,
} from '../../fixtures/badServers/hostileAnswers';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { ScriptedHttpServer } from '../../support/fakes/scriptedHttpServer';
import { define, limits, recordingLogger, testDeps } from './testServers';

/** The expected end of a call: the text of its only block, an error, or anything that passes the check. */
type Expected =
  | { readonly text: string }
  | { readonly error: RegExp }
  | { readonly check: (result: CallToolResult, progress: readonly Progress[]) => void };

const right: Expected = { text: 'right' };
const noObject: Expected = { error: /not an object|ended its response|invalid|Invalid/ };

const expected: Record<HostileAnswerName, Expected> = {
  twice: { text: 'first' },
  'with another id first': right,
  'with its id as a text': right,
  'only with another id': { error: /No answer to tools\/call|ended its response/ },
  'after a request of its own with the same id': right,
  'after a request that nobody knows': right,
  'with neither a result nor an error': noObject,
  'with a result and an error': { error: /both|ended its response|nvalid/ },
  'with an error that is a text': { error: /gave no reason|ended its response|nvalid/ },
  'with an error that is null': { error: /gave no reason|ended its response|nvalid/ },
  'with an error of hidden characters': { error: /a\u202Eb/ },
  'with a text for a result': noObject,
  'with a list for a result': noObject,
  'with null for a result': noObject,
  'with an empty result': {
    check: ({ content }) =>
      assert.deepEqual(content, [{ type: 'unknown', value: {}, isWhole: true }]),
  },
  'with content that is no list': { text: 'text' },
  'with content that nobody knows': {
    check: ({ content }) =>
      assert.deepEqual(content, [
        { type: 'unknown', value: { type: 'hologram', data: 'AAAA' } },
        { type: 'unknown', value: null },
        { type: 'unknown', value: 7 },
      ]),
  },
  'with structured content of any kind': {
    check: ({ structuredContent }) => assert.deepEqual(structuredContent, [1, 'a', null]),
  },
  'nested as deep as a stack is not': {
    check: ({ structuredContent }) => {
      let depth = 0;
      for (let at = structuredContent; Array.isArray(at); at = at[0] as unknown) depth += 1;
      assert.equal(depth, 100_000);
    },
  },
  'that names what every object has': {
    check: () => assert.equal(({} as Record<string, unknown>)['polluted'], undefined),
  },
  'with characters that are none': { text: '\uD800 \u0000 \u2028' },
  'with numbers that are too large': {
    check: ({ structuredContent }) =>
      assert.deepEqual(structuredContent, [Infinity, 123_456_789_012_345_680_000_000_000_000]),
  },
  'after two thousand progress notifications': {
    check: (_result, progress) => {
      assert.equal(progress.length, 2000);
      assert.equal(progress.at(-1)?.progress, 1999);
    },
  },
  'after progress of any kind': { text: 'done' },
  'after notifications of any kind': right,
};

interface Way {
  readonly name: string;
  /** Starts the server, if it is not a process of the client. */
  readonly start: () => Promise<{
    readonly config: ServerConfig;
    readonly stop: () => Promise<void>;
  }>;
}

const census = createCensus();
const fixture = join(__dirname, '..', '..', 'fixtures', 'badServers', 'hostile.js');

const stdio: Way = {
  name: 'stdio',
  start: () =>
    Promise.resolve({
      config: { type: 'stdio', command: process.execPath, args: [fixture], env: census.env },
      stop: () => Promise.resolve(),
    }),
};

const http: Way = {
  name: 'HTTP',
  start: async () => {
    const server = new ScriptedHttpServer({
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile-server', version: '1.0.0' },
      }),
      'tools/list': () => ({ tools: [{ name: 'say', inputSchema: {} }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'ok' }] }),
    });
    server.intercept = ({ message }, response) => {
      const { name, _meta } = (message?.params ?? {}) as {
        readonly name?: string;
        readonly _meta?: { readonly progressToken?: unknown };
      };
      const answer = (hostileAnswers as Record<string, HostileAnswer>)[String(name)];
      if (message?.method !== 'tools/call' || !answer) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of answer(message.id, _meta?.progressToken))
        response.write(`event: message\ndata: ${text}\n\n`);
      response.end();
      return true;
    };
    const url = await server.start();
    return { config: { type: 'http', url, headers: {} }, stop: () => server.stop() };
  },
};

describe('a hostile answer', () => {
  checkLeaks();

  for (const { name: wayName, start } of [stdio, http]) {
    describe(`over ${wayName}`, () => {
      let stop: () => Promise<void>;
      let server: ConfiguredServer;
      const { log, lines } = recordingLogger();

      before(async () => {
        const started = await start();
        stop = started.stop;
        const definition = define(started.config, {
          limits: limits({ initialize: 20_000, request: 4000, ceiling: 20_000 }),
        });
        server = new ConfiguredServer(definition, testDeps({ log, tracing: () => true }));
        assert.deepEqual(await server.start(), { kind: 'running' });
      });

      after(async () => {
        await server.stop();
        server.dispose();
        await stop();
        assert.deepEqual(await census.commands(), []);
      });

      for (const name of Object.keys(hostileAnswers) as HostileAnswerName[]) {
        it(`${name} harms nothing but its call`, async () => {
          const outcome = expected[name];
          const progress: Progress[] = [];
          const called = server.callTool(name, {}, { onProgress: (one) => progress.push(one) });
          if ('error' in outcome) await assert.rejects(called, outcome.error);
          else {
            const result = await called;
            if ('check' in outcome) outcome.check(result, progress);
            else assert.deepEqual(result.content, [{ type: 'text', text: outcome.text }]);
          }
          const { content } = await server.callTool('say', {});
          assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
          assert.deepEqual(lines.error, []);
        });
      }
    });
  }
});
