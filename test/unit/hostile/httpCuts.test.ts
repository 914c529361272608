import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { revealHidden } from '../../../src/base/text/text';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { HostileServer, type Asked } from '../../fixtures/hostile/answer';
import { httpCuts, late } from '../../fixtures/hostile/httpCuts';
import { define, limits, recordingLogger, testDeps } from '../mcp/testServers';

const longestLine = 11_000;

/** Starts an HTTP server of one era that answers a call of a tool named like a cut with that cut. */
async function startServer(isModern: boolean) {
  const hostile = new HostileServer(isModern);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      const name = String(asked.params?.['name']);
      const cut = Object.hasOwn(httpCuts, name) ? httpCuts[name] : undefined;
      const { socket } = request;
      socket.on('error', () => {});
      if (cut && asked.method === 'tools/call') return cut.reply(socket, asked.id, response);
      if (asked.id === undefined || asked.method === undefined)
        return response.writeHead(202).end();
      const [text = ''] = hostile.answer(asked);
      return response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

for (const [revision, isModern] of [
  ['2025-11-25', false],
  ['2026-07-28', true],
] as const)
  describe(`a hostile server over cut HTTP, ${revision}`, () => {
    let running: Awaited<ReturnType<typeof startServer>>;
    /** `patient` waits long, and `hasty` is for calls that only a time limit ends. */
    let patient: ConfiguredServer;
    let hasty: ConfiguredServer;
    const { log, lines } = recordingLogger();

    before(async () => {
      running = await startServer(isModern);
      const connect = async (request: number, ceiling: number) => {
        const definition = define(
          { type: 'http', url: running.url, headers: {} },
          { limits: limits({ initialize: 20_000, request, ceiling }, 1_000_000) },
        );
        const server = new ConfiguredServer(definition, testDeps({ log }));
        assert.deepEqual(await server.start(), { kind: 'running' });
        return server;
      };
      patient = await connect(20_000, 20_000);
      hasty = await connect(1500, 4000);
    });

    after(async () => {
      for (const server of [patient, hasty]) {
        await server.stop();
        server.dispose();
      }
      await running.stop();
    });

    for (const [name, { error }] of Object.entries(httpCuts))
      it(`that answers a call with ${name} harms nothing but that call`, async () => {
        const server = late.has(error) ? hasty : patient;
        const ended = await server.callTool(name, {}).then(
          ({ content }) => JSON.stringify(content),
          (thrown: Error) => thrown.message,
        );
        assert.match(ended, error ?? /"right"/);
        assert.ok(ended.length <= longestLine);
        assert.doesNotMatch(ended, /\bat .*\(?(?:node:|\/).*:\d+/);
        const { content } = await server.callTool('say', {});
        assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
        for (const line of Object.values(lines).flat()) {
          assert.ok(line.length <= longestLine, `a line of ${line.length}`);
          assert.equal(revealHidden(line), line);
        }
      });
  });
