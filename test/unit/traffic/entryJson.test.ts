import assert from 'node:assert/strict';
import { SecretMask } from '../../../src/base/secretMask';
import { redacted } from '../../../src/base/secrets';
import { CancelledError } from '../../../src/base/errors';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import type { TrafficEntry } from '../../../src/mcp/traffic/trafficEntry';
import { inEnglish } from '../../../src/base/translate';
import { RequestMatcher } from '../../../src/calls/recording/exchanges';
import { parseRecording, recordingText } from '../../../src/calls/recording/recording';
import {
  entryDocument,
  entryLine,
  messageBytes,
  recordingOfTraffic,
} from '../../../src/traffic/entryJson';
import {
  factsOfEntry,
  subjectOfEntry,
  timeOfEntry,
  titleOfEntry,
} from '../../../src/traffic/entryTexts';
import { TrafficFilter } from '../../../src/traffic/trafficView';

const asIs = (text: string) => text;
const secrets = new SecretMask();
secrets.hide(['s3cret-value', '1234567', 'two\nlines of it']);
const mask = (text: string) => secrets.apply(text);

/** Returns the entries that these messages create; messages from the server are marked as received. */
function entriesOf(...messages: readonly { readonly received?: true; readonly value: unknown }[]) {
  const recorder = new TrafficRecorder((text) => text);
  for (const { received, value } of messages) recorder.note(received ? 'received' : 'sent', value);
  return recorder.entries;
}

function only(entries: readonly TrafficEntry[]): TrafficEntry {
  const [entry, ...others] = entries;
  assert.ok(entry && others.length === 0);
  return entry;
}

const call = (args: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'greet', arguments: args },
});
const answered = (text: string) => ({
  jsonrpc: '2.0',
  id: 7,
  result: { content: [{ type: 'text', text }] },
});

describe('an entry of the traffic', () => {
  it('is a document with the request and its response', () => {
    const entry = only(
      entriesOf({ value: call({ name: 'Ada' }) }, { received: true, value: answered('Hello') }),
    );
    const shown = JSON.parse(entryDocument(entry, asIs)) as Record<string, unknown>;
    assert.deepEqual(Object.keys(shown), [
      'time',
      'direction',
      'durationMs',
      'request',
      'response',
    ]);
    assert.deepEqual(shown['request'], call({ name: 'Ada' }));
    assert.deepEqual(shown['response'], answered('Hello'));
  });

  it('is a line of JSON in an export, with its sizes', () => {
    const value = call({ text: 'ö\n' });
    const entry = only(entriesOf({ value }, { received: true, value: answered('x') }));
    const line = entryLine(entry, asIs);
    assert.ok(line.endsWith('\n') && line.indexOf('\n') === line.length - 1);
    const { time, answer, ...rest } = JSON.parse(line) as Record<string, unknown>;
    assert.equal(new Date(String(time)).getTime(), entry.time);
    assert.deepEqual(rest, {
      number: 1,
      direction: 'sent',
      kind: 'request',
      method: 'tools/call',
      message: value,
      bytes: Buffer.byteLength(JSON.stringify(value)),
    });
    const { durationMs, ...response } = answer as Record<string, unknown>;
    assert.ok(typeof durationMs === 'number');
    assert.deepEqual(response, {
      message: answered('x'),
      bytes: Buffer.byteLength(JSON.stringify(answered('x'))),
    });
  });

  it('shows no secret, in names, texts and numbers, and stays JSON', () => {
    const args = { 's3cret-value': 1, a: ['s3cret-value'], n: 1234567, long: 'two\nlines of it' };
    const entry = only(
      entriesOf({ value: call(args) }, { received: true, value: answered('is s3cret-value') }),
    );
    for (const text of [entryDocument(entry, mask), entryLine(entry, mask)]) {
      assert.doesNotMatch(text, /s3cret|1234567|lines of it/);
      assert.ok(text.includes(redacted));
      JSON.parse(text);
    }
    const named = { ...call({}), params: { name: `s3cret-value ${'x'.repeat(1000)}` } };
    const row = only(entriesOf({ value: named }));
    assert.ok(subjectOfEntry(row, mask).startsWith(`${redacted} x`));
    assert.ok(subjectOfEntry(row, mask).length <= 200);
  });

  it('shows no key that a server printed', () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.noteStderr('token=abc s3cret-value');
    const entry = only(recorder.entries);
    for (const text of [
      entryDocument(entry, mask),
      entryLine(entry, mask),
      subjectOfEntry(entry, mask),
    ])
      assert.doesNotMatch(text, /abc|s3cret/);
    assert.equal(titleOfEntry(entry, mask), 'stderr');
  });

  it('has the size of a line in bytes', () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.noteStderr('größer €');
    const entry = only(recorder.entries);
    assert.equal(messageBytes(entry), Buffer.byteLength('größer €'));
  });

  it('says that a message was too large to keep whole', () => {
    const value = call({ text: 'x'.repeat(2_000_000) });
    const entry = only(entriesOf({ value }, { received: true, value: answered('ok') }));
    assert.equal(messageBytes(entry), undefined);
    assert.match(entryDocument(entry, asIs), /"isCut": true/);
    assert.match(entryLine(entry, asIs), /"isCut":true/);
    assert.match(factsOfEntry(entry, asIs, inEnglish).join(' '), /over 1 MB \/ \d+ B/);
  });

  it('says what it is about', () => {
    const about = (method: string, params: object) =>
      subjectOfEntry(only(entriesOf({ value: { jsonrpc: '2.0', method, params } })), asIs);
    assert.equal(about('resources/read', { uri: 'a://b' }), 'a://b');
    assert.equal(about('notifications/progress', { progress: 3, total: 10 }), '3 / 10');
    assert.equal(about('completion/complete', { ref: { name: 'greet' } }), 'greet');
    assert.equal(about('completion/complete', { ref: { uri: 'a://{b}' } }), 'a://{b}');
    assert.equal(about('notifications/cancelled', { requestId: 1, reason: 'late' }), 'late');
    assert.equal(about('notifications/message', { level: 'info', data: { a: 1 } }), 'info');
    const said = about('notifications/message', {
      level: 'info',
      data: 'password=hunter22 is new',
    });
    assert.equal(said, `info · password=${redacted} is new`);
    assert.equal(about('tools/list', {}), '');
    assert.equal(about('tools/list', { name: { not: 'a text' } }), '');
  });

  it('says how it ended, and when it began', () => {
    const failure = { jsonrpc: '2.0', id: 7, error: { code: -32602, message: 'no s3cret-value' } };
    const entry = only(entriesOf({ value: call({}) }, { received: true, value: failure }));
    const facts = factsOfEntry(entry, mask, inEnglish);
    assert.match(facts[0] ?? '', /^[\d.]+ ms$/);
    assert.equal(facts.at(-1), `error: no ${redacted} (-32602)`);
    assert.match(timeOfEntry(entry), /^\d\d:\d\d:\d\d\.\d{3}$/);
    const open = only(entriesOf({ value: call({}) }));
    assert.equal(factsOfEntry(open, mask, inEnglish).at(-1), 'no answer yet');
    const failed = { ...open, failure: { error: new Error('Lost s3cret-value.'), durationMs: 12 } };
    const [took, , why] = factsOfEntry(failed, mask, inEnglish);
    assert.deepEqual([took, why], ['12 ms', `no answer: Lost ${redacted}.`]);
    assert.match(entryDocument(failed, mask), new RegExp(`"failure": "Lost ${redacted}."`));
    assert.match(entryLine(failed, mask), /"failure":\{"message":"Lost .*","durationMs":12\}/);
    const cancelled = { ...open, failure: { error: new CancelledError(), durationMs: 1 } };
    assert.equal(factsOfEntry(cancelled, mask, inEnglish).at(-1), 'cancelled');
  });
});

