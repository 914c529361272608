import assert from 'node:assert/strict';
import { CancelledError, UserError } from '../../../../../src/base/errors';
import type { JsonRecord } from '../../../../../src/base/json';
import type { Progress } from '../../../../../src/mcp/protocol/types';
import { RequestRefused } from '../../../../../src/mcp/protocol/serverRequests';
import { ErrorCode, RpcError } from '../../../../../src/mcp/protocol/rpcError';
import { rejected, withdrawnRefusal } from '../../../../../src/requests/requestDecisions';
import { createRequestRouter } from '../../../../../src/mcp/session/requestRouter';
import { answerAll } from '../../../../../src/mcp/session/inputRequired';
import {
  TaskLeftError,
  followTask,
  maxTaskFailures,
  maxTaskMs,
  maxTaskQuestions,
} from '../../../../../src/mcp/session/tasks/followTask';
import { useFakeClock } from '../../../../support/fakes/fakeClock';

const result = { content: [{ type: 'text', text: 'done' }] };
const created = '2026-07-28T00:00:00Z';
const handle = () => ({ id: 't1', createdAt: created, startedAt: Date.now() });

type State = JsonRecord | Error | (() => JsonRecord | Error);

/**
 * Creates a server whose task goes through these states, one per request; updates fail with the errors in
 * `updateErrors`.
 */
function taskServer(...states: readonly State[]) {
  const updateErrors: Error[] = [];
  const sent: { method: string; params: JsonRecord }[] = [];
  const cancelled: string[] = [];
  const asked: JsonRecord[] = [];
  let index = 0;
  return {
    sent,
    cancelled,
    asked,
    updateErrors,
    updates: () => sent.filter(({ method }) => method === 'tasks/update'),
    polls: () => sent.filter(({ method }) => method === 'tasks/get').length,
    send: async (method: string, params: JsonRecord) => {
      sent.push({ method, params });
      const updateError = method === 'tasks/update' ? updateErrors.shift() : undefined;
      if (updateError) throw updateError;
      if (method !== 'tasks/get') return {};
      const given = states[Math.min(index, states.length - 1)] ?? {};
      index += 1;
      const state = typeof given === 'function' ? given() : given;
      if (state instanceof Error) throw state;
      return { taskId: 't1', createdAt: created, status: 'working', ...state };
    },
    answer: async (questions: JsonRecord) => {
      asked.push(questions);
      return Object.fromEntries(Object.keys(questions).map((key) => [key, { action: 'accept' }]));
    },
    cancel: (id: string) => void cancelled.push(id),
  };
}

const refused = (code: number, message: string) =>
  new UserError('"demo" could not follow a task', { cause: new RpcError(code, message) });
const overHttp = (status: number) =>
  new UserError('"demo" could not follow a task', {
    cause: Object.assign(new Error('HTTP'), { data: { status } }),
  });
const question = { method: 'elicitation/create', params: { message: 'Name?' } };
const asking = { status: 'input_required', inputRequests: { name: question } };

