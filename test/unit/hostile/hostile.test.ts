import assert from 'node:assert/strict';
import { revealHidden } from '../../../src/base/text/text';
import { markUntrusted, outcomeContent } from '../../../src/chat/content/modelContent';
import type { ToolOutcome } from '../../../src/contracts/toolCalls';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { hostileAnswers } from '../../fixtures/badServers/hostileAnswers';
import { hostileCalls } from '../../fixtures/hostile/calls';
import { legacyHandshakes, modernHandshakes } from '../../fixtures/hostile/handshakes';
import { hostileLists } from '../../fixtures/hostile/lists';
import { hostileQuestions } from '../../fixtures/hostile/questions';
import type { ServerRequestHandlers } from '../../../src/mcp/protocol/serverRequests';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { define, limits, recordingLogger, testDeps } from '../mcp/testServers';
import { ways } from './ways';

/** The longest line in a log, whatever a server sends. */
const longestLine = 11_000;

/** The client's answers, whatever a server asks. */
const requests: ServerRequestHandlers = {
  listRoots: () => Promise.resolve([{ uri: 'file:///mine', name: 'mine' }]),
  createMessage: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'answer' }, model: 'm' }),
  elicit: () => Promise.resolve({ action: 'decline' }),
};

/** Returns what a model gets for an outcome: texts without spaces, and the types of media. */
function toldOf(outcome: ToolOutcome): readonly string[] {
  const [, ...parts] = markUntrusted('server', outcomeContent(outcome).parts);
  return parts
    .slice(0, -1)
    .map((part) => (part.kind === 'text' ? withoutSpaces(part.text) : part.mimeType));
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}

describe('a hostile server', () => {
  checkLeaks();
  const census = createCensus();

  it('does one of many different things', () => {
    const tables = [hostileCalls, hostileLists, hostileAnswers, hostileQuestions];
    const names = tables.flatMap((table) => Object.keys(table));
    assert.equal(new Set(names).size, names.length);
    const handshakes = [legacyHandshakes, modernHandshakes].flatMap((table) => Object.keys(table));
    assert.ok(names.length + handshakes.length >= 200, `${names.length + handshakes.length}`);
  });

  for (const way of ways)
    describe(`over ${way.name}`, () => {
      let stop: () => Promise<void>;
      let server: ConfiguredServer;
      const { log, lines } = recordingLogger();

      before(async () => {
        const started = await way.start(census.env);
        stop = started.stop;
        const definition = define(started.config, {
          limits: limits({
            initialize: 20_000,
            request: way.name.startsWith('SSE') ? 1500 : 5000,
            ceiling: 9000,
          }),
        });
        server = new ConfiguredServer(definition, testDeps({ log, requests }));
        assert.deepEqual(await server.start(), { kind: 'running' });
      });

      after(async () => {
        await server.stop();
        server.dispose();
        await stop();
        assert.deepEqual(await census.commands(), []);
      });

      /** Checks that the server is unharmed: it runs and answers, and the log contains nothing but its own lines. */
      async function isUnharmed(): Promise<void> {
        const { content } = await server.callTool('say', {});
        assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
        assert.ok(server.state.kind === 'running');
        assert.equal(server.state.info.protocolVersion, way.revision);
        assert.deepEqual(lines.error, []);
        for (const line of Object.values(lines).flat()) {
          assert.ok(line.length <= longestLine, `a line of ${line.length}`);
          assert.equal(revealHidden(line), line);
        }
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      }

      for (const [name, { text, blocks, told, error }] of Object.entries(hostileCalls))
        it(`that answers a call with ${name} harms nothing but that call`, async () => {
          const called = server.callTool(name, {});
          if (error) {
            const failure = await called.then(
              () => assert.fail('It succeeded.'),
              (thrown: Error) => thrown.message,
            );
            assert.match(failure.replace(/^"One" could not call the tool "[^"]*": /, ''), error);
            assert.ok(failure.length <= longestLine);
            const toldModel = toldOf({ kind: 'failed', message: () => failure });
            assert.deepEqual(toldModel, [
              withoutSpaces(revealHidden(`The call failed: ${failure}`)),
            ]);
          } else {
            const result = await called;
            const { content } = result;
            if (text !== undefined) assert.deepEqual(content, [{ type: 'text', text }]);
            const right = {
              kind: 'result',
              result,
              arguments: {},
              edited: false,
              problems: [],
            } as const;
            assert.deepEqual(toldOf(right), told?.map(withoutSpaces) ?? [text]);
            if (blocks)
              assert.deepEqual(
                content.map(({ type }) => type),
                blocks,
              );
          }
          await isUnharmed();
        });

      for (const [name, { refused, problem }] of Object.entries(hostileQuestions))
        it(`that asks ${name} is ${refused ? 'refused' : 'answered'}, and goes on`, async () => {
          const answer = await server.callTool(name, {}).then(
            ({ content }) => JSON.stringify(content),
            (thrown: Error) => thrown.message,
          );
          if (refused) assert.match(answer, refused);
          else assert.match(answer, /decline|assistant|file:..\/mine/);
          // The row has the same sentences, at most once a second.
          if (problem) assert.match(lines.warn.join('\n'), problem);
          await isUnharmed();
        });

      for (const [name, { list, kept, problem }] of Object.entries(hostileLists))
        it(`that lists ${name} has it mended or left out`, async () => {
          await server.callTool('use', { list: name });
          await server[list].refresh();
          const { items, problems, error } = server[list];
          assert.deepEqual(
            items.map((entry) => entry.name),
            kept,
          );
          if (problem) assert.match(problems.join('\n'), problem);
          else assert.deepEqual(problems, []);
          assert.equal(error, undefined);
          await isUnharmed();
        });
    });

  for (const way of ways) {
    const table = way.revision === '2026-07-28' ? modernHandshakes : legacyHandshakes;
    describe(`over ${way.name}`, () => {
      for (const [name, { runs }] of Object.entries(table))
        it(`that begins with ${name} ${runs ? 'runs' : 'is given up in a sentence'}`, async () => {
          const { config, stop } = await way.start(census.env, name);
          const { log, lines } = recordingLogger();
          // An answer that never ends does not have to be waited for as long as one that does.
          const most = runs ? 15_000 : 2000;
          const definition = define(config, {
            limits: limits({ initialize: most, request: most, ceiling: most }),
          });
          const server = new ConfiguredServer(definition, testDeps({ log }));
          const outcome = await server.start();
          await server.stop();
          server.dispose();
          await stop();
          assert.equal(outcome.kind, runs ? 'running' : 'failed');
          if ('message' in outcome) assert.ok(outcome.message.length <= 2500, outcome.message);
          for (const line of Object.values(lines).flat()) assert.ok(line.length <= longestLine);
          assert.deepEqual(await census.commands(), []);
        });
    });
  }
});
