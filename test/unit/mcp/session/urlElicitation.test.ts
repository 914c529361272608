import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Emitter } from '../../../../src/base/event';
import type { RequestRouter } from '../../../../src/mcp/session/requestRouter';
import { RpcError } from '../../../../src/mcp/protocol/rpcError';
import { afterUrlElicitation } from '../../../../src/mcp/session/inputRequired';
import { settled } from '../../../support/fakes/fakeClock';

type Params = Readonly<Record<string, unknown>>;

const question = (elicitationId: string) => ({
  mode: 'url',
  message: 'Please sign the form',
  url: `https://example.com/${elicitationId}`,
  elicitationId,
});
const required = (...elicitations: readonly unknown[]) =>
  new RpcError(-32042, 'A page has to be visited', { elicitations });

/**
 * Creates a server that refuses the first request, and a user who is asked and cancels when the question is
 * withdrawn.
 */
function open(refusal: Error) {
  const notifications = new Emitter<{ readonly method: string; readonly params: Params }>();
  const abort = new AbortController();
  const asked: { readonly params: Params; answer(action: string): void }[] = [];
  let sent = 0;
  const send = () => {
    sent += 1;
    return sent === 1 ? Promise.reject(refusal) : Promise.resolve({ done: true });
  };
  const answer: RequestRouter = (method, params, signal) => {
    assert.equal(method, 'elicitation/create');
    return new Promise((resolve) => {
      asked.push({ params, answer: (action) => resolve({ action }) });
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
    });
  };
  const result = afterUrlElicitation(send, answer, notifications.event, abort.signal);
  result.catch(() => {});
  const complete = (elicitationId: unknown) =>
    notifications.fire({
      method: 'notifications/elicitation/complete',
      params: { elicitationId },
    });
  return { result, asked, complete, abort, sent: () => sent };
}

describe('a request that needs a visit to a page', () => {
  it('is sent again once the server says that the visit is complete, and not before', async () => {
    const opened = open(required(question('e1')));
    await settled();
    opened.complete('another');
    opened.complete(undefined);
    await settled();
    assert.equal(opened.sent(), 1);
    opened.complete('e1');
    assert.deepEqual(await opened.result, { done: true });
    assert.equal(opened.sent(), 2);
  });

  it('is sent again once the user says so: the word of the server may never come', async () => {
    const opened = open(required(question('e1')));
    await settled();
    const { elicitationId: _, ...visit } = question('e1');
    // If the id were included, only the server could say when the visit is over.
    assert.deepEqual(opened.asked[0]?.params, visit);
    opened.asked[0]?.answer('accept');
    assert.deepEqual(await opened.result, { done: true });
    assert.deepEqual(getEventListeners(opened.abort.signal, 'abort'), []);
  });

  it('is sent again after all pages, one after the other', async () => {
    const opened = open(required(question('e1'), question('e2')));
    await settled();
    assert.equal(opened.asked.length, 1);
    opened.complete('e1');
    await settled();
    assert.equal(opened.asked.length, 2);
    opened.asked[1]?.answer('accept');
    await opened.result;
    assert.equal(opened.sent(), 2);
  });

  for (const action of ['decline', 'cancel']) {
    it(`fails with the refusal when the user chooses to ${action}`, async () => {
      const refusal = required(question('e1'));
      const opened = open(refusal);
      await settled();
      opened.asked[0]?.answer(action);
      await assert.rejects(opened.result, refusal);
      assert.equal(opened.sent(), 1);
    });
  }

  it('fails with the refusal when it is withdrawn while the user is away', async () => {
    const refusal = required(question('e1'));
    const opened = open(refusal);
    await settled();
    opened.abort.abort();
    await assert.rejects(opened.result, refusal);
    assert.equal(opened.sent(), 1);
  });

  const others: readonly (readonly [string, Error])[] = [
    ['another error', new RpcError(-32603, 'x', { elicitations: [question('e1')] })],
    ['an error without pages', new RpcError(-32042, 'x')],
    ['an error with an empty list of pages', required()],
    ['an error with pages that are no list', new RpcError(-32042, 'x', { elicitations: 'e1' })],
    ['an error with pages that are none', required('e1', null)],
    ['no error of the server', new Error('x')],
  ];
  for (const [name, error] of others) {
    it(`is just refused for ${name}`, async () => {
      const opened = open(error);
      await assert.rejects(opened.result, error);
      assert.deepEqual([opened.asked, opened.sent()], [[], 1]);
    });
  }
});