describe('a task of the extension', () => {
  const clock = useFakeClock();

  /** Lets this many seconds pass, in steps small enough for timers. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.tick(1000);
  };

  it('is asked about at the pace of the server until it has its result', async () => {
    const server = taskServer({ pollIntervalMs: 5000 }, { status: 'completed', result });
    const followed = followTask(handle(), server);
    await clock.tick(4999);
    assert.equal(server.polls(), 1);
    await clock.tick(1);
    assert.deepEqual(await followed, result);
  });

  it('is never asked about faster than ten times a second', async () => {
    const server = taskServer({ pollIntervalMs: -7 });
    const abort = new AbortController();
    followTask(handle(), server, { signal: abort.signal }).catch(() => {});
    for (let ms = 0; ms < 1000; ms += 10) await clock.tick(10);
    assert.ok(server.polls() >= 8 && server.polls() <= 11, `${server.polls()} times in a second`);
    abort.abort();
  });

  it('passes on what the server says of it', async () => {
    const heard: Progress[] = [];
    const server = taskServer({ statusMessage: 'half' }, { status: 'completed', result });
    const followed = followTask(handle(), server, { onProgress: (one) => heard.push(one) });
    await pass(1);
    await followed;
    assert.deepEqual(heard, [{ progress: 0, message: 'half' }]);
  });

  it('has each of its questions answered once, however often they are shown', async () => {
    const server = taskServer(asking, asking, {}, asking, { status: 'completed', result });
    const followed = followTask(handle(), server);
    await pass(4);
    assert.deepEqual(await followed, result);
    assert.deepEqual(server.asked, [{ name: question }]);
    assert.deepEqual(server.updates(), [
      {
        method: 'tasks/update',
        params: { taskId: 't1', inputResponses: { name: { action: 'accept' } } },
      },
    ]);
  });

  for (const [what, error] of [
    ['the connection was lost', new UserError('The connection closed')],
    ['the server was busy', refused(-32603, 'busy')],
    ['something before the server had no answer', overHttp(502)],
  ] as const)
    it(`has an answer sent again, and nobody asked again, where ${what}`, async () => {
      const server = taskServer(() =>
        server.updates().length < 4 ? asking : { status: 'completed', result },
      );
      server.updateErrors.push(error, error, error);
      const followed = followTask(handle(), server);
      await pass(1);
      assert.equal(server.updates().length, 1);
      await pass(1);
      assert.equal(server.updates().length, 2);
      await pass(4 + 8 + 1);
      assert.deepEqual(await followed, result);
      assert.deepEqual(server.asked, [{ name: question }]);
      const { params } = server.updates()[0] ?? {};
      assert.deepEqual(params?.['inputResponses'], { name: { action: 'accept' } });
      for (const update of server.updates()) assert.deepEqual(update.params, params);
    });

  for (const [why, refusal] of [
    ['by the user', rejected({ kind: 'user', how: 'click' })],
    ['once and for all', rejected({ kind: 'permission', mode: 'never' })],
    ['because it asks too much', withdrawnRefusal('paused')],
    ['without a model', new RequestRefused('There is no language model.', ErrorCode.internal)],
  ] as const)
    it(`ends with its call where it is refused an answer ${why}`, async () => {
      const server = taskServer(asking);
      let asked = 0;
      server.answer = async () => {
        asked += 1;
        throw refusal;
      };
      const rejects = assert.rejects(followTask(handle(), server), {
        name: 'RpcError',
        message: refusal.message,
      });
      await pass(20);
      assert.deepEqual([asked, server.cancelled], [1, ['t1']]);
      await rejects;
    });

  const unanswerable: readonly (readonly [what: string, question: unknown])[] = [
    ['a form of a client without forms', question],
    ['a model of a client without one', { method: 'sampling/createMessage', params: {} }],
    ['roots of a client without any', { method: 'roots/list' }],
    ['what nobody knows', { method: 'client/explode', params: {} }],
    ['without a method', { params: { message: 'Name?' } }],
    ['a text', 'Name?'],
    ['nothing', null],
  ];
  for (const [what, asked] of unanswerable)
    it(`is cancelled on the server where it asks for ${what}`, async () => {
      const server = taskServer({ status: 'input_required', inputRequests: { name: asked } });
      const answer = createRequestRouter({ id: 'one', name: 'One' }, {});
      server.answer = (questions) => answerAll(questions, answer) as Promise<never>;
      const rejects = assert.rejects(followTask(handle(), server), {
        message: /does not answer|is not an object/,
      });
      await pass(20);
      await rejects;
      assert.deepEqual(server.cancelled, ['t1']);
      assert.equal(server.polls(), 1);
    });

  it('is cancelled on the server where its question is incomplete', async () => {
    const server = taskServer(asking);
    const answer = createRequestRouter(
      { id: 'one', name: 'One' },
      { elicit: () => assert.fail('asked') },
    );
    server.answer = (questions) => answerAll(questions, answer) as Promise<never>;
    await assert.rejects(followTask(handle(), server), /incomplete/);
    assert.deepEqual(server.cancelled, ['t1']);
  });

  it('is not cancelled while too much is asked at once', async () => {
    const server = taskServer(asking, asking, { status: 'completed', result });
    const { answer } = server;
    server.answer = async () => {
      server.answer = answer;
      throw new RpcError(ErrorCode.internal, 'Too many requests at once. Wait for answers.');
    };
    const followed = followTask(handle(), server);
    await pass(10);
    assert.deepEqual(await followed, result);
    assert.deepEqual(server.cancelled, []);
  });

  for (const because of ['serverStopped', 'windowClosed'] as const)
    it(`has its question asked again that was withdrawn by ${because}`, async () => {
      const server = taskServer(asking, asking, { status: 'completed', result });
      const { answer } = server;
      server.answer = async () => {
        server.answer = answer;
        throw withdrawnRefusal(because);
      };
      const followed = followTask(handle(), server);
      await pass(10);
      assert.deepEqual(await followed, result);
      assert.deepEqual([server.asked, server.cancelled], [[{ name: question }], []]);
    });

  it('has no answer sent again that the server took although it did not say so', async () => {
    const others = { status: 'input_required', inputRequests: { other: question } };
    const server = taskServer(asking, others, { status: 'completed', result });
    server.updateErrors.push(new UserError('The connection closed'));
    const followed = followTask(handle(), server);
    await pass(4);
    assert.deepEqual(await followed, result);
    assert.deepEqual(
      server.updates().map(({ params }) => Object.keys(params['inputResponses'] as JsonRecord)),
      [['name'], ['other']],
    );
  });

  it('has an answer sent again no later than a state is asked for that could not be read', async () => {
    const server = taskServer(asking);
    server.updateErrors.push(...Array.from({ length: 100 }, () => refused(-32603, 'broken')));
    const abort = new AbortController();
    const failed = assert.rejects(followTask(handle(), server, { signal: abort.signal }));
    await pass(2 ** maxTaskFailures);
    const updates = server.updates().length;
    assert.equal(updates, maxTaskFailures);
    await pass(2 ** (maxTaskFailures - 1));
    assert.equal(server.updates().length, updates + 1);
    abort.abort();
    await failed;
  });

  for (const [what, error, message] of [
    [
      'wrong arguments',
      refused(-32602, 'No such choice'),
      'The server refused the answer to its question: No such choice',
    ],
    ['an error of its own', refused(-32000, 'No'), 'No'],
    [
      'too large',
      overHttp(413),
      'The server refused the answer to its question: "demo" could not follow a task',
    ],
  ] as const)
    it(`ends with a sentence where the server calls the answer ${what}`, async () => {
      const server = taskServer(asking);
      server.updateErrors.push(error);
      await assert.rejects(followTask(handle(), server), { message });
      assert.equal(server.updates().length, 1);
      // What the server says of its own is its verdict on the task.
      assert.deepEqual(server.cancelled, what === 'an error of its own' ? [] : ['t1']);
    });

  it('ends with a sentence where it asks without end', async () => {
    let key = 0;
    const server = taskServer(() => ({
      status: 'input_required',
      inputRequests: { [(key += 1)]: question },
    }));
    const failed = assert.rejects(followTask(handle(), server), /asked more than 100 questions/);
    await pass(maxTaskQuestions);
    await failed;
    assert.equal(server.asked.length, maxTaskQuestions);
    assert.deepEqual(server.cancelled, ['t1']);
  });

  it('outlasts connections that are lost', async () => {
    const lost = new UserError('The connection closed');
    const server = taskServer(lost, lost, refused(-32603, 'busy'), {
      status: 'completed',
      result,
    });
    const followed = followTask(handle(), server);
    await pass(2 + 4 + 8);
    assert.deepEqual(await followed, result);
  });

  it('is given up where nobody can say how it is', async () => {
    const server = taskServer(new UserError('The connection closed'));
    const failed = assert.rejects(followTask(handle(), server), /could not be read 8 times: The/);
    await pass(2 ** maxTaskFailures);
    await failed;
    assert.equal(server.polls(), maxTaskFailures);
  });

  for (const [what, state, message] of [
    ['unknown', refused(-32602, 'Task not found'), /no longer knows the task.*not found/],
    ['refused', refused(-32000, 'No'), /^No$/],
    ['of another call', { taskId: 't2', status: 'completed', result }, /state of another task/],
    ['of a reused id', { createdAt: 'later', status: 'completed', result }, /for another one/],
    ['completed without a result', { status: 'completed' }, /but gave no result/],
    ['completed with a text', { status: 'completed', result: 'x' }, /but gave no result/],
    ['failed', { status: 'failed', error: { code: -1, message: 'disk full' } }, /^disk full$/],
    ['failed inside', { status: 'failed', error: { code: -32603, message: 'oops' } }, /^oops$/],
    ['failed for arguments', { status: 'failed', error: { code: -32602, message: 'x' } }, /^x$/],
    ['failed in words', { status: 'failed', statusMessage: 'why' }, /^why$/],
    ['failed without a reason', { status: 'failed' }, /gave no reason/],
    ['cancelled', { status: 'cancelled' }, /server cancelled the task\.$/],
    ['cancelled in words', { status: 'cancelled', statusMessage: 'late' }, /task: late$/],
  ] as const)
    it(`that is ${what} ends with a sentence`, async () => {
      await assert.rejects(followTask(handle(), taskServer(state)), { message });
    });

  it('does not go back to a state from before', async () => {
    const at = (second: number) => `2026-07-28T00:00:0${second}Z`;
    const server = taskServer(
      { lastUpdatedAt: at(5), statusMessage: 'new' },
      { lastUpdatedAt: at(2), statusMessage: 'old', status: 'cancelled' },
      { lastUpdatedAt: at(6), status: 'completed', result },
    );
    const heard: (string | undefined)[] = [];
    const followed = followTask(handle(), server, { onProgress: (one) => heard.push(one.message) });
    await pass(3);
    assert.deepEqual(await followed, result);
    assert.deepEqual(heard, ['new']);
  });

  it('that outlives the time that the server gave it is given up', async () => {
    const server = taskServer({ ttlMs: 10_000 });
    const failed = assert.rejects(followTask(handle(), server), /in the time that the server gave/);
    await pass(72);
    await failed;
    assert.deepEqual(server.cancelled, ['t1']);
  });

  it('that its server never ends is given up after a week', async () => {
    const old = { ...handle(), startedAt: Date.now() - maxTaskMs - 1 };
    const server = taskServer({});
    await assert.rejects(followTask(old, server), /did not end within a week/);
    assert.deepEqual(server.cancelled, ['t1']);
  });

  it('is cancelled on the server when the call is withdrawn, and not when it is only left', async () => {
    for (const [reason, cancelled] of [
      [undefined, ['t1']],
      [new TaskLeftError(false), []],
      [new TaskLeftError(true), []],
    ] as const) {
      const server = taskServer({});
      const abort = new AbortController();
      const followed = followTask(handle(), server, { signal: abort.signal });
      const failed = assert.rejects(followed, CancelledError);
      await clock.tick(1);
      abort.abort(reason);
      await failed;
      assert.deepEqual(server.cancelled, cancelled);
    }
  });
});
