import assert from 'node:assert/strict';
import { ConfiguredServer } from '../../../../../src/mcp/configuredServer';
import { createNodeTransports } from '../../../../../src/mcp/node/nodeTransports';
import { define, quickPatience, recordingLogger, testDeps } from '../../testServers';

describe('What a process prints', () => {
  for (const stream of ['stdout', 'stderr'] as const)
    it(`reaches neither the log nor the row with a secret in it (${stream})`, async () => {
      const { log, lines } = recordingLogger();
      const mask = (text: string) => text.replaceAll('hunter2', '‹redacted›');
      const deps = testDeps({
        log,
        openTransport: createNodeTransports(undefined, { patience: quickPatience, mask }),
      });
      const print = `process.${stream}.write('key ghp_0123456789abcdefghijKLMN, password hunter2\\n')`;
      const args = ['-e', `${print}; process.exitCode = 3;`];
      const config = { type: 'stdio', command: process.execPath, args, env: {} } as const;
      const server = new ConfiguredServer(define(config), deps);
      try {
        const outcome = await server.start();
        const { stderrTail, unexpectedOutput } = server.lastAttempt;
        const seen = JSON.stringify([outcome, server.state, stderrTail, unexpectedOutput, lines]);
        assert.match(seen, /key ‹redacted› password ‹redacted›/);
        assert.doesNotMatch(seen, /ghp_|hunter2/);
      } finally {
        await server.stop();
        server.dispose();
      }
    });
});