describe('the filter of the traffic', () => {
  const [request, note] = entriesOf(
    { value: call({ name: 'Ada' }) },
    { received: true, value: { jsonrpc: '2.0', method: 'notifications/message', params: {} } },
  );
  assert.ok(request && note);
  for (const [text, fits] of [
    ['', true],
    ['  ', true],
    ['tools/call', true],
    ['TOOLS/call ada', true],
    ['tools/call bob', false],
    ['notifications', false],
    ['request', true],
  ] as const)
    it(`${fits ? 'lets through' : 'leaves out'} a call for “${text}”`, () => {
      assert.equal(new TrafficFilter(text, asIs).fits(request), fits);
    });

  it('finds what came back once it is there, and no secret', () => {
    const recorder = new TrafficRecorder((text) => text);
    const filter = new TrafficFilter('hello', mask);
    const secret = new TrafficFilter('s3cret', mask);
    recorder.note('sent', call({ key: 's3cret-value' }));
    const [entry] = recorder.entries;
    assert.ok(entry);
    assert.equal(filter.fits(entry), false);
    recorder.note('received', answered('Hello'));
    assert.equal(filter.fits(entry), true);
    assert.equal(secret.fits(entry), false);
    assert.equal(new TrafficFilter('message', mask).fits(note), true);
  });
});

describe('traffic that is saved as a recording', () => {
  it('answers what was asked, without secrets and with what came when', () => {
    const entries = entriesOf(
      { value: call({ key: 's3cret-value', name: 'a' }) },
      { received: true, value: { jsonrpc: '2.0', method: 'notifications/message', params: {} } },
      { received: true, value: { jsonrpc: '2.0', id: 7, result: { text: 'hello' } } },
    );
    const { recording, left } = recordingOfTraffic(entries, { name: 'demo' }, mask);
    assert.equal(left, 0);
    const read = parseRecording(recordingText(recording));
    assert.doesNotMatch(JSON.stringify(read), /s3cret-value/);
    const { params } = call({ key: 'another', name: 'a' });
    const found = new RequestMatcher(read).find('tools/call', params);
    assert.deepEqual('missing' in found ? found : found.answer?.['result'], { text: 'hello' });
  });

  it('can be read again after more than a day', () => {
    const [first] = entriesOf({ value: call({ name: 'a' }) });
    assert.ok(first);
    const later = { ...first, time: first.time + 200_000_000 };
    const { recording } = recordingOfTraffic([first, later], { name: 'demo' }, asIs);
    assert.equal(parseRecording(recordingText(recording)).messages.length, 2);
  });

  it('leaves out and counts what is not whole, and lines on stderr', () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note('sent', { id: 1, method: 'a', params: { text: 'x'.repeat(2_000_000) } });
    recorder.noteStderr('no message');
    const { recording, left } = recordingOfTraffic(recorder.entries, { name: 'demo' }, asIs);
    assert.deepEqual([recording.messages, left], [[], 1]);
    assert.deepEqual(recordingOfTraffic([], { name: 'demo' }, asIs).recording.messages, []);
  });
});
