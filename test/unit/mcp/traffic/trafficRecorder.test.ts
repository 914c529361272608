import assert from 'node:assert/strict';
import {
  TrafficRecorder,
  TrafficRecords,
  maxKeptMessage,
  maxTrafficBytes,
  maxTrafficEntries,
} from '../../../../src/mcp/traffic/trafficRecorder';
import { isCancellation } from '../../../../src/base/errors';
import { estimateSize, outcomeOfEntry } from '../../../../src/mcp/traffic/trafficEntry';
import { deepJson } from '../../../support/fakes/deepJson';

const request = (id: unknown, method: unknown = 'tools/list', params: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const response = (id: unknown, result: unknown = {}) => ({ jsonrpc: '2.0', id, result });

/** Summarizes what is kept: the kind and direction of each entry, and whether it has an answer. */
const shown = (recorder: TrafficRecorder) =>
  recorder.entries.map(({ kind, direction, answer }) =>
    [kind, direction, ...(answer ? ['answered'] : [])].join(' '),
  );

describe('the traffic of a server', () => {
  let recorder: TrafficRecorder;
  beforeEach(() => (recorder = new TrafficRecorder((text) => text)));

  it('has each answer with its request, and what stands alone by itself', () => {
    recorder.note('sent', request(1));
    recorder.note('received', request(1, 'roots/list'));
    recorder.noteStderr('a line');
    recorder.note('received', { jsonrpc: '2.0', method: 'notifications/message', params: {} });
    recorder.note('sent', response(1));
    recorder.note('received', response(1));
    recorder.note('received', response(2));
    assert.deepEqual(shown(recorder), [
      'request sent answered',
      'request received answered',
      'stderr received',
      'notification received',
      'response received',
    ]);
    const [first] = recorder.entries;
    assert.ok((first?.answer?.durationMs ?? -1) >= 0);
    assert.equal(recorder.latest, 5);
  });

  it('tells ids apart as JSON does, and takes the latest request where one is used again', () => {
    recorder.note('sent', request(1));
    recorder.note('sent', request('1'));
    recorder.note('sent', request(1));
    recorder.note('received', response(1));
    assert.deepEqual(shown(recorder), ['request sent', 'request sent', 'request sent answered']);
  });

  it('tells the ids of a session beside the own one from its own', () => {
    const other = recorder.beside();
    recorder.note('sent', request(1, 'own'));
    other.note('sent', request(1, 'other'));
    other.beside().note('received', response(1));
    other.note('received', response(1));
    other.noteFailure(1, new Error('none waits'));
    recorder.note('received', response(1));
    assert.deepEqual(
      recorder.entries.map(({ method, answer }) => `${method} ${answer ? 'answered' : 'alone'}`),
      ['own answered', 'other answered', ' alone'],
    );
  });

  it('tells what an app says from its own, and ends what an app waits for with the app', () => {
    const app = recorder.besideApp();
    recorder.note('sent', request(1, 'own'));
    app.note('received', request(1, 'asked'));
    app.note('received', request(2, 'left'));
    app.note('sent', request(1, 'goodbye'));
    app.note('sent', response(1));
    app.noteEnd();
    recorder.note('received', response(1));
    assert.deepEqual(
      recorder.entries.map((entry) =>
        [entry.peer ?? 'server', entry.method, outcomeOfEntry(entry).kind].join(' '),
      ),
      ['server own done', 'app asked done', 'app left failed', 'app goodbye failed'],
    );
  });

  it('says how a request ended', () => {
    const answers = [{}, { isError: true }, undefined] as const;
    for (const [id, result] of answers.entries()) {
      recorder.note('sent', request(id));
      if (result) recorder.note('received', response(id, result));
    }
    recorder.note('sent', request(9));
    recorder.note('received', { jsonrpc: '2.0', id: 9, error: { code: -32601, message: 'no' } });
    recorder.note('received', { jsonrpc: '2.0', method: 'notifications/x' });
    const outcomes = recorder.entries.map((entry) => outcomeOfEntry(entry));
    assert.deepEqual(outcomes, [
      { kind: 'done' },
      { kind: 'toolError' },
      { kind: 'waiting' },
      { kind: 'error', code: -32601, message: 'no' },
      { kind: 'none' },
    ]);
  });

  it('says why a request has no answer, and nothing of that where it has one', () => {
    const lost = new Error('The connection closed.');
    recorder.note('sent', request(1));
    recorder.note('sent', request(2));
    recorder.note('received', response(2));
    for (const id of [1, 2, 3]) recorder.noteFailure(id, lost);
    recorder.note('received', response(1));
    assert.deepEqual(
      recorder.entries.map((entry) => outcomeOfEntry(entry)),
      [{ kind: 'failed', error: lost }, { kind: 'done' }, { kind: 'done' }],
    );
    assert.equal(recorder.entries.at(-1)?.kind, 'response', 'too late');
  });

  for (const [what, direction, requestId, kinds] of [
    ['one of its server, by its id', 'received', 2, ['waiting', 'waiting', 'failed']],
    ['none under an id that is not waiting', 'received', '2', ['waiting', 'waiting', 'waiting']],
    ['none of ours, of which it is told why', 'sent', 2, ['waiting', 'waiting', 'waiting']],
  ] as const)
    it(`has a cancellation end ${what}`, () => {
      const method = 'notifications/cancelled';
      recorder.note('sent', request(2));
      for (const id of [1, 2]) recorder.note('received', request(id, 'sampling/createMessage'));
      recorder.note(direction, { jsonrpc: '2.0', method, params: { requestId } });
      const outcomes = recorder.entries.slice(0, 3).map((entry) => outcomeOfEntry(entry));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        kinds,
      );
      for (const outcome of outcomes)
        assert.ok(outcome.kind !== 'failed' || isCancellation(outcome.error));
    });

  it('keeps the latest five thousand messages', () => {
    for (let id = 0; id < maxTrafficEntries + 10; id += 1) recorder.note('sent', request(id));
    const { entries } = recorder;
    assert.equal(entries.length, maxTrafficEntries);
    assert.equal(entries[0]?.number, 11);
    assert.equal(entries.at(-1)?.number, maxTrafficEntries + 10);
    // The request has been discarded, so its answer stands alone.
    recorder.note('received', response(0));
    assert.equal(recorder.entries.at(-1)?.kind, 'response');
  });

  it('keeps ten megabytes, of which the oldest go', () => {
    const text = 'x'.repeat(maxKeptMessage / 2);
    for (let id = 0; id < 100; id += 1) {
      recorder.note('sent', request(id));
      recorder.note('received', response(id, { text }));
    }
    const { entries } = recorder;
    assert.ok(entries.length < maxTrafficBytes / text.length);
    assert.ok(entries.length > maxTrafficBytes / text.length / 2);
    assert.equal(entries.at(-1)?.number, 100);
  });

  for (const [what, message] of [
    ['a text that is endless', request(1, 'x', { text: 'x'.repeat(20_000_000) })],
    ['a method that is endless', request(1, 'x'.repeat(20_000_000))],
    [
      'a hundred thousand values',
      request(
        1,
        'x',
        Array.from({ length: 200_000 }, () => 1),
      ),
    ],
    ['a hundred thousand objects in one another', request(1, 'x', deepJson(100_000))],
    ['a name that is endless', request(1, 'x', { ['x'.repeat(20_000_000)]: 1 })],
  ] as const)
    it(`keeps a message in part that has ${what}, and its answer`, () => {
      recorder.note('received', message);
      recorder.note('sent', response(1));
      const [entry] = recorder.entries;
      assert.equal(entry?.isCut, true);
      assert.ok(JSON.stringify(entry.value).length < 200_000);
      assert.ok(entry.method.length <= 200);
      assert.ok(entry.answer);
    });

  it('holds nothing on to requests that are never answered, under ids of any kind', () => {
    for (let turn = 0; turn < 2 * maxTrafficEntries; turn += 1)
      for (const id of [turn, `id ${turn}`, 'x'.repeat(1000) + turn, { turn }, [turn], null, true])
        recorder.note('received', request(id));
    const { ownRequests } = recorder as unknown as {
      readonly ownRequests: { readonly received: ReadonlyMap<unknown, unknown> };
    };
    assert.ok(ownRequests.received.size <= maxTrafficEntries);
    assert.equal(recorder.entries.length, maxTrafficEntries);
  });

  it('takes anything for a message', () => {
    const odd = [undefined, null, 1, 'text', [], [request(1)], { id: {} }, { method: 1, id: 1 }];
    for (const message of odd) recorder.note('received', message);
    assert.equal(recorder.entries.length, odd.length);
    assert.ok(recorder.entries.every(({ kind }) => kind === 'response'));
  });

  it('keeps what was sent itself, and writes nothing out', () => {
    const message = {
      ...request(1),
      toJSON: () => assert.fail('written out'),
      toString: () => assert.fail('written out'),
    };
    recorder.note('sent', message);
    assert.equal(recorder.entries[0]?.value, message);
  });

  it('is announced to its listeners', () => {
    let changes = 0;
    recorder.onDidChange(() => (changes += 1));
    recorder.note('sent', request(1));
    recorder.note('received', response(1));
    recorder.noteStderr('line');
    assert.equal(changes, 3);
  });

  it('outlives the server for as long as one of its id is there', () => {
    const records = new TrafficRecords((text) => text);
    records.of('a').noteStderr('one');
    records.of('b').noteStderr('two');
    records.keepOnly(new Set(['a']));
    assert.equal(records.of('a').entries.length, 1);
    assert.equal(records.of('b').entries.length, 0);
  });
});

describe('the weight of a message', () => {
  it('is about that of its text, and above the limit where it stopped', () => {
    assert.ok(estimateSize('x'.repeat(1000), 1e6) >= 1000);
    assert.ok(estimateSize({ text: 'x'.repeat(1000) }, 1e6) < 1100);
    assert.ok(estimateSize({ a: ['x'.repeat(1000), 'y'] }, 500) > 500);
    assert.ok(estimateSize(deepJson(200), 1e6) > 1e6);
  });
});
