import assert from 'node:assert/strict';
import { inEnglish } from '../../../../../src/base/translate';
import { getEventListeners } from 'node:events';
import { deferred } from '../../../../../src/base/async';
import { CancelledError } from '../../../../../src/base/errors';
import type { Progress } from '../../../../../src/mcp/protocol/types';
import { DeadlineHold } from '../../../../../src/mcp/transport/serverTransport';
import {
  JsonRpcPeer,
  type PeerRequestOptions,
} from '../../../../../src/mcp/session/peer/jsonRpcPeer';
import {
  ConnectionLostError,
  DeadlineError,
  RpcError,
} from '../../../../../src/mcp/protocol/rpcError';
import { settled, useFakeClock } from '../../../../support/fakes/fakeClock';
import {
  ScriptedTransport,
  silence,
  type Script,
} from '../../../../support/fakes/scriptedTransport';

const deadlines = { request: 1000, ceiling: 10_000 };

function open(
  scripts: Record<string, Script> = {},
  hasPerRequestStream = false,
  hold?: DeadlineHold,
) {
  const transport = new ScriptedTransport(scripts, hasPerRequestStream);
  const peer = new JsonRpcPeer(transport, deadlines, hold);
  return { transport, peer };
}

/** Sends a request that the script does not answer; returns the promise of its answer and its id. */
async function ask(
  { transport, peer }: ReturnType<typeof open>,
  options: PeerRequestOptions = {},
  count = 1,
) {
  const answer = peer.request('slow', {}, options);
  // A test that expects a rejection handles it later.
  answer.catch(() => {});
  const { id } = await transport.request('slow', count);
  return { answer, id: id as number };
}

