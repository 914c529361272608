import assert from 'node:assert/strict';
import { ConfiguredServer } from '../../../../../src/mcp/configuredServer';
import { createNodeTransports } from '../../../../../src/mcp/node/nodeTransports';
import { define, quickTimeouts, recordingLogger, testDeps } from '../../testServers';

describe('What a process prints', () => {
  const written = ['key ghp_0123456789abcdefghijKLMN, password hunter2'];
  // A color before a secret, within it, and after it.
  const coloured = [
    'key \u001B[31mghp_0123456789abcdefghijKLMN, password \u001B[1mhunter2\u001B[0m',
    'key ghp_0123\u001B[1;32m456789abcdefghijKLMN\u001B[m, password hunt\u009B4mer2',
  ];
  const ways = (['stdout', 'stderr'] as const).flatMap((stream) =>
    [...written, ...coloured].map((line) => [stream, line] as const),
  );
  for (const [stream, line] of ways)
    it(`reaches neither the log nor the row with a secret in it (${stream}): ${JSON.stringify(line)}`, async () => {
      const { log, lines } = recordingLogger();
      const mask = (text: string) => text.replaceAll('hunter2', '‹redacted›');
      const deps = testDeps({
        log,
        openTransport: createNodeTransports(undefined, { timeouts: quickTimeouts, mask }),
      });
      const print = `process.${stream}.write(${JSON.stringify(`${line}\n`)})`;
      const args = ['-e', `${print}; process.exitCode = 3;`];
      const config = { type: 'stdio', command: process.execPath, args, env: {} } as const;
      const server = new ConfiguredServer(define(config), deps);
      try {
        const outcome = await server.start();
        const { stderrTail, unexpectedOutput } = server.lastAttempt;
        const seen = JSON.stringify([outcome, server.state, stderrTail, unexpectedOutput, lines]);
        assert.match(seen, /key ‹redacted› password ‹redacted›/);
        assert.doesNotMatch(seen, /ghp_|hunter2|\[\d*m/);
      } finally {
        await server.stop();
        server.dispose();
      }
    });

  it('is cut before it is searched, and ends in no beginning of a secret', async () => {
    const { log, lines } = recordingLogger();
    const masked: number[] = [];
    const mask = (text: string) => {
      masked.push(text.length);
      return text.replaceAll('hunter2', '‹redacted›');
    };
    const openTransport = createNodeTransports(undefined, { timeouts: quickTimeouts, mask });
    const start = `'TOKEN=' + 'a'.repeat(28000) + ' '.repeat(1988) + ' hun' + 'ter2'`;
    const print = `process.stdout.write(${start} + 'b'.repeat(1e6) + '\\n')`;
    const args = ['-e', `${print}; process.exitCode = 3;`];
    const config = { type: 'stdio', command: process.execPath, args, env: {} } as const;
    const server = new ConfiguredServer(define(config), testDeps({ log, openTransport }));
    try {
      await server.start();
      assert.match(JSON.stringify(lines.warn), /Not a message of the protocol on stdout: …/);
      assert.ok(Math.max(...masked) <= 30_000, String(masked));
      assert.equal(server.lastAttempt.unexpectedOutput, '…');
    } finally {
      await server.stop();
      server.dispose();
    }
  });
});
