import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { deferred } from '../../../../src/base/async';
import {
  RequestRefused,
  type ServerRequestHandlers,
  type ElicitRequest,
  type ElicitResult,
} from '../../../../src/mcp/protocol/serverRequests';
import {
  clientCapabilities,
  createRequestRouter,
  maxOpenRequests,
} from '../../../../src/mcp/session/requestRouter';

const server = { id: 'one', name: 'One' };
const { signal } = new AbortController();

/** Creates a delegate for all requests that records what it is asked. */
function delegate() {
  const asked: unknown[][] = [];
  const requests: Required<ServerRequestHandlers> = {
    listRoots: (...args) => {
      asked.push(['roots', ...args]);
      return Promise.resolve([{ uri: 'file:///work', name: 'work' }]);
    },
    createMessage: (...args) => {
      asked.push(['sampling', ...args]);
      return Promise.resolve({
        role: 'assistant',
        content: { type: 'text', text: 'hi' },
        model: 'demo',
        stopReason: 'endTurn',
      });
    },
    elicit: (...args) => {
      asked.push(['elicitation', ...args]);
      return Promise.resolve({ action: 'decline' });
    },
    appTypes: () => ['text/html;profile=mcp-app'],
  };
  return { asked, requests };
}

describe('the capabilities of the client', () => {
  const { requests } = delegate();
  const { listRoots, createMessage, elicit, appTypes } = requests;
  const extensions = {
    'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
  };
  const tasks = (asTasks: object) => ({ list: {}, cancel: {}, requests: asTasks });
  const table: readonly (readonly [string, ServerRequestHandlers, object])[] = [
    ['nothing', {}, {}],
    ['roots', { listRoots }, { roots: { listChanged: true } }],
    [
      'sampling',
      { createMessage },
      { sampling: { tools: {} }, tasks: tasks({ sampling: { createMessage: {} } }) },
    ],
    [
      'elicitation',
      { elicit },
      { elicitation: { form: {}, url: {} }, tasks: tasks({ elicitation: { create: {} } }) },
    ],
    ['apps', { appTypes }, { extensions }],
    ['no apps', { appTypes: () => [] }, {}],
    [
      'everything',
      requests,
      {
        roots: { listChanged: true },
        sampling: { tools: {} },
        elicitation: { form: {}, url: {} },
        tasks: tasks({ sampling: { createMessage: {} }, elicitation: { create: {} } }),
        extensions,
      },
    ],
  ];
  for (const [name, given, capabilities] of table) {
    it(`declare ${name} where a delegate answers that`, () =>
      assert.deepEqual(clientCapabilities(given, 'legacy'), capabilities));
  }

  it('declare no tasks where the revision has none', () =>
    assert.equal('tasks' in clientCapabilities(requests, 'modern'), false));
});

