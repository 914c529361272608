import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Logger } from '../../../src/base/log';
import { errorDetail } from '../../../src/base/errors';
import { plainLabel } from '../../../src/base/text/text';
import { ServerLog } from '../../../src/mcp/connection/serverContents';
import { StderrRing } from '../../../src/mcp/node/stdioTransport';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
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

  const cuts: Readonly<Record<string, (text: string) => void>> = {
    'the log of a server': (text) => new ServerLog(logs.extension).write({ data: text }),
    'data in the log of a server': (text) =>
      new ServerLog(logs.extension).write({ data: { text: [text] } }),
    'the reason of a failed request': (text) => logs.extension.error(new RpcError(1, text).message),
    'the detail of an error': (text) => logs.extension.error(errorDetail(new Error(text))),
    'a line on stderr': (text) =>
      new StderrRing((line) => logs.extension.info(line)).push(Buffer.from(`${text}\n`)),
    'a label': (text) => logs.extension.info(`It said: ${plainLabel(text, 500)}`),
  };
  for (const [what, write] of Object.entries(cuts))
    for (const secret of [known, 'ghp_0123456789abcdefghijKLMN'])
      it(`has no beginning of a secret where it was cut before: ${what}, ${secret}`, () => {
        for (const most of [500, 512, 10_000])
          for (let cut = -40; cut <= 0; cut += 1) {
            const text = `${'x'.repeat(most + cut)} ${secret} `;
            write(text.padEnd(11_000, 'y'));
          }
        const shown = secret === known ? 'hush' : 'ghp_01234567';
        assert.deepEqual(
          lines.filter((line) => line.includes(shown)).map((line) => line.slice(-40)),
          [],
        );
        assert.ok(lines.some((line) => line.includes('‹redacted›')));
      });

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
