import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import type { RunToolOptions, ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { RunningCalls } from '../../../src/gate/send/runningCalls';
import type { ListedTask } from '../../../src/mcp/lists/taskList';
import type { TaskFacts } from '../../../src/mcp/session/tasks/taskState';
import { maxEndedTaskBytes, maxEndedTasks, ServerTasks } from '../../../src/tools/run/serverTasks';
import { byUser } from '../../../src/ui/questions/question';
import type { TreeNode } from '../../../src/ui/tree';
import { fakeServer, tool, type FakeServer } from '../../support/fakes/fakeServer';
import { schemaCheck } from '../../support/schemaChecks';

const listed = (id: string, facts: TaskFacts): ListedTask => ({
  handle: { id, startedAt: Date.now() - 90_000, isCore: true },
  ...facts,
});
const result = (text = 'done', isError = false): ToolOutcome & { readonly kind: 'result' } => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError },
  arguments: {},
  edited: false,
  problems: [],
});

describe('The tasks of a server', () => {
  let running: RunningCalls;
  let tasks: ServerTasks;
  let shown: { readonly call: ToolCall; readonly outcome: ToolOutcome }[];
  let cancelled: string[];
  let documents: DocumentQuestion[];
  let asked: number;

  beforeEach(() => {
    shown = [];
    cancelled = [];
    documents = [];
    asked = 0;
    running = new RunningCalls();
    tasks = new ServerTasks({
      running,
      schemas: schemaCheck(),
      questions: { stillBy: (action) => action },
      input: {
        ask: async (document: DocumentQuestion) => (
          documents.push(document),
          { choice: undefined }
        ),
      } as unknown as DocumentInput,
      outcomes: { show: async (call, outcome) => void shown.push({ call, outcome }) },
    });
  });
  afterEach(() => {
    tasks.dispose();
    running.dispose();
  });

  const info = { protocolVersion: '2025-11-25', capabilities: { tasks: { list: {} } } };
  const serverWith = (items: readonly ListedTask[], problems: readonly string[] = []) => {
    const server = fakeServer();
    server.become({ kind: 'running', info });
    return Object.assign(server, {
      listTasks: async () => {
        asked += 1;
        return { items, problems };
      },
      cancelTask: async ({ id }: ListedTask['handle']) => void cancelled.push(id),
    });
  };
  const begin = (server: FakeServer, id: string) => {
    const ended = deferred<ToolOutcome & { readonly kind: 'result' }>();
    let told: RunToolOptions | undefined;
    const call: ToolCall = {
      server,
      tool: tool({ name: 'research' }),
      arguments: {},
      origin: { kind: 'user', action: undefined },
    };
    const outcome = running.track(call, { signal: new AbortController().signal }, (options) => {
      told = options;
      const { signal } = options;
      signal.addEventListener('abort', () => ended.reject(signal.reason));
      return ended.promise.catch(() => ({ kind: 'cancelled' }) as const);
    });
    told?.onTask?.({ id, startedAt: Date.now() });
    return { call, ended, outcome, tell: (state: TaskFacts) => told?.onTaskState?.(state) };
  };
  const parents = new WeakMap<object, TreeNode>();
  const sectionOf = (server: FakeServer) => {
    const parent = parents.get(server) ?? {
      id: server.id,
      parent: undefined,
      item: () => assert.fail(),
    };
    parents.set(server, parent);
    return tasks.notes.last?.(server, parent)[0];
  };
  const rowsOf = async (server: FakeServer) => {
    const nodes = (await sectionOf(server)?.children?.()) ?? [];
    const text = ({ label, description }: vscode.TreeItem) =>
      typeof description === 'string' ? `${label as string}: ${description}` : (label as string);
    return { nodes, texts: nodes.map((node) => text(node.item())) };
  };

  it('are a section of servers that list them, and of those where a call became one', async () => {
    const lists = serverWith([]);
    assert.equal(sectionOf(lists)?.item().contextValue, 'section.tasks');
    assert.deepEqual((await rowsOf(lists)).texts, ['The server has no tasks']);
    const other = fakeServer({ id: 'other' });
    assert.equal(sectionOf(other), undefined);
    begin(other, 't1');
    assert.equal(sectionOf(other)?.item().contextValue, 'tasks');
    assert.equal(sectionOf(other)?.item().description, '1 running');
    assert.deepEqual((await rowsOf(other)).texts, ['research: Working · 0 s']);
  });

  it('say how they are, with all that their server tells of them', async () => {
    const createdAt = Date.now() - 60_000;
    const facts = { createdAt, updatedAt: createdAt, ttlMs: 300_000, pollMs: 500 };
    const { texts, nodes } = await rowsOf(
      serverWith([
        listed('t1', { status: 'working', message: 'half', ...facts }),
        listed('t2', { status: 'completed', ...facts, ttlMs: null }),
        listed('t3', { status: 'paused' }),
      ]),
    );
    assert.deepEqual(texts, [
      't1: Working · half · 1 min',
      't2: Completed · 1 min ago',
      't3: paused · 1 min',
    ]);
    const [first, second] = nodes.map((node) => node.item().tooltip as string);
    for (const said of [/t1/, /Message: half/, /Created: .*1 min ago/, /ttl: 300000 ms/, /500 ms/])
      assert.match(first ?? '', said);
    assert.match(second ?? '', /ttl: unlimited/);
    assert.deepEqual(
      nodes.map((node) => node.item().contextValue),
      ['task.listed', 'task.over', 'task.listed'],
    );
  });

  it('are asked for once in a session, and again where the user refreshes them', async () => {
    const server = serverWith([]);
    await rowsOf(server);
    await rowsOf(server);
    assert.equal(asked, 1);
    tasks.refresh(sectionOf(server));
    await rowsOf(server);
    assert.equal(asked, 2);
    server.become({ kind: 'running', info: { ...info } });
    await rowsOf(server);
    assert.equal(asked, 3);
  });

  it('are left out where they are over, and those of the server come back as it is asked again', async () => {
    const server = serverWith([
      listed('t1', { status: 'working' }),
      listed('t2', { status: 'completed' }),
      listed('t3', { status: 'working' }),
    ]);
    const { ended, outcome } = begin(server, 't1');
    begin(server, 't4');
    assert.equal((await rowsOf(server)).texts.length, 4);
    ended.resolve(result());
    await outcome;
    tasks.clear(sectionOf(server));
    assert.deepEqual((await rowsOf(server)).texts, [
      'research: Working · 0 s',
      't3: Working · 1 min',
    ]);
    assert.equal(asked, 1);
    tasks.refresh(sectionOf(server));
    const { nodes } = await rowsOf(server);
    assert.deepEqual(
      new Set(nodes.map(({ id }) => id.split('/').at(-1))),
      new Set(['t1', 't2', 't3', 't4']),
    );
  });

  it('leave no section of a server that lists none once the last that is over is cleared', async () => {
    const server = fakeServer();
    const { ended, outcome } = begin(server, 't1');
    ended.resolve(result());
    await outcome;
    const section = sectionOf(server);
    assert.notEqual(section, undefined);
    tasks.clear(section);
    assert.equal(sectionOf(server), undefined);
  });

  it('are once in the list where a call became one that its server lists, too', async () => {
    const server = serverWith([listed('t1', { status: 'working' })]);
    begin(server, 't1');
    assert.deepEqual((await rowsOf(server)).texts, ['research: Working · 0 s']);
  });

  it('have ids of their own, whatever ids and how many times a server gives one', async () => {
    const ids = ['t1', 't1', 'message:0', '1/t2', 'task/t1'];
    const items = ids.map((id) => listed(id, { status: 'working' }));
    const server = serverWith(items, ['A task without a usable id was left out.']);
    for (const id of ['t2', 't2', 'message:0']) begin(server, id);
    const { nodes } = await rowsOf(server);
    assert.equal(nodes.length, 7);
    assert.equal(new Set(nodes.map(({ id }) => id)).size, 7);
  });

  it('have one line in a tooltip for each thing that their server says of them', async () => {
    for (const end of ['\n', '\r\n', '\u2028', '\v']) {
      const said = `x${end}Tool: other`;
      const [node] = (await rowsOf(serverWith([listed(said, { status: said, message: said })])))
        .nodes;
      const tooltip = node?.item().tooltip as string;
      assert.deepEqual(tooltip.split(/[\n\r\u2028\v]/), [
        'Task: x Tool: other',
        'Status: x Tool: other',
        'Message: x Tool: other',
      ]);
    }
  });

  it('keep how a call ended, and show it without their server', async () => {
    const server = fakeServer();
    const { ended, tell, outcome, call } = begin(server, 't1');
    tell({ status: 'input_required' });
    assert.deepEqual((await rowsOf(server)).texts, ['research: Input required · 0 s']);
    ended.resolve(result());
    await outcome;
    const { texts, nodes } = await rowsOf(server);
    assert.deepEqual(texts, ['research: Completed · 0 s ago']);
    await tasks.showResult(byUser(), nodes[0]);
    assert.deepEqual(shown, [{ call, outcome: result() }]);
  });

  it('say that they failed where the result is an error, and that they were cancelled', async () => {
    const server = fakeServer();
    const { ended, outcome } = begin(server, 't1');
    ended.resolve(result('no', true));
    await outcome;
    assert.deepEqual((await rowsOf(server)).texts, ['research: Failed · 0 s ago']);
    const other = fakeServer({ id: 'other' });
    const again = begin(other, 't2');
    await tasks.cancel((await rowsOf(other)).nodes[0]);
    await again.outcome;
    assert.deepEqual((await rowsOf(other)).texts, ['research: Cancelled · 0 s ago']);
  });

  it('have no row once the user has stopped waiting for them', async () => {
    const server = fakeServer();
    const { outcome } = begin(server, 't1');
    const entries: { leave: (isForgotten: boolean) => void }[] = [];
    running.onDidChange((entry) => entries.push(entry));
    begin(server, 't2');
    entries.at(-1)?.leave(true);
    await new Promise(setImmediate);
    assert.equal((await rowsOf(server)).nodes.length, 1);
    void outcome;
  });

  it('that have ended keep the rows of the latest', async () => {
    const server = fakeServer();
    for (let index = 0; index <= maxEndedTasks; index += 1) {
      const { ended, outcome } = begin(server, `t${index}`);
      ended.resolve(result());
      await outcome;
    }
    const { nodes } = await rowsOf(server);
    assert.equal(nodes.length, maxEndedTasks);
    assert.ok(!nodes.some(({ id }) => id.endsWith('/t0')));
  });

  it('that have ended keep less where their results are large', async () => {
    const server = fakeServer();
    for (const id of ['t1', 't2', 't3']) {
      const { ended, outcome } = begin(server, id);
      ended.resolve(result('x'.repeat(maxEndedTaskBytes / 2)));
      await outcome;
    }
    assert.ok((await rowsOf(server)).nodes.length < 3);
  });

  it('that a server lists are shown where they are over, and else cancelled or waited for', async () => {
    const server = Object.assign(
      serverWith([listed('t1', { status: 'completed' }), listed('t2', { status: 'working' })]),
      { followTask: async () => result().result },
    );
    const { nodes } = await rowsOf(server);
    await tasks.showResult(byUser(), nodes[0]);
    assert.deepEqual(
      shown.map(({ outcome }) => outcome.kind),
      ['result'],
    );
    await tasks.cancel(nodes[1]);
    assert.deepEqual(cancelled, ['t2']);
    await tasks.showResult(byUser(), nodes[1]);
    await new Promise(setImmediate);
    assert.match((await rowsOf(server)).texts.join(), /task t2: Completed/);
  });

  it('are shown whole, as their server describes them then', async () => {
    const server = Object.assign(serverWith([listed('t/1', { status: 'working' })]), {
      sendRequest: async (method: string, params: object) => ({ method, ...params, own: '\u202e' }),
    });
    const { nodes } = await rowsOf(server);
    await tasks.showTask(byUser(), nodes[0]);
    const [{ name, text, readOnly } = assert.fail()] = documents;
    assert.deepEqual([name, readOnly], ['t/1.json', true]);
    assert.match(text, /"method": "tasks\/get",\n {2}"taskId": "t\/1",\n {2}"own": /);
    assert.doesNotMatch(text, /\u202e/);
  });

  it('are forgotten with their server, with its row, but for those under way', async () => {
    const server = serverWith([]);
    const over = begin(server, 't1');
    over.ended.resolve(result());
    await over.outcome;
    begin(server, 't2');
    await new Promise(setImmediate);
    const before = sectionOf(server);
    assert.equal((await rowsOf(server)).texts.length, 2);
    tasks.forget(server.id);
    assert.notEqual(sectionOf(server), before);
    assert.deepEqual((await rowsOf(server)).texts.length, 1);
  });

  it('say why they cannot be listed, and are not asked for again until they are refreshed', async () => {
    const server = Object.assign(serverWith([]), {
      listTasks: () => {
        asked += 1;
        return Promise.reject(new Error('The disk is full'));
      },
    });
    await rowsOf(server);
    assert.deepEqual((await rowsOf(server)).texts, ['The disk is full']);
    assert.equal(asked, 1);
  });
});