describe('a question of a server', () => {
  it('for roots gets what the delegate lists', async () => {
    const { asked, requests } = delegate();
    const answer = createRequestRouter(server, requests);
    assert.deepEqual(await answer('roots/list', {}, signal), {
      roots: [{ uri: 'file:///work', name: 'work' }],
    });
    assert.deepEqual(asked, [['roots', server, signal]]);
  });

  it('for a message reaches the delegate whole', async () => {
    const { asked, requests } = delegate();
    const params = {
      messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
      maxTokens: 10,
      systemPrompt: 'be brief',
      tools: [{ name: 't', inputSchema: {} }],
      _meta: { trace: 1 },
    };
    const answer = createRequestRouter(server, requests);
    const result = await answer('sampling/createMessage', params, signal);
    assert.equal(result['model'], 'demo');
    assert.deepEqual(asked, [['sampling', server, params, signal]]);
  });

  const forms: readonly (readonly [string, Record<string, unknown>, ElicitRequest])[] = [
    [
      'without a mode is one of a form',
      { message: 'Who?', requestedSchema: { type: 'object' } },
      { mode: 'form', message: 'Who?', requestedSchema: { type: 'object' } },
    ],
    [
      'for a page keeps its address and id',
      { mode: 'url', message: 'Go', url: 'https://example.com/a', elicitationId: 'e1' },
      { mode: 'url', message: 'Go', url: 'https://example.com/a', elicitationId: 'e1' },
    ],
    [
      'for a page needs no id',
      { mode: 'url', message: 'Go', url: 'https://example.com/a' },
      { mode: 'url', message: 'Go', url: 'https://example.com/a' },
    ],
  ];
  for (const [name, params, request] of forms) {
    it(name, async () => {
      const { asked, requests } = delegate();
      await createRequestRouter(server, requests)('elicitation/create', params, signal);
      assert.deepEqual(asked, [['elicitation', server, request, signal]]);
    });
  }

  const model = { messages: [], maxTokens: 1 };
  const form = { mode: 'form', message: 'Who?' } as const;
  const odd: readonly (readonly [string, object, string, object, string])[] = [
    [
      'sampling',
      { ...model, modelPreferences: [] },
      'modelPreferences',
      { ...model, modelPreferences: {} },
      'an empty list: it is read as an empty object',
    ],
    [
      'sampling',
      { ...model, metadata: [] },
      'metadata',
      { ...model, metadata: {} },
      'an empty list: it is read as an empty object',
    ],
    [
      'sampling',
      { ...model, stopSequences: {} },
      'stopSequences',
      { ...model, stopSequences: [] },
      'an empty object: it is read as an empty list',
    ],
    [
      'sampling',
      { ...model, systemPrompt: null },
      'systemPrompt',
      model,
      'null: it is read as absent',
    ],
    [
      'sampling',
      { ...model, temperature: '1' },
      'temperature',
      { ...model, temperature: 1 },
      'a text: it is read as a number',
    ],
    [
      'elicitation',
      { ...form, mode: null, requestedSchema: {} },
      'mode',
      { ...form, requestedSchema: {} },
      'null: it is read as absent',
    ],
    [
      'elicitation',
      { ...form, requestedSchema: { properties: [] } },
      'properties',
      { ...form, requestedSchema: { properties: {} } },
      'an empty list: it is read as an empty object',
    ],
    [
      'elicitation',
      { ...form, requestedSchema: { properties: { a: [] } } },
      'properties',
      { ...form, requestedSchema: { properties: { a: {} } } },
      'an empty list: it is read as an empty object',
    ],
  ];
  for (const [kind, params, field, read, how] of odd)
    it(`for ${kind} is read, and told, where ${JSON.stringify(params)}`, async () => {
      const { asked, requests } = delegate();
      const method = kind === 'sampling' ? 'sampling/createMessage' : 'elicitation/create';
      const told: string[] = [];
      const answer = createRequestRouter(server, requests, (what) => told.push(what(inEnglish)));
      await answer(method, { ...params }, signal);
      assert.deepEqual(asked, [[kind, server, read, signal]]);
      assert.deepEqual(told, [`In its request ${method}, "${field}" is ${how}.`]);
    });

  it('refuses what is asked while too much is open, and answers again after that', async () => {
    const { requests } = delegate();
    const answers = deferred<ElicitResult>();
    const answer = createRequestRouter(server, { ...requests, elicit: () => answers.promise });
    const ask = () =>
      answer('elicitation/create', { mode: 'url', message: 'Go', url: 'x' }, signal);
    const open = Array.from({ length: maxOpenRequests }, ask);
    await assert.rejects(ask(), { code: -32603 });
    answers.resolve({ action: 'decline' });
    await Promise.all(open);
    assert.deepEqual(await ask(), { action: 'decline' });
  });

  const refused: readonly (readonly [string, string, Record<string, unknown>, number])[] = [
    ['of an unknown method', 'tools/list', {}, -32601],
    ['for a message without messages', 'sampling/createMessage', { maxTokens: 1 }, -32602],
    ['for a message without a limit', 'sampling/createMessage', { messages: [] }, -32602],
    ['without a text', 'elicitation/create', { requestedSchema: {} }, -32602],
    ['for a form without a schema', 'elicitation/create', { message: 'Who?' }, -32602],
    [
      'for a form whose schema is none',
      'elicitation/create',
      { message: 'Who?', requestedSchema: 'x' },
      -32602,
    ],
    ['for a page without an address', 'elicitation/create', { mode: 'url', message: 'Go' }, -32602],
    [
      'of an unknown mode',
      'elicitation/create',
      { mode: 'hologram', message: 'Go', url: 'https://example.com', requestedSchema: {} },
      -32602,
    ],
  ];
  for (const [name, method, params, code] of refused) {
    it(`${name} is refused with ${code}, and the delegate never asked`, async () => {
      const { asked, requests } = delegate();
      const answer = createRequestRouter(server, requests);
      await assert.rejects(answer(method, params, signal), { name: 'RpcError', code });
      assert.deepEqual(asked, []);
    });
  }

  for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create']) {
    it(`(${method}) that no delegate answers is an unknown method`, async () => {
      const answer = createRequestRouter(server, {});
      await assert.rejects(answer(method, {}, signal), { name: 'RpcError', code: -32601 });
    });
  }

  it('is refused with the code that the delegate gave', async () => {
    const refusal = new RequestRefused('The user said no.');
    const answer = createRequestRouter(server, { listRoots: () => Promise.reject(refusal) });
    await assert.rejects(answer('roots/list', {}, signal), { code: -1, message: /said no/ });
  });
});

describe('the answer to a form', () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ada' },
      age: { type: 'integer', default: 0 },
      subscribed: { type: 'boolean', default: false },
      colours: { type: 'array', default: ['red'] },
      note: { type: 'string' },
      broken: null,
    },
  };

  async function answerWith(
    result: Awaited<ReturnType<Required<ServerRequestHandlers>['elicit']>>,
  ) {
    const answer = createRequestRouter(server, { elicit: () => Promise.resolve(result) });
    return answer('elicitation/create', { message: 'Who?', requestedSchema }, signal);
  }

  it('lacks what the user left out, whatever the default is', async () => {
    assert.deepEqual(await answerWith({ action: 'accept', content: { note: 'x' } }), {
      action: 'accept',
      content: { note: 'x' },
    });
  });

  it('keeps what the user gave, empty values too', async () => {
    const content = { name: '', age: 7, subscribed: true, colours: [], note: 'x' };
    assert.deepEqual(await answerWith({ action: 'accept', content }), {
      action: 'accept',
      content,
    });
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`has no content when the user chose to ${action}`, async () => {
      assert.deepEqual(await answerWith({ action }), { action });
    });
  }

  it('has no fields to fill in where the question was to visit a page', async () => {
    const answer = createRequestRouter(server, {
      elicit: () => Promise.resolve({ action: 'accept' }),
    });
    const params = { mode: 'url', message: 'Go', url: 'https://example.com/a' };
    assert.deepEqual(await answer('elicitation/create', params, signal), { action: 'accept' });
  });

  it('is accepted for a schema without properties', async () => {
    const answer = createRequestRouter(server, {
      elicit: () => Promise.resolve({ action: 'accept', content: { a: 1 } }),
    });
    const params = { message: 'Who?', requestedSchema: {} };
    assert.deepEqual(await answer('elicitation/create', params, signal), {
      action: 'accept',
      content: { a: 1 },
    });
  });
});
