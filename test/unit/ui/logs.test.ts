import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Logger } from '../../../src/base/log';
import { createLogs, maxChannels, maxLogLine, type Logs } from '../../../src/ui/logs';
import { nastyTexts, workingIn } from '../../support/fakes/nastyTexts';
import { leeway, processMs } from '../../support/processes/ownLoad';

const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[];

/** Every log that there is. */
const loggers: Readonly<Record<string, (logs: Logs) => Logger>> = {
  'the extension': (logs) => logs.extension,
  'a server': (logs) => logs.ofServer('demo'),
  'a server without a channel of its own': (logs) => {
    for (let i = 0; i < maxChannels; i += 1) logs.ofServer(`s${i}`).error('hello');
    return logs.ofServer('late');
  },
};

const known = 'hush "quoted" value';

const secrets: readonly (readonly [what: string, text: string, secret: string])[] = [
  ['a stored value', `the key is ${known}`, known],
  ['a stored value in JSON', JSON.stringify({ said: known }), JSON.stringify(known).slice(1, -1)],
  ['what has the form of a key', 'uses ghp_0123456789abcdefghijKLMN', 'ghp_0123456789'],
  ['the value of a variable', 'DB_PASSWORD=hunter2', 'hunter2'],
  ['the value of a parameter', 'GET https://a.example/?access_token=hunter2', 'hunter2'],
  ['a message of the protocol', '→ {"params":{"password":"hunter2"}}', 'hunter2'],
  ['JSON within a message', '← {"text":"{\\"apiKey\\": \\"hunter2\\"}"}', 'hunter2'],
];

describe('a line of a log', () => {
  const { createOutputChannel } = vscode.window;
  let logLevel: vscode.LogLevel;
  let lines: string[] = [];
  let logs: Logs;

  beforeEach('record', () => {
    logLevel = vscode.LogLevel.Trace;
    lines = [];
    const write = (text: string) => void lines.push(text);
    const channel = {
      get logLevel() {
        return logLevel;
      },
      ...Object.fromEntries(levels.map((level) => [level, write])),
      onDidChangeLogLevel: () => ({ dispose() {} }),
      dispose() {},
    };
    Object.assign(vscode.window, { createOutputChannel: () => channel });
    logs = createLogs();
    logs.hide([known]);
  });

  afterEach('restore', () => {
    logs.dispose();
    Object.assign(vscode.window, { createOutputChannel });
  });

  for (const [of, pick] of Object.entries(loggers)) {
    it(`has no secret in it, whoever wrote it at whatever level: ${of}`, () => {
      const log = pick(logs);
      for (const level of levels)
        for (const [what, text, secret] of secrets) {
          log[level](text);
          const line = lines.at(-1) ?? '';
          assert.ok(line.includes('‹redacted›') && !line.includes(secret), `${level}: ${what}`);
        }
    });

    it(`passes for no other one, hides nothing and is bounded: ${of}`, () => {
      const log = pick(logs);
      for (const level of levels)
        for (const [what, text] of nastyTexts) {
          log[level](text);
          const [first = '', ...more] = (lines.at(-1) ?? '').split('\n');
          for (const row of more) assert.match(row, /^ {4}|^…$/, `${level}: ${what}`);
          for (const row of [first, ...more]) {
            const hidden = workingIn(row.replaceAll(/\$\(|\]\(|\t/g, ''), maxLogLine);
            assert.equal(hidden, undefined, `${level}: ${what}`);
          }
        }
      log.info('a\n2026-01-01 00:00:00.000 [info] Trusted.');
      assert.match(lines.at(-1) ?? '', /a\n {4}2026-01-01 00:00:00.000 \[info\] Trusted\.$/);
      log.info('x\n'.repeat(maxLogLine));
      assert.equal(lines.at(-1)?.length, maxLogLine);
    });
  }

  it('has all of its text where nothing speaks against it', () => {
    const text =
      '← {"jsonrpc":"2.0","id":1,"params":{"_meta":{"progressToken":"a-1"},"maxTokens":5}}';
    logs.extension.info(text);
    logs.extension.error('Error: no\n    at a.js:1');
    assert.deepEqual(lines, [text, 'Error: no\n        at a.js:1']);
  });

  it('is written where its level lets it, and costs nothing otherwise', () => {
    logLevel = vscode.LogLevel.Warning;
    const long = JSON.stringify({ text: 'x y '.repeat(20_000) });
    const began = processMs();
    for (let i = 0; i < 20_000; i += 1) logs.extension.trace(long);
    assert.ok((processMs() - began) / leeway() < 500);
    logs.extension.info('no');
    logs.extension.warn('yes');
    logLevel = vscode.LogLevel.Off;
    logs.extension.error('no');
    assert.deepEqual(lines, ['yes']);
  });

  it('takes little time in a flood of messages', () => {
    logs.hide(Array.from({ length: 50 }, (_, i) => `another stored value ${i}`));
    const began = processMs();
    for (let i = 0; i < 2000; i += 1)
      logs.extension.info(`{"name":"row ${i}","text":"${'word '.repeat(40)}"}`);
    assert.ok((processMs() - began) / leeway() < 2000);
  });
});
