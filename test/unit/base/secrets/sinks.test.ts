import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type AuditRetention, keptText, keptValue } from '../../../../src/audit/auditLog';
import { recordedMessage } from '../../../../src/calls/recording/recording';
import { TrafficRecorder } from '../../../../src/mcp/traffic/trafficRecorder';
import { reportText } from '../../../../src/servers/createDoctor';
import { entryDocument, entryLine } from '../../../../src/traffic/entryJson';
import { subjectOfEntry } from '../../../../src/traffic/entryTexts';
import { createLogs } from '../../../../src/ui/logs';

const asIs = (text: string) => text;
const retention: AuditRetention = { keep: () => 'redacted', mask: asIs };

/** Secrets below a list or an object, or named beside it. */
const values: Readonly<Record<string, unknown>> = {
  'in a list': { auth: { token: ['hunter2'] } },
  'in an object': { secrets: { a: 'hunter2' } },
  'in a list of lists': [{ 'api key': [['a', 'hunter2']] }],
  'in an object of an object': { credentials: { a: { b: 'hun]}ter2 hunter2' } } },
  'in a list of headers': { headers: [{ name: 'X-Api-Key', value: 'hunter2' }] },
  'before its name': [{ value: 'hunter2', isSecret: true, key: 'TOKEN' }],
};

/** How a value stands in a text. */
const forms: Readonly<Record<string, (value: unknown) => string>> = {
  'as JSON': (value) => JSON.stringify(value),
  'as JSON of many lines': (value) => JSON.stringify(value, null, 2),
  'as JSON after words': (value) => `5" of config: ${JSON.stringify(value)} was read`,
  'as JSON in JSON': (value) => JSON.stringify({ text: JSON.stringify(value) }),
  'as JSON in JSON in JSON': (value) =>
    JSON.stringify({ text: JSON.stringify([{ text: JSON.stringify(value) }]) }),
  'as JSON in JSON, four times': (value) =>
    [1, 2, 3, 4].reduce((text) => JSON.stringify({ text }), JSON.stringify(value)),
  'as JSON that is cut off': (value) => JSON.stringify(value).replace(/\W*$/, ''),
};

/** What keeps or shows a text without what looks like a secret. */
const sinks: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  'a log': (text) => {
    const { createOutputChannel } = vscode.window;
    const lines: string[] = [];
    const channel = {
      logLevel: vscode.LogLevel.Info,
      info: (line: string) => void lines.push(line),
      onDidChangeLogLevel: () => ({ dispose() {} }),
      dispose() {},
    };
    Object.assign(vscode.window, { createOutputChannel: () => channel });
    const logs = createLogs();
    Object.assign(vscode.window, { createOutputChannel });
    logs.extension.info(text);
    logs.dispose();
    return lines.join('\n');
  },
  'what a server printed, in the traffic and its export': (text) => {
    const recorder = new TrafficRecorder(asIs);
    recorder.noteStderr(text);
    return recorder.entries
      .flatMap((entry) => [
        entryDocument(entry, asIs),
        entryLine(entry, asIs),
        subjectOfEntry(entry, asIs),
      ])
      .join('\n');
  },
  'a recording': (text) => {
    const message = { id: 1, result: { content: [{ type: 'text', text }] } };
    return JSON.stringify(recordedMessage('server', 0, message, asIs, new Map()));
  },
  'the id of a recording': (id) =>
    JSON.stringify(recordedMessage('server', 0, { id, result: {} }, asIs, new Map())),
  'the audit log': async (text) => JSON.stringify(await keptValue({ text }, retention)),
  'a sentence of the audit log': (text) => keptText(text, retention),
  'a report to copy': (text) =>
    reportText({ name: 'One', facts: [text] }, [{ level: 'bad', title: text, next: text }], asIs),
};

describe('A secret within the text of JSON', () => {
  for (const [sink, shownIn] of Object.entries(sinks))
    for (const [form, written] of Object.entries(forms))
      for (const [where, value] of Object.entries(values))
        it(`is not in ${sink}: ${form}, ${where}`, async () => {
          const shown = await shownIn(written(value));
          assert.doesNotMatch(shown, /hunter2/);
          assert.match(shown, /‹redacted›/);
        });
});

describe('A secret in a line', () => {
  for (const [sink, shownIn] of Object.entries(sinks))
    for (const line of [
      'X-Api-Key: hunter2',
      'Authorization: hunter2',
      'run --api.key hunter2',
      'api.key=hunter2',
      'curl -u me:hunter2 h',
      'curl -ume:hunter2 h',
      'run --access_token -hunter2-9',
      '["--token","hunter2"]',
      'TOKEN="a\\"hunter2" b',
      'https://me:p@hunter2@host/',
    ])
      it(`is not in ${sink}: ${line}`, async () => {
        const shown = await shownIn(`first\n${line}\nlast`);
        assert.doesNotMatch(shown, /hunter2/);
        assert.match(shown, /‹redacted›/);
      });
});
