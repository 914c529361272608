import assert from 'node:assert/strict';
import type { RequestRouter } from '../../../../src/mcp/session/requestRouter';
import { untilComplete } from '../../../../src/mcp/session/inputRequired';
import { RpcError } from '../../../../src/mcp/protocol/rpcError';

type Params = Readonly<Record<string, unknown>>;

/** Creates a server that answers with these results in turn. */
function server(...results: readonly unknown[]) {
  const sent: Params[] = [];
  const send = (params: Params) => {
    sent.push(params);
    const result = results[Math.min(sent.length, results.length) - 1];
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  };
  return { sent, send };
}

const asks = (more: Params) => ({ resultType: 'input_required', ...more });
const question = (message: string) => ({ method: 'elicitation/create', params: { message } });
const echo: RequestRouter = (method, params) =>
  Promise.resolve({ method, answerTo: params['message'] });
const nobody: RequestRouter = () => assert.fail('asked');

describe('a request whose answer may need input', () => {
  it('resolves with an answer that is complete at once, and sends once', async () => {
    for (const result of [
      { tools: [] },
      { resultType: 'complete', tools: [] },
      { resultType: 5 },
    ]) {
      const { sent, send } = server(result);
      assert.equal(await untilComplete(send, { name: 'x' }, nobody, undefined), result);
      assert.deepEqual(sent, [{ name: 'x' }]);
    }
  });

  it('is repeated with the answers and the state, both exactly as they came', async () => {
    const requestState = 'opaque "\u2028 état\n\\u0000 ' + '='.repeat(5);
    const { sent, send } = server(
      asks({ inputRequests: { a: question('A?'), b: question('B?') }, requestState }),
      { content: [] },
    );
    await untilComplete(send, { name: 'x', arguments: { n: 1 } }, echo, undefined);
    assert.deepEqual(sent[1], {
      name: 'x',
      arguments: { n: 1 },
      inputResponses: {
        a: { method: 'elicitation/create', answerTo: 'A?' },
        b: { method: 'elicitation/create', answerTo: 'B?' },
      },
      requestState,
    });
  });

  it('is repeated without a state where the server gave none', async () => {
    const { sent, send } = server(asks({ inputRequests: { a: question('A?') } }), {});
    await untilComplete(send, {}, echo, undefined);
    assert.equal('requestState' in (sent[1] ?? {}), false);
  });

  it('is repeated without answers where the server asked nothing', async () => {
    const { sent, send } = server(asks({ requestState: 's' }), {});
    await untilComplete(send, { name: 'x' }, nobody, undefined);
    assert.deepEqual(sent[1], { name: 'x', requestState: 's' });
  });

  it('lives no time in a cache when answers went into it', async () => {
    const fresh = { resultType: 'complete', ttlMs: 5000, cacheScope: 'public', text: 'x' };
    const once = server(fresh);
    assert.deepEqual(await untilComplete(once.send, {}, echo, undefined), fresh);
    const asked = server(asks({ inputRequests: { a: question('A?') } }), fresh);
    assert.deepEqual(await untilComplete(asked.send, {}, echo, undefined), {
      resultType: 'complete',
      text: 'x',
    });
  });

  it('is refused where nobody knows what kind of result it is', async () => {
    for (const results of [
      [{ resultType: 'task', content: [] }],
      [asks({ requestState: 's' }), { resultType: 'task' }],
    ]) {
      const { send } = server(...results);
      await assert.rejects(untilComplete(send, {}, echo, undefined), /unknown type "task"/);
    }
  });

  it('carries nothing of one round into the next', async () => {
    const { sent, send } = server(
      asks({ inputRequests: { a: question('A?') }, requestState: 'one' }),
      asks({ inputRequests: { b: question('B?') } }),
      asks({ requestState: 'three' }),
      { done: true },
    );
    assert.deepEqual(await untilComplete(send, { name: 'x' }, echo, undefined), { done: true });
    assert.deepEqual(
      sent.map((params) => Object.keys(params)),
      [
        ['name'],
        ['name', 'inputResponses', 'requestState'],
        ['name', 'inputResponses'],
        ['name', 'requestState'],
      ],
    );
    assert.deepEqual(Object.keys(sent[2]?.['inputResponses'] as object), ['b']);
  });

  it('keeps two requests apart that run side by side', async () => {
    const one = server(asks({ requestState: 'of one' }), { n: 1 });
    const two = server(asks({ requestState: 'of two' }), { n: 2 });
    const results = await Promise.all([
      untilComplete(one.send, { name: '1' }, echo, undefined),
      untilComplete(two.send, { name: '2' }, echo, undefined),
    ]);
    assert.deepEqual(results, [{ n: 1 }, { n: 2 }]);
    assert.equal(one.sent[1]?.['requestState'], 'of one');
    assert.equal(two.sent[1]?.['requestState'], 'of two');
  });

  it('asks one question after the other: a user answers them', async () => {
    let open = 0;
    const answer: RequestRouter = async () => {
      open += 1;
      assert.equal(open, 1);
      await Promise.resolve();
      open -= 1;
      return {};
    };
    const questions = { a: question('A?'), b: question('B?'), c: question('C?') };
    const { send } = server(asks({ inputRequests: questions }), {});
    await untilComplete(send, {}, answer, undefined);
  });

  it('gives the signal to whoever answers', async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const answer: RequestRouter = (_method, _params, given) => {
      seen.push(given);
      return Promise.resolve({});
    };
    const { send } = server(asks({ inputRequests: { a: question('A?') } }), {});
    await untilComplete(send, {}, answer, { signal });
    assert.deepEqual(seen, [signal]);
  });

  it('fails with the refusal of whoever answers, and is not repeated', async () => {
    const refusal = new RpcError(-1, 'refused');
    const { sent, send } = server(asks({ inputRequests: { a: question('A?') } }), {});
    await assert.rejects(
      untilComplete(send, {}, () => Promise.reject(refusal)),
      refusal,
    );
    assert.equal(sent.length, 1);
  });

  it('fails as its repetition does when it is withdrawn while somebody answers', async () => {
    const abort = new AbortController();
    const gone = new Error('gone');
    const { sent, send } = server(asks({ inputRequests: { a: question('A?') } }), gone);
    const answer: RequestRouter = () => {
      abort.abort();
      return Promise.reject(new RpcError(-1, 'refused'));
    };
    await assert.rejects(untilComplete(send, {}, answer, { signal: abort.signal }), gone);
    assert.equal(sent.length, 2);
  });

  it('ends after ten rounds with a server that never has enough', async () => {
    const { sent, send } = server(asks({ requestState: 'again' }));
    await assert.rejects(untilComplete(send, {}, echo, undefined), /more than 10 times/);
    assert.equal(sent.length, 11);
  });

  for (const result of [undefined, null, 5, 'text', [1], true]) {
    it(`fails for the result ${JSON.stringify(result)}, which is no object`, async () => {
      const { send } = server(result);
      await assert.rejects(untilComplete(send, {}, nobody, undefined), /not an object/);
    });
  }

  for (const inputRequests of ['text', [1], { a: 'text' }, { a: null }]) {
    it(`fails for the questions ${JSON.stringify(inputRequests)}`, async () => {
      const { send } = server(asks({ inputRequests }), {});
      await assert.rejects(untilComplete(send, {}, nobody, undefined), RpcError);
    });
  }
});
