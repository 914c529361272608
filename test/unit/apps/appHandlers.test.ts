import assert from 'node:assert/strict';
import { silentLogger, type Logger } from '../../../src/base/log';
import { createAppHandlers } from '../../../src/apps/panel/appHandlers';
import type { ToolCall } from '../../../src/contracts/toolCalls';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { fakeApp } from '../../support/fakes/fakeApp';

const app = fakeApp();

describe('what an app asks for', () => {
  const lines: string[] = [];
  const write = (level: string) => (text: string) => void lines.push(`${level}: ${text}`);
  const logger: Logger = { ...silentLogger, info: write('info'), warn: write('warn') };
  const asked: ToolCall[] = [];
  const handlers = createAppHandlers(
    fakeServer({ tools: [tool({ name: 'count' })] }),
    app,
    {
      gate: {
        run: (call) => {
          asked.push(call);
          return Promise.resolve({ kind: 'cancelled' });
        },
      },
      visit: () => Promise.resolve(false),
      draft: () => Promise.resolve(false),
    },
    logger,
  );
  const { signal } = new AbortController();

  beforeEach('forget', () => lines.splice(0));
  after(() => handlers.dispose());

  it('writes down what an app asks for', async () => {
    await handlers.readResource('demo://a\nb', signal);
    await assert.rejects(handlers.openLink('https://example.com/', signal), /did not open/);
    await assert.rejects(handlers.sendMessage('hello', signal), /declined/);
    const [read = '', ...others] = lines;
    assert.match(read, /^info: demo: the app ui:\/\/demo\/view reads demo:\/\/a b\.$/);
    assert.deepEqual(others, [
      'info: demo: the app ui://demo/view wants to open https://example.com/.',
      'info: demo: the app ui://demo/view wants to write a message.',
    ]);
  });

  it('is called through the gate as its own, with what it is made of', async () => {
    await assert.rejects(handlers.runTool('count', { a: 1 }, signal), /was cancelled/);
    await assert.rejects(handlers.runTool('other', {}, signal), /has no tool "other"/);
    assert.deepEqual(
      asked.map(({ origin, arguments: args }) => [origin, args]),
      [[{ kind: 'app', uri: 'ui://demo/view', fingerprint: 'one', canChange: false }, { a: 1 }]],
    );
  });

  it('is a line of our log where it is one of its own log, cut where it is long', () => {
    handlers.log('error', 'failed');
    handlers.log('debug', 'a'.repeat(100_000));
    const [failed, long = ''] = lines;
    assert.equal(failed, 'warn: ui://demo/view: failed');
    assert.ok(long.startsWith('info: ui://demo/view: aaa') && long.length < 3000);
  });
});
