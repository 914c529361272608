import assert from 'node:assert/strict';
import type { Logger } from '../../../../src/base/log';
import { ServerLog } from '../../../../src/mcp/connection/serverContents';
import { useFakeClock } from '../../../support/fakes/fakeClock';

function recorder() {
  const lines: [keyof Logger, string][] = [];
  const at = (level: keyof Logger) => (text: string) => void lines.push([level, text]);
  const log: Logger = {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  const serverLog = new ServerLog(log);
  opened.push(serverLog);
  return { serverLog, lines };
}

const opened: ServerLog[] = [];

describe('a log message of a server', () => {
  afterEach(() => {
    for (const serverLog of opened.splice(0)) serverLog.dispose();
  });

  const levels: readonly (readonly [level: unknown, as: keyof Logger, text?: string])[] = [
    ['debug', 'debug'],
    ['info', 'info'],
    ['notice', 'info', '[notice] x'],
    ['warning', 'warn'],
    ['error', 'error'],
    ['critical', 'error', '[critical] x'],
    ['alert', 'error', '[alert] x'],
    ['emergency', 'error', '[emergency] x'],
    ['shout', 'info'],
    [undefined, 'info'],
  ];
  for (const [level, expected, text = 'x'] of levels) {
    it(`of level ${String(level)} is written as ${expected}: ${text}`, () => {
      const { serverLog, lines } = recorder();
      serverLog.write({ level, data: 'x' });
      assert.deepEqual(lines, [[expected, text]]);
    });
  }

  const texts: readonly (readonly [string, object, string])[] = [
    ['has the name of its logger', { logger: 'db', data: 'up' }, '[db] up'],
    ['is JSON where it is no text', { data: { a: [1] } }, '{\n  "a": [\n    1\n  ]\n}'],
    ['may be empty', {}, ''],
    ['may be null', { data: null }, 'null'],
    [
      'shows hidden characters',
      { logger: 'a\u202E', data: 'b\u001B[2J' },
      '[a⟨U+202E⟩] b⟨U+001B⟩[2J',
    ],
  ];
  for (const [name, params, text] of texts) {
    it(name, () => {
      const { serverLog, lines } = recorder();
      serverLog.write({ ...params });
      assert.deepEqual(lines, [['info', text]]);
    });
  }

  describe('of a burst', () => {
    const clock = useFakeClock();

    it('is written up to a hundred a second, and then how many are left out', async () => {
      const { serverLog, lines } = recorder();
      for (let i = 0; i < 250; i += 1) serverLog.write({ data: `${i}` });
      assert.equal(lines.length, 100);
      await clock.tick(1000);
      assert.equal(lines.length, 101);
      assert.deepEqual(lines.at(-1)?.[0], 'warn');
      assert.match(lines.at(-1)?.[1] ?? '', /150 messages/);
      serverLog.write({ data: 'calm' });
      assert.deepEqual(lines.at(-1), ['info', 'calm']);
      await clock.tick(1000);
      assert.equal(lines.length, 102);
    });

    it('is counted when the server goes before the second is over', () => {
      const { serverLog, lines } = recorder();
      for (let i = 0; i < 101; i += 1) serverLog.write({ data: `${i}` });
      serverLog.dispose();
      assert.match(lines.at(-1)?.[1] ?? '', /1 messages/);
    });
  });

  it('is cut where it is endless', () => {
    const { serverLog, lines } = recorder();
    serverLog.write({ data: 'x'.repeat(1_000_000) });
    assert.equal(lines[0]?.[1].length, 10_000);
  });

  it('is written however deep its data is nested', () => {
    const { serverLog, lines } = recorder();
    const data = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    serverLog.write({ data });
    assert.match(lines[0]?.[1] ?? '', /^\[\n {2}\[[^]*…$/);
  });
});