describe('the JSON-RPC peer', () => {
  const clock = useFakeClock();

  it('resolves with the result, unchecked', async () => {
    const { peer } = open({ odd: () => ({ tools: 'not a list', more: [null] }) });
    assert.deepEqual(await peer.request('odd', {}), { tools: 'not a list', more: [null] });
  });

  it('rejects with the error of the server, its code and data included', async () => {
    const { transport, peer } = open();
    const answer = peer.request('bad', {});
    const { id } = await transport.request('bad');
    transport.receive({ id, error: { code: -32001, message: 'no', data: { why: 1 } } });
    await assert.rejects(answer, (error) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.message, error.data], [-32001, 'no', { why: 1 }]);
      return true;
    });
  });

  for (const error of ['boom', null, {}, { code: 'x', message: 5 }, [], { message: '' }]) {
    it(`rejects with an error also for the malformed error ${JSON.stringify(error)}`, async () => {
      const opened = open();
      const { answer, id } = await ask(opened);
      opened.transport.receive({ id, error });
      await assert.rejects(answer, RpcError);
    });
  }

  it('uses ids that the client above never uses, each once', async () => {
    const { transport, peer } = open({ one: () => ({}) });
    await Promise.all([peer.request('one', {}), peer.request('one', {}), peer.request('one', {})]);
    const ids = transport.requests('one').map(({ id }) => Number(id));
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => id >= 1_000_000));
  });

  it('leaves everything that is not its own to the client above, in order', async () => {
    const { transport, peer } = open();
    const seen: unknown[] = [];
    peer.onmessage = (message) => seen.push(message);
    const messages = [
      { id: 0, result: {} },
      { id: 'server-discover-probe-1', result: {} },
      { id: '1000000', result: {} },
      { id: 7, method: 'ping' },
      { id: 1_000_000, method: 'roots/list' },
      { method: 'notifications/tools/list_changed' },
    ];
    transport.receive(...messages);
    assert.deepEqual(
      seen,
      messages.map((message) => ({ jsonrpc: '2.0', ...message })),
    );
  });

  it('keeps its own answers from the client above', async () => {
    const opened = open();
    opened.peer.onmessage = () => assert.fail('the client above would complain');
    const { answer, id } = await ask(opened);
    opened.transport.receive({ id, result: {} }, { id, result: {} }, { id: id + 1, result: {} });
    await answer;
  });

  it('takes the first of two answers, and nothing for an answer that comes too late', async () => {
    const opened = open();
    const { answer, id } = await ask(opened);
    opened.transport.receive({ id, result: { n: 1 } }, { id, result: { n: 2 } });
    assert.deepEqual(await answer, { n: 1 });
    const abort = new AbortController();
    const late = await ask(opened, { signal: abort.signal }, 2);
    abort.abort();
    await assert.rejects(late.answer, CancelledError);
    opened.transport.receive({ id: late.id, result: {} });
  });

  for (const [what, text] of [
    [
      'progress',
      (id: unknown) => ({
        method: 'notifications/progress',
        params: { progressToken: String(id), progress: 1 },
      }),
    ],
    ['an answer', (id: unknown) => ({ id: String(id), result: 'right' })],
    ['an error', (id: unknown) => ({ id: String(id), error: { code: 7, message: 'wrong' } })],
  ] as const)
    it(`takes ${what} whose id came back as a text, and says so`, async () => {
      const opened = open();
      const said: string[] = [];
      opened.peer.onodd = (sentence) => said.push(sentence(inEnglish));
      const { answer, id } = await ask(opened);
      opened.transport.receive(text(id));
      opened.transport.receive({ id, result: 'right' });
      if (what === 'an error') await assert.rejects(answer, /wrong/);
      else assert.equal(await answer, 'right');
      assert.deepEqual(said, ['Ids of requests come back as texts: they are read as numbers.']);
    });

  it('does not take an answer with another id, or of another type, for its own', async () => {
    const opened = open();
    const { answer, id } = await ask(opened);
    opened.transport.receive(
      { id: id + 7, result: 1 },
      { id: `${String(id)}0`, result: 2 },
      { id: ` ${String(id)}`, result: 2 },
      { result: 3 },
    );
    opened.transport.receive({ id, result: 'right' });
    assert.equal(await answer, 'right');
  });

  it('does not take a request of the server with the same id for the answer', async () => {
    const opened = open();
    const { answer, id } = await ask(opened);
    opened.transport.receive({ id, method: 'ping' });
    opened.transport.receive({ id, result: 'right' });
    assert.equal(await answer, 'right');
  });

  it('sends nothing for a signal that aborted before', async () => {
    const { transport, peer } = open();
    await assert.rejects(peer.request('slow', {}, { signal: AbortSignal.abort() }), CancelledError);
    assert.deepEqual(transport.sent, []);
  });

  it('fails when the message cannot be sent', async () => {
    const opened = open();
    opened.transport.sendError = new Error('pipe is broken');
    await assert.rejects(opened.peer.request('slow', {}), /pipe is broken/);
  });

  it('tells whose request ended without an answer, and why', async () => {
    const opened = open();
    const failed: unknown[] = [];
    opened.peer.onfailed = (id, error) => failed.push([id, error]);
    const stop = new AbortController();
    const [answered, cancelled, lost] = [
      await ask(opened),
      await ask(opened, { signal: stop.signal }, 2),
      await ask(opened, {}, 3),
    ];
    opened.transport.receive({ id: answered.id, result: {} });
    await answered.answer;
    stop.abort();
    const why = await cancelled.answer.catch((error: unknown) => error);
    opened.transport.onclose?.();
    const end = await lost.answer.catch((error: unknown) => error);
    assert.ok(why instanceof CancelledError && end instanceof ConnectionLostError);
    assert.deepEqual(failed, [
      [cancelled.id, why],
      [lost.id, end],
    ]);
  });

  it('keeps the metadata that a caller gave beside its own', async () => {
    const opened = open();
    void opened.peer.request('slow', { name: 'x', _meta: { mine: 1 } }).catch(() => {});
    const { id, params } = await opened.transport.request('slow');
    assert.deepEqual(params, { name: 'x', _meta: { mine: 1, progressToken: id } });
  });

  it('puts the envelope into every request and notification of a stateless session', async () => {
    const { transport, peer } = open({ one: () => ({}) });
    peer.envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await peer.request('one', {});
    await peer.notify('notifications/x');
    for (const { params } of transport.sent) {
      const meta = params?.['_meta'] as Record<string, unknown>;
      assert.equal(meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    }
  });

  it('sends a notification without parameters as just that', async () => {
    const { transport, peer } = open();
    await peer.notify('notifications/roots/list_changed');
    assert.deepEqual(transport.sent, [
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    ]);
  });

  it('passes the headers of one request to the transport', async () => {
    const { transport, peer } = open({ one: () => ({}) });
    await peer.request('one', {}, { headers: { 'Mcp-Param-City': 'Oslo' } });
    assert.deepEqual(transport.options[0]?.headers, { 'Mcp-Param-City': 'Oslo' });
  });

  it('starts the transport below once, however many clients attach', async () => {
    const { transport, peer } = open();
    await Promise.all([peer.start(), peer.start()]);
    await peer.close();
    await peer.start();
    assert.equal(transport.starts, 1);
  });

  describe('on cancellation', () => {
    it('tells the server and rejects', async () => {
      const opened = open();
      const abort = new AbortController();
      const { answer, id } = await ask(opened, { signal: abort.signal });
      abort.abort();
      await assert.rejects(answer, CancelledError);
      const [cancelled] = opened.transport.requests('notifications/cancelled');
      assert.equal(cancelled?.params?.['requestId'], id);
    });

    it('closes the stream of the request where a stateless server knows it by that alone', async () => {
      const opened = open({}, true);
      opened.peer.envelope = { version: '2026-07-28' };
      const abort = new AbortController();
      const { answer } = await ask(opened, { signal: abort.signal });
      const stream = opened.transport.options[0]?.requestSignal;
      assert.equal(stream?.aborted, false);
      abort.abort();
      await assert.rejects(answer, CancelledError);
      assert.equal(stream?.aborted, true);
      assert.deepEqual(opened.transport.requests('notifications/cancelled'), []);
    });

    it('tells a stateless server on a pipe, which has no stream to close', async () => {
      const opened = open();
      opened.peer.envelope = { version: '2026-07-28' };
      const abort = new AbortController();
      const { answer } = await ask(opened, { signal: abort.signal });
      abort.abort();
      await assert.rejects(answer, CancelledError);
      assert.equal(opened.transport.requests('notifications/cancelled').length, 1);
    });

    it('says nothing of a request that was answered already', async () => {
      const opened = open({ one: () => ({}) });
      const abort = new AbortController();
      await opened.peer.request('one', {}, { signal: abort.signal });
      abort.abort();
      await settled();
      assert.deepEqual(opened.transport.requests('notifications/cancelled'), []);
    });

    it('leaves no listener on a signal, however many requests shared it', async () => {
      const opened = open({
        one: () => ({}),
        bad: () => Promise.reject(new RpcError(-1, 'x')).catch(() => silence),
      });
      const abort = new AbortController();
      const { signal } = abort;
      for (let call = 0; call < 20; call += 1) await opened.peer.request('one', {}, { signal });
      const expired = opened.peer.request('bad', {}, { signal });
      const failed = assert.rejects(expired, DeadlineError);
      await clock.tick(1000);
      await failed;
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    });
  });

  describe('on a deadline', () => {
    it('tells the server and rejects', async () => {
      const opened = open();
      const { answer, id } = await ask(opened);
      await clock.tick(999);
      assert.deepEqual(opened.transport.requests('notifications/cancelled'), []);
      await clock.tick(1);
      await assert.rejects(answer, /No answer to slow within 1 s\. "timeouts\.request" in the/);
      const [cancelled] = opened.transport.requests('notifications/cancelled');
      assert.equal(cancelled?.params?.['requestId'], id);
      assert.match(String(cancelled?.params?.['reason']), /No answer to slow/);
    });

    it('waits on while there is progress, whether or not anyone listens to it', async () => {
      const opened = open();
      const { answer, id } = await ask(opened);
      for (let step = 1; step <= 5; step += 1) {
        await clock.tick(900);
        opened.transport.receive({
          method: 'notifications/progress',
          params: { progressToken: id, progress: step },
        });
      }
      await clock.tick(900);
      opened.transport.receive({ id, result: 'done' });
      assert.equal(await answer, 'done');
    });

    for (const [what, tokenOf] of [
      ['a text of its own', (id: unknown) => `id-${String(id)}`],
      ['a list', (id: unknown) => [id]],
      ['an object', () => ({ toString: 1 })],
    ] as const)
      it(`takes no token for its own that is ${what}`, async () => {
        const opened = open();
        const { answer, id } = await ask(opened);
        await clock.tick(900);
        opened.transport.receive({
          method: 'notifications/progress',
          params: { progressToken: tokenOf(id), progress: 1 },
        });
        await clock.tick(100);
        await assert.rejects(answer, /within 1 s/);
      });

    it('gives up at the ceiling however much progress there is, and tells the server', async () => {
      const opened = open();
      const { answer, id } = await ask(opened);
      for (let step = 1; step < 20; step += 1) {
        await clock.tick(500);
        opened.transport.receive({
          method: 'notifications/progress',
          params: { progressToken: id, progress: step },
        });
      }
      await clock.tick(499);
      assert.deepEqual(opened.transport.requests('notifications/cancelled'), []);
      await clock.tick(1);
      await assert.rejects(answer, /within 10 s\. "timeouts\.total" in the/);
      assert.equal(opened.transport.requests('notifications/cancelled').length, 1);
    });

    it('takes the bounds of the request before its own', async () => {
      const opened = open();
      const { answer } = await ask(opened, { deadlines: { request: 50, ceiling: 50 } });
      await clock.tick(50);
      await assert.rejects(answer, DeadlineError);
    });
  });

  describe('with progress', () => {
    it('delivers it before the answer that came in the same chunk, all of it in order', async () => {
      const opened = open();
      const heard: (number | string)[] = [];
      const onProgress = ({ progress }: Progress) => heard.push(progress);
      const { answer, id } = await ask(opened, { onProgress });
      const progress = (value: number) => ({
        method: 'notifications/progress',
        params: { progressToken: id, progress: value },
      });
      opened.transport.receive(progress(1), progress(2), { id, result: 'done' }, progress(3));
      heard.push(String(await answer));
      assert.deepEqual(heard, [1, 2, 'done']);
    });

    it('passes on what is well formed and drops what is not', async () => {
      const opened = open();
      const heard: Progress[] = [];
      const { id } = await ask(opened, { onProgress: (progress) => heard.push(progress) });
      for (const params of [
        { progress: 1, total: 2, message: 'half' },
        { progress: 'x', total: null, message: 7 },
      ])
        opened.transport.receive({
          method: 'notifications/progress',
          params: { progressToken: id, ...params },
        });
      assert.deepEqual(heard, [{ progress: 1, total: 2, message: 'half' }, { progress: 0 }]);
    });

    it('goes on when the listener throws, and reports the error', async () => {
      const opened = open();
      const errors: Error[] = [];
      opened.peer.onfault = (error) => errors.push(error as Error);
      const { answer, id } = await ask(opened, {
        onProgress: () => {
          throw new Error('our own bug');
        },
      });
      opened.transport.receive(
        { method: 'notifications/progress', params: { progressToken: id, progress: 1 } },
        { id, result: 'done' },
      );
      assert.equal(await answer, 'done');
      assert.deepEqual(
        errors.map(({ message }) => message),
        ['our own bug'],
      );
    });
  });

  describe('when the connection closes', () => {
    it('rejects everything that waits, and says so once', async () => {
      const opened = open();
      let lost = 0;
      opened.peer.onlost = () => (lost += 1);
      const first = await ask(opened);
      const second = await ask(opened, {}, 2);
      await opened.transport.close();
      opened.transport.onclose?.();
      await assert.rejects(first.answer, ConnectionLostError);
      await assert.rejects(second.answer, ConnectionLostError);
      assert.equal(lost, 1);
    });

    it('gives up a start that the transport itself does not give up', async () => {
      const opened = open();
      opened.transport.start = () => new Promise(() => {});
      const started = opened.peer.start();
      started.catch(() => {});
      await opened.transport.close();
      await clock.tick(0);
      await assert.rejects(started, ConnectionLostError);
    });

    it('says why the transport could not start where the transport itself does', async () => {
      const opened = open();
      opened.transport.start = async () => {
        await opened.transport.close();
        throw new Error('no such program');
      };
      await assert.rejects(opened.peer.start(), /no such program/);
    });

    it('rejects what is asked afterwards without sending it', async () => {
      const opened = open();
      await opened.transport.close();
      await assert.rejects(opened.peer.request('slow', {}), ConnectionLostError);
      assert.deepEqual(opened.transport.sent, []);
    });

    it('rejects one request whose stream ended without an answer', async () => {
      const opened = open();
      const first = await ask(opened);
      const second = await ask(opened, {}, 2);
      opened.transport.options[0]?.onRequestStreamEnd?.();
      await assert.rejects(first.answer, /ended its response without an answer/);
      opened.transport.receive({ id: second.id, result: 'right' });
      assert.equal(await second.answer, 'right');
    });
  });

  it('reads the error that a stateless server put into the body of an HTTP error', async () => {
    const opened = open();
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'unknown method' } };
    opened.transport.sendError = Object.assign(new Error('HTTP 404'), {
      data: { status: 404, text: JSON.stringify(body) },
    });
    await assert.rejects(opened.peer.request('slow', {}), (error) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.httpStatus], [-32601, 404]);
      return true;
    });
  });

  for (const text of ['{"jsonrpc":"2.0"', '{"error":{}}', '<html>', '']) {
    it(`keeps the HTTP error whose body is ${JSON.stringify(text)}`, async () => {
      const opened = open();
      const error = Object.assign(new Error('HTTP 500'), { data: { status: 500, text } });
      opened.transport.sendError = error;
      await assert.rejects(opened.peer.request('slow', {}), error);
    });
  }

  it('waits for as long as the server waits for an answer of its own', async () => {
    const opened = open();
    const { answer, id } = await ask(opened);
    const question = deferred<string>();
    const answering = opened.peer.whileAnswering(() => question.promise);
    await clock.tick(deadlines.ceiling * 2);
    const later = await ask(opened, {}, 2);
    await clock.tick(deadlines.request);
    await assert.rejects(later.answer, DeadlineError);
    question.resolve('yes');
    assert.equal(await answering, 'yes');
    opened.transport.receive({ id, result: { late: true } });
    assert.deepEqual(await answer, { late: true });
  });

  it('lets no request run out of time while deadlines are held, those sent meanwhile neither', async () => {
    const hold = new DeadlineHold();
    const opened = open({}, false, hold);
    const before = await ask(opened);
    await clock.tick(deadlines.request - 1);
    const [one, two] = [hold.hold(), hold.hold()];
    const meanwhile = await ask(opened, {}, 2);
    opened.transport.receive({
      method: 'notifications/progress',
      params: { progressToken: before.id, progress: 1 },
    });
    await clock.tick(deadlines.ceiling * 2);
    one.dispose();
    one.dispose();
    await clock.tick(deadlines.ceiling * 2);
    assert.equal(opened.transport.requests('notifications/cancelled').length, 0);
    two.dispose();
    opened.transport.receive({ id: before.id, result: { late: true } });
    assert.deepEqual(await before.answer, { late: true });
    await clock.tick(deadlines.request - 1);
    assert.equal(opened.transport.requests('notifications/cancelled').length, 0);
    await clock.tick(1);
    await assert.rejects(meanwhile.answer, DeadlineError);
  });

  it('holds deadlines and waits for a user at the same time', async () => {
    const hold = new DeadlineHold();
    const opened = open({}, false, hold);
    const { answer } = await ask(opened);
    const question = deferred<void>();
    const held = hold.hold();
    const answering = opened.peer.whileAnswering(() => question.promise);
    held.dispose();
    await clock.tick(deadlines.ceiling * 2);
    assert.equal(opened.transport.requests('notifications/cancelled').length, 0);
    question.resolve();
    await answering;
    await clock.tick(deadlines.request);
    await assert.rejects(answer, DeadlineError);
  });

  it('gives up a question with the last request that it may be of, and with no other', async () => {
    const opened = open();
    const first = new AbortController();
    const second = new AbortController();
    await ask(opened, { signal: first.signal });
    await ask(opened, { signal: second.signal }, 2);
    const question = deferred<void>();
    let signal: AbortSignal | undefined;
    const answering = opened.peer.whileAnswering((givenUp) => {
      signal = givenUp;
      return question.promise;
    });
    const later = new AbortController();
    await ask(opened, { signal: later.signal }, 3);
    later.abort();
    first.abort();
    assert.equal(signal?.aborted, false);
    second.abort();
    assert.equal(signal?.aborted, true);
    question.resolve();
    await answering;
  });

  it('leaves a question open that came while nothing was asked, or whose request was answered', async () => {
    const opened = open();
    const signals: AbortSignal[] = [];
    const question = deferred<void>();
    const wait = (givenUp: AbortSignal) => {
      signals.push(givenUp);
      return question.promise;
    };
    const unasked = opened.peer.whileAnswering(wait);
    const { answer, id } = await ask(opened);
    const asked = opened.peer.whileAnswering(wait);
    opened.transport.receive({ id, result: {} });
    await answer;
    const cancelled = new AbortController();
    await ask(opened, { signal: cancelled.signal }, 2);
    cancelled.abort();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false],
    );
    question.resolve();
    await Promise.all([unasked, asked]);
  });

  it('leaves no clock running for a request that ended while a question was open', async () => {
    const opened = open();
    const { answer, id } = await ask(opened);
    const answering = opened.peer.whileAnswering(async () => {
      opened.transport.receive({ id, result: {} });
      await answer;
      throw new Error('refused');
    });
    await assert.rejects(answering, /refused/);
    await clock.tick(deadlines.ceiling);
    assert.equal(opened.transport.requests('notifications/cancelled').length, 0);
  });
});
