import assert from 'node:assert/strict';
import type { Logger } from '../../../src/base/log';
import { serverLog } from '../../../src/mcp/serverLog';

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
  return { log, lines };
}

describe('a log message of a server', () => {
  const levels: readonly (readonly [unknown, keyof Logger])[] = [
    ['debug', 'debug'],
    ['info', 'info'],
    ['notice', 'info'],
    ['warning', 'warn'],
    ['error', 'error'],
    ['critical', 'error'],
    ['alert', 'error'],
    ['emergency', 'error'],
    ['shout', 'info'],
    [undefined, 'info'],
  ];
  for (const [level, expected] of levels) {
    it(`of level ${String(level)} is written as ${expected}`, () => {
      const { log, lines } = recorder();
      serverLog(log, { level, data: 'x' });
      assert.deepEqual(lines, [[expected, 'x']]);
    });
  }

  const texts: readonly (readonly [string, object, string])[] = [
    ['has the name of its logger', { logger: 'db', data: 'up' }, '[db] up'],
    ['is JSON where it is no text', { data: { a: [1] } }, '{\n  "a": [\n    1\n  ]\n}'],
    ['may be empty', {}, ''],
    ['may be null', { data: null }, 'null'],
    [
      'shows hidden characters',
      { logger: 'a\u202E', data: 'b\u001B[31m' },
      '[a⟨U+202E⟩] b⟨U+001B⟩[31m',
    ],
  ];
  for (const [name, params, text] of texts) {
    it(name, () => {
      const { log, lines } = recorder();
      serverLog(log, { ...params });
      assert.deepEqual(lines, [['info', text]]);
    });
  }

  it('is cut where it is endless', () => {
    const { log, lines } = recorder();
    serverLog(log, { data: 'x'.repeat(1_000_000) });
    assert.equal(lines[0]?.[1].length, 10_000);
  });

  it('is written however deep its data is nested', () => {
    const { log, lines } = recorder();
    const data = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    serverLog(log, { data });
    assert.match(lines[0]?.[1] ?? '', /nested too deep/);
  });
});
