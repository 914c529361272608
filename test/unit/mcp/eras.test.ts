import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import type { ServerMemory } from '../../../src/mcp/connection/serverMemory';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { until } from '../../support/until';
import { define, limits, names, testDeps } from './testServers';

const badServer = join(__dirname, '..', '..', 'fixtures', 'badServers', 'main.js');

describe('a process that speaks only the newest revision', () => {
  checkLeaks();
  const census = createCensus();

  for (const answer of ['32600', '32601', '32602', '32603', '32000', '32022', 'silence'])
    it(`is found where it answers initialize with ${answer}, once and for all, in one process`, async () => {
      const saved: string[] = [];
      const memory: ServerMemory = {
        load: () => Promise.resolve(undefined),
        save: (_config, { era }) => Promise.resolve(void saved.push(era)),
      };
      const config = {
        type: 'stdio',
        command: process.execPath,
        args: [badServer, 'modern', answer],
        env: census.env,
      } as const;
      const definition = define(config, {
        limits: limits({ initialize: answer === 'silence' ? 4000 : 20_000 }),
      });
      const server = new ConfiguredServer(definition, testDeps({ memory }));
      try {
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.equal((await census.commands()).length, 1);
        assert.deepEqual(names(server.tools), ['say', 'ask', 'change', 'stats']);
        const stats = async () => {
          const { content } = await server.callTool('stats', {});
          const [block] = content;
          return JSON.parse(block?.type === 'text' ? block.text : '') as Record<string, number>;
        };
        assert.equal((await stats())['initialize'], 1);
        await server.stop();
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.equal((await stats())['initialize'], undefined);
        await until(() => saved.length > 0);
        assert.deepEqual(new Set(saved), new Set(['modern']));
      } finally {
        await server.stop();
        server.dispose();
      }
      assert.deepEqual(await census.commands(), []);
    });
});
