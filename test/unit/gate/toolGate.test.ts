import assert from 'node:assert/strict';
import { PendingWork, deferred } from '../../../src/base/async';
import { TaskLeftError } from '../../../src/mcp/session/tasks/followTask';
import { until } from '../../support/until';
import { CancelledError, UserError } from '../../../src/base/errors';
import { inEnglish } from '../../../src/base/translate';
import { silentLogger } from '../../../src/base/log';
import type { AuditLog, AuditRecord } from '../../../src/audit/auditLog';
import type { CallToolResult, JsonObject } from '../../../src/mcp/protocol/types';
import {
  readResourceTool,
  type CallInView,
  type CallOrigin,
  type RunToolOptions,
  type ToolCall,
} from '../../../src/contracts/toolCalls';
import { Approvals } from '../../../src/gate/decide/approvals';
import { createCallAudit } from '../../../src/audit/callAudit';
import { toolIdentity } from '../../../src/mcp/serverIdentity';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
import { logSessions } from '../../../src/audit/logSessions';
import type { CallLimit } from '../../../src/gate/decide/decide';
import type { ToolPolicy } from '../../../src/gate/decide/policy';
import {
  canBeRemembered,
  type Answer,
  type CallQuestion,
} from '../../../src/gate/ask/callQuestion';
import { RecentCalls } from '../../../src/gate/recentCalls';
import { ToolGate } from '../../../src/gate/toolGate';
import { schemaCheck } from '../../support/schemaChecks';
import { createMementoOf } from '../../support/fakes/memento';
import {
  maxOpenCalls,
  maxOpenTasks,
  OpenCalls,
  OpenTasks,
  WindowClosedError,
} from '../../../src/gate/send/openTasks';
import { deepJson, tooDeep } from '../../support/fakes/deepJson';
import { fakeServer, fakeServers, tool, type FakeServer } from '../../support/fakes/fakeServer';
import type { SchemaCheck } from '../../../src/mcp/schema/jsonSchema';
import type { Tracing } from '../../../src/base/tracing';
import { byUser, type UserAction } from '../../../src/ui/questions/question';
import type { RequestOptions } from '../../../src/mcp/session/session';
import { recordingTracer } from '../../support/fakes/recordingTracer';
import { keepRedacted, memoryLog } from '../audit/memoryLog';

const denyList = { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } as const;
/** The arguments that were checked, in all gates. */
const checked: unknown[] = [];
const thread = schemaCheck();
const schemas: SchemaCheck = {
  ...thread,
  check: (schema, value, property) => {
    checked.push(value);
    return thread.check(schema, value, property);
  },
};
const chat: CallOrigin = { kind: 'chat', conversation: 'talk', answer: 'first' };

/** Creates a gate whose questions are answered with `answers` in turn; records what it asked, sent and wrote. */
function createGate(
  server: FakeServer,
  answers: (Answer | ((question: CallQuestion) => Answer))[],
  tracing?: Tracing,
) {
  const asked: CallQuestion[] = [];
  const sent: { name: string; args: JsonObject; recorded: number }[] = [];
  const records: AuditRecord[] = [];
  const made: ToolCall[] = [];
  const rules: {
    policy: Partial<ToolPolicy>;
    own: boolean;
    onWrite?: (record: AuditRecord) => void;
  } = { policy: {}, own: true };
  const log: AuditLog = {
    ...memoryLog(records),
    write: async (record) => {
      rules.onWrite?.(record);
      records.push(record);
    },
  };
  const call = server.options.call;
  server.options.call = (name, args, options) => {
    sent.push({ name, args, recorded: records.length });
    return call(name, args, options);
  };
  let turn: Promise<unknown> = Promise.resolve();
  const store = { get: () => undefined, update: () => Promise.resolve() };
  const approvals = new Approvals({ workspace: store, always: store });
  const tasks = new OpenTasks(createMementoOf());
  const openCalls = new OpenCalls(createMementoOf(), 'window');
  const recentCalls = new RecentCalls();
  const gate = new ToolGate({
    facts: {
      servers: fakeServers(server),
      approvals,
      policy: (): ToolPolicy => ({
        servers: {},
        deny: [],
        ask: [],
        trustReadOnlyHint: [],
        maxCalls: { minute: 100, answer: 100 },
        taint: 'off',
        ...rules.policy,
      }),
      configuration: { isOwn: () => rules.own },
      schemas,
      log: silentLogger,
    },
    questions: {
      ask(question) {
        // One question at a time, as in the product.
        const settle = async () => {
          if (!(await question.isOpen())) return { kind: 'ruled' } as const;
          asked.push(question);
          const answer = answers.shift() ?? { kind: 'deny' };
          return question.settle(typeof answer === 'function' ? answer(question) : answer);
        };
        const settled = turn.then(settle);
        turn = settled;
        return settled.then((answer) => ({ kind: 'answered', answer, how: 'click' }));
      },
    },
    audit: createCallAudit(log, keepRedacted),
    pending: new PendingWork(),
    running: { track: (_call, options, work) => work(options) },
    tasks,
    openCalls,
    recentCalls,
    tracing,
  });
  gate.onDidSend(({ call: began }) => void made.push(began));
  const propose = (
    part: Partial<ToolCall> = {},
    signal = new AbortController().signal,
    onBack: RunToolOptions['onBack'] = () => assert.fail('went back'),
    inView?: CallInView,
  ) => {
    const [first] = server.tools.items;
    assert.ok(first);
    return gate.run(
      { server, tool: first, arguments: {}, origin: chat, ...part },
      { signal, onBack, inView },
    );
  };
  /** Returns the recorded decisions. */
  const decisions = () =>
    records.flatMap((record) => {
      if (record.kind !== 'callBegun') return [];
      const { decision, decidedBy, reason } = record;
      return [{ decision, decidedBy, ...(reason !== undefined && { reason }) }];
    });
  return { propose, asked, sent, made, records, rules, decisions, tasks, openCalls, recentCalls };
}

const once = ({ call }: CallQuestion): Answer => ({ kind: 'allow', arguments: call.arguments });
const forSession = ({ call }: CallQuestion): Answer => ({
  kind: 'allow',
  arguments: call.arguments,
  remember: { duration: 'session', coverage: 'tool' },
});

describe('A call in traces', () => {
  it('is one span from the wish to the end, which its question and its request are parts of', async () => {
    const { tracer, spans } = recordingTracer();
    let sent: RequestOptions | undefined;
    const server = fakeServer({
      call: (_name, _args, options) => {
        sent = options;
        return Promise.resolve({ content: [], isError: true });
      },
    });
    const gate = createGate(server, [once, { kind: 'deny' }], () => tracer);
    await gate.propose();
    const [call] = spans;
    assert.ok(call);
    const [first] = server.tools.items;
    assert.deepEqual(
      [call.name, call.kind, call.attributes['mcp_workbench.origin']],
      [`mcp_workbench.call ${first?.name}`, 'internal', 'chat'],
    );
    assert.equal(gate.asked[0]?.call.span, call.context);
    assert.equal(sent?.span, call.context);
    await until(() => call.ended !== undefined);
    assert.deepEqual(call.ended, {
      error: 'tool_error',
      attributes: { 'mcp_workbench.outcome': 'result' },
    });
    await gate.propose();
    await until(() => spans[1]?.ended !== undefined);
    assert.equal(spans[1]?.ended?.error, 'denied');
  });

  it('leaves no trace while they are off', async () => {
    const gate = createGate(fakeServer({}), [once], () => undefined);
    await gate.propose();
    assert.equal(gate.asked[0]?.call.span, undefined);
  });
});

describe('A call that its server answers with an error of the protocol', () => {
  it('is found by its row of the log, with the code of the error', async () => {
    const call = () => Promise.reject(new RpcError(-32011, 'no'));
    const gate = createGate(fakeServer({ call }), [once]);
    await gate.propose();
    const [entry] = logSessions(gate.records).flatMap(({ entries }) => entries);
    assert.ok(entry);
    assert.deepEqual(gate.recentCalls.find(entry)?.answer, { kind: 'error', code: -32011 });
  });
});

describe('A call that its server makes a task of', () => {
  const task = { id: 't1', startedAt: 5 };
  const made = (end: Promise<CallToolResult>) => {
    const server = fakeServer({
      call: (_name, _args, options) => {
        options?.onTask?.(task);
        return end;
      },
    });
    return createGate(server, [once]);
  };
  const begun = async (gate: ReturnType<typeof createGate>) => {
    await until(() => gate.tasks.all.length > 0);
    return gate.tasks.all[0];
  };

  it('is kept with the server it is of until it ends', async () => {
    const end = deferred<CallToolResult>();
    const gate = made(end.promise);
    const outcome = gate.propose();
    const open = await begun(gate);
    const record = gate.records.find(({ kind }) => kind === 'callBegun');
    assert.deepEqual(open, {
      id: record?.kind === 'callBegun' && record.id,
      serverId: 'demo',
      launchFingerprint: record?.kind === 'callBegun' && record.launchFingerprint,
      tool: 'tool',
      task,
    });
    end.resolve({ content: [], isError: false });
    assert.equal((await outcome).kind, 'result');
    assert.deepEqual(gate.tasks.all, []);
  });

  for (const [how, isForgotten, kept, ends] of [
    ['left by its window', false, 1, 0],
    ['forgotten', true, 0, 1],
  ] as const)
    it(`is ${isForgotten ? 'not ' : ''}kept where it is ${how}`, async () => {
      const end = deferred<CallToolResult>();
      const gate = made(end.promise);
      const abort = new AbortController();
      const outcome = gate.propose({}, abort.signal);
      await begun(gate);
      abort.abort(new TaskLeftError(isForgotten));
      end.reject(abort.signal.reason);
      assert.equal((await outcome).kind, isForgotten ? 'failed' : 'cancelled');
      assert.equal(gate.tasks.all.length, kept);
      assert.equal(gate.records.filter(({ kind }) => kind === 'callEnded').length, ends);
    });
});

describe('The calls that are kept until they end', () => {
  const kept = [
    { id: 'a', window: 'one', server: 'demo', tool: 'echo' },
    { id: 'b', window: 'two', server: 'demo', tool: 'echo' },
  ];

  it('are lost where their own window left them, which is said once', () => {
    const store = createMementoOf([null, { id: 'c' }, ...kept]);
    const calls = new OpenCalls(store, 'one');
    assert.deepEqual([calls.takeLost(), calls.takeLost()], [[kept[0]], []]);
    assert.deepEqual(new OpenCalls(store, 'two').takeLost(), [kept[1]]);
  });

  it('are a hundred at most, the latest', () => {
    const store = createMementoOf();
    const call = { server: fakeServer(), tool: tool(), arguments: {}, origin: chat };
    for (let index = 0; index <= maxOpenCalls; index += 1)
      new OpenCalls(store, 'one').keep(String(index), call);
    const lost = new OpenCalls(store, 'one').takeLost();
    assert.deepEqual([lost.length, lost[0]?.id], [maxOpenCalls, '1']);
  });

  for (const [what, reason, left, ends] of [
    ['left to the next window, when theirs closes', new WindowClosedError(), 1, 0],
    ['over when they are cancelled', new CancelledError(), 0, 1],
    ['left to no window, when they are followed as a task', new TaskLeftError(false), 0, 0],
  ] as const)
    it(`are ${what}`, async () => {
      const end = deferred<CallToolResult>();
      const server = fakeServer({
        call: (_name, _args, options) => {
          if (reason instanceof TaskLeftError) options?.onTask?.({ id: 't', startedAt: 1 });
          return end.promise;
        },
      });
      const gate = createGate(server, [once]);
      const abort = new AbortController();
      const outcome = gate.propose({}, abort.signal);
      await until(() => gate.sent.length === 1);
      abort.abort(reason);
      end.reject(reason);
      assert.equal((await outcome).kind, 'cancelled');
      assert.equal(gate.records.filter(({ kind }) => kind === 'callEnded').length, ends);
      assert.equal(gate.openCalls.takeLost().length, left);
    });
});

describe('A call whose server is still being started', () => {
  for (const [what, reason] of [
    ['its window closes', new WindowClosedError()],
    ['it is cancelled', new CancelledError()],
  ] as const)
    it(`is not lost, and neither counts nor stays open in the log, where ${what}`, async () => {
      const started = deferred<void>();
      const server = fakeServer({});
      const callTool = server.callTool.bind(server);
      let reached = 0;
      server.callTool = async (...given) => {
        reached += 1;
        await started.promise;
        return callTool(...given);
      };
      const gate = createGate(server, [once, once]);
      gate.rules.policy = { maxCalls: { minute: 1, answer: 1 } };
      const abort = new AbortController();
      const outcome = gate.propose({}, abort.signal);
      await until(() => reached === 1);
      abort.abort(reason);
      assert.deepEqual(gate.openCalls.takeLost(), []);
      started.resolve();
      assert.equal((await outcome).kind, 'cancelled');
      assert.deepEqual([gate.sent, gate.openCalls.takeLost()], [[], []]);
      assert.equal(gate.records.filter(({ kind }) => kind === 'callEnded').length, 1);
      assert.equal((await gate.propose()).kind, 'result');
      assert.deepEqual(
        gate.asked.map(({ concerns }) => concerns.some(({ kind }) => kind === 'over')),
        [false, false],
      );
    });
});

describe('The tasks that are kept', () => {
  const open = { id: 'a', serverId: 's', launchFingerprint: 'f', tool: 't' };
  const good = { ...open, task: { id: 't1', startedAt: 1 } };

  it('are those that make sense', () => {
    const bad = [null, 'x', {}, open, { ...good, task: { id: 1 } }, { ...good, tool: undefined }];
    assert.deepEqual(new OpenTasks(createMementoOf([...bad, good])).all, [good]);
    assert.deepEqual(new OpenTasks(createMementoOf('x')).all, []);
  });

  it('are a hundred at most, the latest', async () => {
    const server = fakeServer();
    const tasks = new OpenTasks(createMementoOf());
    const call = {
      server,
      tool: tool(),
      arguments: {},
      origin: { kind: 'user', action: undefined },
    } as const;
    for (let index = 0; index <= maxOpenTasks; index += 1)
      await tasks.keep({ id: String(index), call, task: good.task });
    assert.equal(tasks.all.length, maxOpenTasks);
    assert.equal(tasks.all[0]?.id, '1');
  });
});

describe('A call that the user ran with all of it in view', () => {
  const shown = tool({
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  });
  const user = { kind: 'user', action: undefined } as const;
  type Made = ReturnType<typeof createGate>;
  type Meanwhile = (gate: Made, server: FakeServer) => Partial<ToolCall> | void;
  /** Runs `path` of what the page shows; what `meanwhile` returns is called in its place. */
  async function run(meanwhile: Meanwhile, path = 'x', of = shown) {
    const server = fakeServer({ tools: [of], args: ['one'], instructions: 'Be kind.' });
    const gate = createGate(server, [once]);
    const args = { path };
    const identity = await toolIdentity(server, of);
    const inView = { server, arguments: args, identity } as unknown as CallInView;
    const other = meanwhile(gate, server) ?? {};
    const call = { arguments: { ...args }, origin: user, ...other };
    return { gate, outcome: await gate.propose(call, undefined, undefined, inView) };
  }

  const unasked: readonly [what: string, meanwhile: Meanwhile][] = [
    ['as nothing speaks against it', () => {}],
    [
      'as what the server says at its start is not run',
      (_, { options }) => void (options.instructions = 'Be brief.'),
    ],
  ];
  for (const [what, meanwhile] of unasked)
    it(`is sent at once and logged as allowed by the user, ${what}`, async () => {
      const { gate, outcome } = await run(meanwhile);
      assert.equal(outcome.kind, 'result');
      assert.deepEqual(gate.asked, []);
      assert.deepEqual(gate.decisions(), [{ decision: 'allowed', decidedBy: { kind: 'user' } }]);
      assert.deepEqual(
        gate.sent.map(({ args }) => args),
        [{ path: 'x' }],
      );
    });

  it('is logged as what was decided on, for which nothing is resolved again', async () => {
    const server = fakeServer({ tools: [shown] });
    const identity = await toolIdentity(server, shown);
    let resolved = 0;
    const fingerprint = await server.launchFingerprint();
    Object.assign(server, {
      launchFingerprint: () => {
        resolved += 1;
        return Promise.resolve(fingerprint);
      },
    });
    const gate = createGate(server, [once]);
    const args = { path: 'x' };
    const inView = { server, arguments: args, identity } as unknown as CallInView;
    await gate.propose(
      { arguments: args, origin: user, tool: shown },
      undefined,
      undefined,
      inView,
    );
    assert.equal(gate.sent.length, 1);
    assert.equal(resolved, 1);
  });

  it('is sent at once where only an approval is of what the tool was before', async () => {
    const server = fakeServer({ tools: [says('before')] });
    const gate = createGate(server, [forSession]);
    await gate.propose({ tool: says('before') });
    server.options.tools = [shown];
    const args = { path: 'x' };
    const inView = { server, arguments: args, identity: await toolIdentity(server, shown) };
    const call = { tool: shown, arguments: args, origin: user };
    const mark = inView as unknown as CallInView;
    assert.equal((await gate.propose(call, undefined, undefined, mark)).kind, 'result');
    assert.deepEqual([gate.asked.length, gate.sent.length], [1, 2]);
  });

  const says = (description: string) => tool({ ...shown, description });
  const deletes = tool({ ...shown, annotations: { destructiveHint: true } });
  const asked: readonly [what: string, concerns: readonly string[], ...Parameters<typeof run>][] = [
    ['a model makes it', [], () => ({ origin: chat })],
    [
      'an app makes it',
      [],
      () => ({ origin: { kind: 'app', uri: 'ui://a', fingerprint: 'f', canChange: false } }),
    ],
    ['it has other arguments', [], () => ({ arguments: { path: 'y' } })],
    ['it has one argument more', [], () => ({ arguments: { path: 'x', more: 1 } })],
    [
      'it is of another server',
      [],
      () => ({ server: fakeServer({ tools: [shown], args: ['one'] }) }),
    ],
    [
      'it is of another tool',
      [],
      (_, { options }) => {
        const second = tool({ ...shown, name: 'second' });
        options.tools = [shown, second];
        return { tool: second };
      },
    ],
    [
      'its tool has changed',
      ['changed'],
      (_, { options }) => void (options.tools = [says('other')]),
    ],
    ['its launch has changed', ['changed'], (_, { options }) => void (options.args = ['two'])],
    [
      'a rule asks about it each time',
      ['askList'],
      ({ rules }) => void (rules.policy = { ask: ['demo/*'] }),
    ],
    [
      'the server lists no such tool',
      ['unlisted'],
      (_, { options }) => {
        options.tools = [says('a'), tool({ name: 'other' })].slice(1);
        return { tool: shown, mayBeUnlisted: true };
      },
    ],
    [
      'its arguments do not fit',
      ['arguments'],
      () => {},
      'x',
      tool({ inputSchema: { type: 'object', required: ['more'] } }),
    ],
    ['its tool is said to delete', [], () => {}, 'x', deletes],
    ['its arguments have hidden characters', [], () => {}, 'a\u202eb'],
  ];
  for (const [what, concerns, ...made] of asked)
    it(`is asked about as ever if ${what}`, async () => {
      const { gate } = await run(...made);
      assert.deepEqual(
        gate.asked.map((question) => question.concerns.map(({ kind }) => kind)),
        [concerns],
      );
    });

  const denied: readonly [what: string, policy: Partial<ToolPolicy>][] = [
    ['the deny list', { deny: ['demo/*'] }],
    ['the policy of its server', { servers: { demo: 'deny' } }],
    ['an administrator', { forbids: 'all' }],
  ];
  for (const [what, policy] of denied)
    it(`is denied by ${what}`, async () => {
      const { gate, outcome } = await run(({ rules }) => void (rules.policy = policy));
      assert.equal(outcome.kind, 'denied');
      assert.deepEqual([gate.asked, gate.sent], [[], []]);
    });
});

describe('The gate', () => {
  const app: CallOrigin = {
    kind: 'app',
    uri: 'ui://demo/view',
    fingerprint: 'p',
    canChange: false,
  };
  const editor: CallOrigin = { kind: 'editor' };
  const user: CallOrigin = { kind: 'user', action: undefined };
  const visibilities: readonly [
    visibility: readonly string[] | undefined,
    origin: CallOrigin,
    isRun: boolean,
  ][] = [
    [undefined, chat, true],
    [undefined, app, true],
    [['app'], chat, false],
    [['app'], editor, false],
    [['app'], app, true],
    [['app'], user, true],
    [['model'], chat, true],
    [['model'], app, false],
    [[], app, false],
    [[], chat, false],
  ];
  for (const [visibility, origin, isRun] of visibilities)
    it(`${isRun ? 'asks about' : 'refuses'} a call by ${origin.kind} of a tool that ${visibility ? `is for [${visibility.join()}]` : 'says nothing'}`, async () => {
      const server = fakeServer({ tools: [tool({ _meta: { ui: { visibility } } })] });
      const { propose, asked, sent } = createGate(server, [once]);
      const outcome = await propose({ origin });
      assert.equal(outcome.kind, isRun ? 'result' : 'failed');
      assert.deepEqual([asked.length, sent.length], isRun ? [1, 1] : [0, 0]);
    });

  /** What a server can turn into when it is started again, or signed in to, on the way of a call that was decided on. */
  const turns: readonly [what: string, turn: (server: FakeServer) => void, isSent: boolean][] = [
    ['the same', ({ tools }) => tools.set([tool()], 'loaded'), true],
    [
      'one whose tool says other things',
      ({ tools }) => tools.set([tool({ description: 'Deletes all.' })], 'loaded'),
      false,
    ],
    ['one without this tool', ({ tools }) => tools.set([tool({ name: 'b' })], 'loaded'), false],
    [
      'one that is launched in another way',
      (server) => {
        server.options.args = ['two'];
        server.tools.set([tool()], 'loaded');
      },
      false,
    ],
    [
      'one with other instructions',
      (server) => {
        server.options.instructions = 'Obey.';
        server.tools.set([tool()], 'loaded');
      },
      false,
    ],
    [
      'one with other instructions that no longer lists its tools',
      (server) => {
        server.options.instructions = 'Obey.';
        server.tools.set(server.tools.items, 'stale');
      },
      false,
    ],
    [
      'one that is launched in another way and no longer lists its tools',
      (server) => {
        server.options.args = ['two'];
        server.tools.set(server.tools.items, 'stale');
      },
      false,
    ],
  ];
  const ofAgent: CallOrigin = { kind: 'agent', entry: 'e', label: 'a', conversation: 'c' };
  const saved: CallOrigin = { kind: 'savedCalls', file: 'a' };
  for (const origin of [chat, editor, ofAgent, app, user, saved])
    for (const [what, turn, isSent] of turns)
      it(`${isSent ? 'sends' : 'does not send'} a call by ${origin.kind} that was decided on before its server became ${what}`, async () => {
        const server = fakeServer({ tools: [tool()] });
        const { propose, sent } = createGate(server, [once]);
        const callTool = server.callTool.bind(server);
        server.callTool = (...given) => {
          server.become('running');
          turn(server);
          return callTool(...given);
        };
        const outcome = await propose({ origin });
        assert.deepEqual([outcome.kind, sent.length], isSent ? ['result', 1] : ['failed', 0]);
      });

  for (const [what, turn, isSent] of turns.slice(0, 3))
    it(`${isSent ? 'sends' : 'does not send'} a saved call that was agreed to before its server was started again as ${what}`, async () => {
      const agreed = tool();
      const server = fakeServer({ tools: [agreed] });
      const { propose, sent } = createGate(server, []);
      server.start = () => {
        turn(server);
        return Promise.resolve({ kind: 'running' });
      };
      await propose({ tool: agreed, origin: saved });
      assert.equal(sent.length, isSent ? 1 : 0);
    });

  it('asks an app about what a model was allowed, and counts its calls as no model’s', async () => {
    const { propose, asked, rules } = createGate(fakeServer(), [forSession, once, forSession]);
    rules.policy = { maxCalls: { minute: 2, answer: 100 } };
    for (const origin of [chat, app, app, app, app, chat]) await propose({ origin });
    assert.deepEqual(
      asked.map(({ call }) => call.origin.kind),
      ['chat', 'app', 'app'],
    );
  });

  for (const outputSchema of [
    undefined,
    { type: 'array' },
    { $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
  ])
    it(`passes on a result that is nested deeper than a stack: ${JSON.stringify(outputSchema)}`, async () => {
      const structuredContent = deepJson();
      const call = async () => ({ content: [], structuredContent, isError: false });
      const server = fakeServer({ tools: [tool({ ...(outputSchema && { outputSchema }) })], call });
      const gate = createGate(server, [once]);
      const outcome = await gate.propose();
      assert.ok(
        outcome.kind === 'result',
        'message' in outcome ? outcome.message(inEnglish) : outcome.kind,
      );
      assert.equal(outcome.result.structuredContent, structuredContent);
      const ended = gate.records.find(({ kind }) => kind === 'callEnded');
      assert.ok(ended?.kind === 'callEnded' && (ended.resultBytes ?? 0) > 200_000);
    });

  it('refuses arguments that are nested deeper than anybody could look at', async () => {
    const gate = createGate(fakeServer(), [once]);
    const outcome = await gate.propose({ arguments: { a: deepJson() as JsonObject } });
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message(inEnglish), tooDeep);
    assert.deepEqual([gate.asked, gate.sent], [[], []]);
  });

  for (const [what, args] of [
    ['too long', { text: `x${' '.repeat(1_000_000)}rm -rf ~` }],
    ['too long once its hidden characters are made visible', { text: '\u200B'.repeat(130_000) }],
    ['nested too deep for a document', { a: deepJson(200) as JsonObject }],
  ] as const)
    it(`asks about no argument of a model that is ${what}, as the user could not see all of it`, async () => {
      const server = fakeServer();
      const gate = createGate(server, [once, once]);
      const outcome = await gate.propose({ arguments: args });
      assert.ok(outcome.kind === 'failed');
      assert.match(outcome.message(inEnglish), /to be shown to the user in full/);
      assert.deepEqual([gate.asked, gate.sent], [[], []]);
      assert.deepEqual(gate.decisions(), [{ decision: 'refused', decidedBy: { kind: 'client' } }]);
      gate.rules.policy = { servers: { [server.id]: 'allow' } };
      assert.equal((await gate.propose({ arguments: args })).kind, 'result');
    });

  for (const [what, name, isCalled] of [
    ['a tool that it leaves out', 'other', false],
    ['a tool that it names', 'named', true],
    ['the reading of a resource', readResourceTool.name, true],
  ] as const)
    it(`${isCalled ? 'lets' : 'does not let'} a list of tools in the server’s entry decide over ${what}`, async () => {
      const server = fakeServer({ tools: [tool({ name: 'named' }), tool({ name: 'other' })] });
      server.options.toolFilter = { only: ['named'], never: [] };
      const gate = createGate(server, [once]);
      const called = name === readResourceTool.name ? readResourceTool : tool({ name });
      const outcome = await gate.propose({ tool: called, arguments: { uri: 'a:b' } });
      assert.equal(gate.asked.length, isCalled ? 1 : 0);
      if (isCalled) return;
      assert.deepEqual(outcome, { kind: 'denied', decidedBy: { kind: 'configuration' } });
    });

  it('words a failure in the language of whoever is told', async () => {
    const server = fakeServer({
      call: () => Promise.reject(new UserError((t) => t('Lost {0}.', 'it'))),
    });
    const outcome = await createGate(server, [once]).propose();
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.message(inEnglish), 'Lost it.');
    assert.equal(
      outcome.message((_message, what = '') => `失去 ${what}。`),
      '失去 it。',
    );
  });

  it('sends what was allowed, and asks the next time', async () => {
    const gate = createGate(fakeServer(), [once, once]);
    const outcome = await gate.propose({ arguments: { a: 1 } });
    assert.equal(outcome.kind, 'result');
    await gate.propose();
    assert.deepEqual(
      gate.sent.map(({ args }) => args),
      [{ a: 1 }, {}],
    );
    assert.equal(gate.asked.length, 2);
  });

  it('sends nothing that was denied, and passes the reason on', async () => {
    const gate = createGate(fakeServer(), [{ kind: 'deny', reason: 'Use the other file.' }]);
    assert.deepEqual(await gate.propose(), {
      kind: 'denied',
      decidedBy: { kind: 'user', how: 'click' },
      reason: 'Use the other file.',
    });
    assert.deepEqual(gate.sent, []);
  });

  it('does not ask again within a session that allows it', async () => {
    const gate = createGate(fakeServer(), [forSession]);
    await gate.propose();
    await gate.propose();
    assert.equal(gate.asked.length, 1);
    assert.equal(gate.sent.length, 2);
  });

  it('does not ask about calls that waited for an answer which covers them', async () => {
    const { propose, asked, sent, decisions } = createGate(fakeServer(), [once, forSession]);
    const outcomes = await Promise.all([propose(), propose(), propose(), propose()]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['result', 'result', 'result', 'result'],
    );
    assert.equal(asked.length, 2);
    assert.equal(sent.length, 4);
    assert.deepEqual(
      decisions().map(({ decidedBy }) => decidedBy.kind),
      ['user', 'user', 'approval', 'approval'],
    );
  });

  it('does not ask about a call that was forbidden while it waited', async () => {
    const gate = createGate(fakeServer(), [
      (question) => {
        gate.rules.policy = { deny: ['demo/tool'] };
        return once(question);
      },
    ]);
    const outcomes = await Promise.all([gate.propose(), gate.propose()]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['result', 'denied'],
    );
    assert.equal(gate.asked.length, 1);
  });

  it('sends exactly the edited arguments and says that they were edited', async () => {
    const gate = createGate(fakeServer(), [{ kind: 'allow', arguments: { a: 2 } }]);
    const outcome = await gate.propose({ arguments: { a: 1 } });
    assert.deepEqual(gate.sent[0]?.args, { a: 2 });
    assert.ok(outcome.kind === 'result' && outcome.edited);
    assert.deepEqual(outcome.arguments, { a: 2 });
  });

  const numbers = tool({
    inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  });

  it('gives a model back what does not fit the schema, unasked and unsent', async () => {
    const gate = createGate(fakeServer({ tools: [numbers] }), [once]);
    const outcome = await gate.propose({ arguments: { a: 'x' } });
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message(inEnglish), /"a": must be a number\.$/);
    assert.deepEqual([gate.asked, gate.sent], [[], []]);
  });

  it('goes on with what cannot be checked as if there were no schema, and says so to user and model', async () => {
    const inputSchema = { $ref: 'https://example.com/schema.json' };
    const gate = createGate(fakeServer({ tools: [tool({ inputSchema })] }), [once]);
    const outcome = await gate.propose({ arguments: { a: 'x' } });
    assert.deepEqual(gate.asked[0]?.concerns, [{ kind: 'unchecked', reason: 'reference' }]);
    assert.deepEqual(gate.sent[0]?.args, { a: 'x' });
    assert.ok(outcome.kind === 'result');
    assert.match(outcome.problems[0]?.(inEnglish) ?? '', /^The arguments were not checked: /);
  });

  const proposedArguments: JsonObject = { a: 1 };
  const editedArguments: JsonObject = { a: 2 };
  const foreignSchema = { $ref: 'https://example.com/schema.json' };
  for (const [what, given, inputSchema, expected] of [
    [
      'once if they are sent as they are',
      proposedArguments,
      numbers.inputSchema,
      [proposedArguments],
    ],
    [
      'again once edited',
      editedArguments,
      numbers.inputSchema,
      [proposedArguments, editedArguments],
    ],
    [
      'each time while they cannot be',
      proposedArguments,
      foreignSchema,
      [proposedArguments, proposedArguments, proposedArguments],
    ],
  ] as const)
    it(`has arguments checked ${what}`, async () => {
      checked.splice(0);
      const server = fakeServer({ tools: [tool({ inputSchema })] });
      const { propose } = createGate(server, [{ kind: 'allow', arguments: given }]);
      assert.equal((await propose({ arguments: proposedArguments })).kind, 'result');
      assert.deepEqual(checked, expected);
    });

  it('asks once more about edited arguments that do not fit, and then does as told', async () => {
    const by = byUser();
    const edit: Answer = { kind: 'allow', arguments: { a: 'x' }, by };
    const gate = createGate(fakeServer({ tools: [numbers] }), [edit, once]);
    await gate.propose({ arguments: { a: 1 } });
    assert.deepEqual(gate.asked[1]?.concerns, [
      { kind: 'arguments', problems: [{ path: ['a'], kind: 'type', types: ['number'] }] },
    ]);
    assert.deepEqual(gate.asked[1]?.proposed, { a: 1 });
    // A user who has just answered is asked the rest immediately, and the log says only once that the call waited.
    assert.deepEqual(
      gate.asked.map(({ asked }) => asked),
      [undefined, by],
    );
    assert.equal(gate.records.filter(({ kind }) => kind === 'callAsked').length, 1);
    assert.deepEqual(gate.sent[0]?.args, { a: 'x' });
  });

  it('asks again, with the difference, when the definition changes while the question stands', async () => {
    const server = fakeServer();
    const gate = createGate(server, [
      (question) => {
        server.options.tools = [tool({ description: 'Deletes everything' })];
        return once(question);
      },
      { kind: 'deny' },
    ]);
    await gate.propose();
    assert.deepEqual(gate.asked[1]?.concerns, [
      {
        kind: 'changed',
        changes: [{ part: 'description', before: '', after: 'Deletes everything' }],
      },
    ]);
    assert.deepEqual(gate.sent, []);
  });

  it('asks again, with the difference, when the definition changed since it was allowed', async () => {
    const server = fakeServer();
    const gate = createGate(server, [forSession, { kind: 'deny' }]);
    await gate.propose();
    server.options.tools = [tool({ description: 'Deletes everything' })];
    assert.equal((await gate.propose()).kind, 'denied');
    assert.equal(gate.asked[1]?.concerns[0]?.kind, 'changed');
    assert.equal(gate.sent.length, 1);
  });

  it('asks again for a session’s allowance once the conversation is tainted, and once only', async () => {
    const gate = createGate(fakeServer(), [forSession, forSession]);
    gate.rules.policy = { taint: 'assumed' };
    await gate.propose();
    await gate.propose();
    await gate.propose();
    assert.deepEqual(
      gate.asked.map(({ concerns }) => concerns),
      [[], [{ kind: 'tainted' }]],
    );
    assert.equal(gate.sent.length, 3);
  });

  it('asks again for a session’s approval after a result of another server, whatever that says of its tool', async () => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const other = fakeServer({ id: 'other', tools: [tool({ name: 'other', annotations })] });
    const [otherTool] = other.tools.items;
    assert.ok(otherTool);
    const gate = createGate(fakeServer(), [forSession, once, once]);
    gate.rules.policy = { taint: 'otherServers' };
    await gate.propose();
    await gate.propose();
    await gate.propose({ server: other, tool: otherTool });
    await gate.propose();
    assert.deepEqual(
      gate.asked.map(({ call, concerns }) => [call.server.id, concerns]),
      [
        ['demo', []],
        ['other', []],
        ['demo', [{ kind: 'tainted' }]],
      ],
    );
  });

  const answers: readonly [
    what: string,
    call: FakeServer['options']['call'],
    untrustedConversations: boolean,
  ][] = [
    [
      'a result that is an error',
      () => Promise.resolve({ content: [{ type: 'text', text: 'No.' }], isError: true }),
      true,
    ],
    ['the message of a failure', () => Promise.reject(new UserError('From a page.')), true],
    ['nothing of a cancelled call', () => Promise.reject(new CancelledError()), false],
  ];
  for (const [what, call, untrustedConversations] of answers)
    it(`takes ${what} for text from outside`, async () => {
      const gate = createGate(fakeServer({ call }), [forSession, once]);
      gate.rules.policy = { taint: 'assumed' };
      await gate.propose();
      await gate.propose();
      assert.deepEqual(
        gate.asked[1]?.concerns,
        untrustedConversations ? [{ kind: 'tainted' }] : undefined,
      );
    });

  it('denies by the deny list without asking', async () => {
    const gate = createGate(fakeServer(), [once]);
    gate.rules.policy = { deny: ['demo/*'] };
    assert.deepEqual(await gate.propose(), { kind: 'denied', decidedBy: denyList });
    assert.deepEqual([gate.asked, gate.sent], [[], []]);
  });

  it('asks each time by the ask list, and remembers nothing', async () => {
    const gate = createGate(fakeServer(), [forSession, once]);
    await gate.propose();
    gate.rules.policy = { ask: ['demo/*'] };
    await gate.propose();
    assert.deepEqual(
      gate.asked.map(({ concerns }) => concerns),
      [[], [{ kind: 'askList' }]],
    );
    assert.equal(gate.sent.length, 2);
  });

  it('denies to models what an administrator keeps from them, and not to the user', async () => {
    const gate = createGate(fakeServer(), [once]);
    gate.rules.policy = { forbids: 'models' };
    const decidedBy = { kind: 'rule', setting: 'chat.extensionTools.enabled' };
    assert.deepEqual(await gate.propose(), { kind: 'denied', decidedBy });
    assert.deepEqual([gate.asked, gate.sent], [[], []]);
    await gate.propose({ origin: { kind: 'user', action: undefined } });
    assert.equal(gate.sent.length, 1);
  });

  it('denies to everybody what an administrator wants and cannot have', async () => {
    const gate = createGate(fakeServer(), [once]);
    gate.rules.policy = { forbids: 'all', servers: { demo: 'allow' } };
    const decidedBy = { kind: 'administrator' };
    for (const origin of [undefined, { kind: 'user' as const, action: undefined }])
      assert.deepEqual(await gate.propose(origin && { origin }), { kind: 'denied', decidedBy });
    assert.deepEqual([gate.asked, gate.sent], [[], []]);
  });

  it('lets a policy allow only servers of the user’s own', async () => {
    const gate = createGate(fakeServer(), []);
    gate.rules.policy = { servers: { demo: 'allow' } };
    assert.equal((await gate.propose()).kind, 'result');
    gate.rules.own = false;
    assert.equal((await gate.propose()).kind, 'denied');
    assert.equal(gate.asked.length, 1);
  });

  it('asks about each call of a model above the limit, not about a user’s', async () => {
    const gate = createGate(fakeServer(), [forSession, { kind: 'deny' }]);
    gate.rules.policy = { maxCalls: { minute: 100, answer: 2 } };
    await gate.propose();
    await gate.propose();
    assert.equal((await gate.propose()).kind, 'denied');
    assert.deepEqual(gate.asked[1]?.concerns, [{ kind: 'over', limit: 'answer' }]);
    const other = await gate.propose({ origin: { ...chat, answer: 'second' } });
    assert.equal(other.kind, 'result');
    assert.equal(
      (await gate.propose({ origin: { kind: 'user', action: undefined } })).kind,
      'result',
    );
  });

  const maxima: Readonly<Record<CallLimit, (max: number) => Partial<ToolPolicy>>> = {
    minute: (max) => ({ maxCalls: { minute: max, answer: 100 } }),
    answer: (max) => ({ maxCalls: { minute: 100, answer: max } }),
  };
  for (const [limit, policyOf] of Object.entries(maxima)) {
    it(`asks about parallel calls above the limit per ${limit}`, async () => {
      const gate = createGate(fakeServer(), [forSession]);
      gate.rules.policy = policyOf(3);
      await gate.propose();
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => gate.propose()));
      assert.equal(outcomes.filter(({ kind }) => kind === 'denied').length, 8);
      assert.deepEqual([gate.sent.length, gate.asked.length], [3, 9]);
    });

    it(`asks about the calls of each kind of model where none are free per ${limit}`, async () => {
      const gate = createGate(fakeServer(), [{ kind: 'deny' }, { kind: 'deny' }, { kind: 'deny' }]);
      gate.rules.policy = { servers: { demo: 'allow' }, ...policyOf(0) };
      const agent = { kind: 'agent', entry: 'a', label: 'A', conversation: 'a' } as const;
      for (const origin of [chat, { kind: 'editor' } as const, agent])
        assert.equal((await gate.propose({ origin })).kind, 'denied');
      assert.deepEqual(
        gate.asked.map(({ concerns }) => concerns),
        Array.from({ length: 3 }, () => [{ kind: 'over', limit }]),
      );
    });
  }

  for (const [what, decided] of [
    [
      'could not be written down',
      () => {
        throw new Error('The disk is full.');
      },
    ],
    ['was cancelled before it was sent', (stop: AbortController) => stop.abort()],
  ] as const)
    it(`does not count a call that ${what}`, async () => {
      const gate = createGate(fakeServer(), []);
      gate.rules.policy = { servers: { demo: 'allow' }, maxCalls: { minute: 1, answer: 100 } };
      const stop = new AbortController();
      gate.rules.onWrite = ({ kind }) => {
        if (kind === 'callBegun') decided(stop);
      };
      await gate.propose({}, stop.signal);
      delete gate.rules.onWrite;
      assert.equal((await gate.propose()).kind, 'result');
      assert.equal((await gate.propose()).kind, 'denied');
    });

  it('sends what a user wrote into `_meta`', async () => {
    const metas: unknown[] = [];
    const call: FakeServer['options']['call'] = async (_name, _args, options) => {
      metas.push(options?.meta);
      return { content: [], isError: false };
    };
    const gate = createGate(fakeServer({ call }), [once]);
    const meta = { 'example.org/trace': 't1' };
    await gate.propose({ origin: { kind: 'user', action: undefined }, meta });
    assert.deepEqual(metas, [meta]);
    const begun = gate.records.find(({ kind }) => kind === 'callBegun');
    assert.deepEqual(begun && 'meta' in begun && begun.meta, { value: meta });
    assert.deepEqual(gate.asked[0]?.call.meta, meta);
  });

  it('writes a call down before it is sent, and its end after', async () => {
    const gate = createGate(fakeServer(), [once]);
    await gate.propose({ arguments: { path: 'x', password: 'hunter2' } });
    assert.equal(gate.sent[0]?.recorded, 2);
    const [asked, begun, ended] = gate.records;
    assert.ok(asked?.kind === 'callAsked' && begun?.kind === 'callBegun');
    assert.ok(ended?.kind === 'callEnded');
    assert.deepEqual([asked.id, ended.id], [begun.id, begun.id]);
    assert.equal(begun.decision, 'allowed');
    assert.deepEqual(begun.decidedBy, { kind: 'user', how: 'click' });
    assert.deepEqual(begun.arguments, { value: { path: 'x', password: '‹redacted›' } });
    assert.equal(ended.outcome, 'result');
    assert.ok(ended.resultBytes);
  });

  it('gives and writes down a result that is nested without end', async () => {
    let structuredContent: unknown = 1;
    for (let i = 0; i < 50_000; i += 1) structuredContent = [structuredContent];
    const call = () => Promise.resolve({ content: [], isError: false, structuredContent });
    const gate = createGate(fakeServer({ call }), [once]);
    assert.equal((await gate.propose()).kind, 'result');
    const ended = gate.records.at(-1);
    assert.equal(ended?.kind === 'callEnded' ? ended.outcome : undefined, 'result');
    assert.ok(ended?.kind === 'callEnded' && (ended.resultBytes ?? 0) > 100_000);
  });

  it('writes down what was denied, by whom and why', async () => {
    const gate = createGate(fakeServer(), [{ kind: 'deny', reason: 'No.' }]);
    await gate.propose();
    assert.deepEqual(gate.decisions(), [
      { decision: 'denied', decidedBy: { kind: 'user', how: 'click' }, reason: 'No.' },
    ]);
    assert.equal(gate.records.at(-1)?.kind, 'callBegun');
  });

  it('withdraws a call that was cancelled while the question stood, which nobody decided', async () => {
    const controller = new AbortController();
    const gate = createGate(fakeServer(), [
      (question) => {
        controller.abort();
        return once(question);
      },
    ]);
    assert.deepEqual(await gate.propose({}, controller.signal), {
      kind: 'withdrawn',
      because: 'cancelled',
    });
    assert.deepEqual(gate.sent, []);
    assert.deepEqual(gate.decisions(), [
      { decision: 'withdrawn', decidedBy: { kind: 'nobody', because: 'cancelled' } },
    ]);
  });

  for (const state of [{ kind: 'stopped' }, { kind: 'failed', message: 'It ended.' }] as const)
    it(`withdraws a call whose server ends while the question stands: ${state.kind}`, async () => {
      const server = fakeServer();
      const gate = createGate(server, [
        (question) => {
          server.become(state);
          return once(question);
        },
      ]);
      const because = 'serverStopped';
      assert.deepEqual(await gate.propose(), { kind: 'withdrawn', because });
      assert.deepEqual(gate.sent, []);
      const decidedBy = { kind: 'nobody', because };
      assert.deepEqual(gate.decisions(), [{ decision: 'withdrawn', decidedBy }]);
    });

  it('goes on with a call whose server is still there, whatever else changes of it', async () => {
    const server = fakeServer();
    const gate = createGate(server, [
      (question) => {
        server.become(server.state);
        return once(question);
      },
    ]);
    assert.equal((await gate.propose()).kind, 'result');
  });

  it('goes on with a call of a stopped server that turns out to need something for its start', async () => {
    const server = fakeServer();
    server.become('stopped');
    const gate = createGate(server, [
      (question) => {
        server.lookedAt('restricted');
        return once(question);
      },
    ]);
    assert.equal((await gate.propose()).kind, 'result');
  });

  it('writes down a call while the user is asked, so that even a crash leaves it', async () => {
    const gate = createGate(fakeServer(), [
      (question) => {
        assert.deepEqual(
          gate.records.map(({ kind }) => kind),
          ['callAsked'],
        );
        return once(question);
      },
    ]);
    assert.equal((await gate.propose()).kind, 'result');
  });

  it('leads back from a question about a call of one’s own, with what was edited, and logs nothing', async () => {
    const edited = { path: 'y' };
    const by = byUser();
    const gate = createGate(fakeServer(), [{ kind: 'back', arguments: edited, by }]);
    const left: unknown[] = [];
    const call = { arguments: { path: 'x' }, origin: { kind: 'user', action: undefined } } as const;
    const outcome = await gate.propose(call, undefined, (...back) => left.push(...back));
    assert.deepEqual(outcome, { kind: 'cancelled' });
    assert.deepEqual([left, gate.sent, gate.records], [[edited, by], [], []]);
    assert.equal(left[1], by);
  });

  const began = byUser();
  const answered = byUser();
  const ofUser = (action: UserAction | undefined): CallOrigin => ({ kind: 'user', action });
  for (const [what, origin, by, asked, then] of [
    ['their call and their answer', ofUser(began), answered, began, answered],
    ['an answer that no action is known of', ofUser(began), undefined, began, began],
    ['a call that no action began', ofUser(undefined), undefined, undefined, undefined],
    ['such a call, and an answer', ofUser(undefined), answered, undefined, answered],
    ['a call of others, which is not theirs', chat, answered, undefined, undefined],
  ] as const)
    it(`hands on the action of a user, and makes none: ${what}`, async () => {
      const gate = createGate(fakeServer(), [{ kind: 'allow', arguments: {}, by }]);
      await gate.propose({ origin });
      const [{ origin: sent } = { origin }] = gate.made;
      assert.equal(gate.asked[0]?.asked, asked);
      assert.equal(sent.kind === 'user' ? sent.action : undefined, then);
      assert.equal(gate.made.length, 1);
    });

  it('says by which approval a call was allowed', async () => {
    const gate = createGate(fakeServer(), [forSession]);
    await gate.propose();
    await gate.propose();
    const approved = { duration: 'session', coverage: 'tool' } as const;
    const [first, second] = gate.decisions();
    assert.deepEqual(first?.decidedBy, { kind: 'user', how: 'click', approved });
    const { givenAt, ...approval } = Object(second?.decidedBy) as { givenAt: string };
    assert.deepEqual(approval, { kind: 'approval', ...approved });
    assert.ok(Math.abs(Date.parse(givenAt) - Date.now()) < 60_000);
  });

  const rules: readonly [setting: string, policy: Partial<ToolPolicy>, verdict: string][] = [
    ['denyList', { deny: ['demo/*'] }, 'denied'],
    ['serverPolicy', { servers: { demo: 'deny' } }, 'denied'],
    ['serverPolicy', { servers: { demo: 'allow' } }, 'allowed'],
    ['trustReadOnlyHint', { trustReadOnlyHint: ['demo'] }, 'allowed'],
  ];
  for (const [setting, policy, verdict] of rules)
    it(`says which setting decided: ${setting}, ${verdict}`, async () => {
      const tools = [tool({ annotations: { readOnlyHint: true } })];
      const gate = createGate(fakeServer({ tools }), []);
      gate.rules.policy = policy;
      await gate.propose();
      const decidedBy = { kind: 'rule', setting: `mcpWorkbench.tools.${setting}` };
      assert.deepEqual(gate.decisions(), [{ decision: verdict, decidedBy }]);
    });

  it('calls no decision of the user what the schema refused', async () => {
    const gate = createGate(fakeServer({ tools: [numbers] }), []);
    await gate.propose({ arguments: { a: 'x' } });
    assert.deepEqual(gate.decisions(), [{ decision: 'refused', decidedBy: { kind: 'schema' } }]);
  });

  it('writes no record above 64 kB', async () => {
    const long = 'x'.repeat(100_000);
    const gate = createGate(fakeServer({ id: long, name: long, tools: [tool({ name: long })] }), [
      { kind: 'deny', reason: long },
    ]);
    await gate.propose({ arguments: { [long]: long, list: Array(50).fill(long) } });
    for (const record of gate.records) assert.ok(JSON.stringify(record).length < 64_000);
  });

  const endings: readonly { what: string; error: unknown; kind: string }[] = [
    { what: 'a server that dies as a failure', error: new Error('It died.'), kind: 'failed' },
    { what: 'a cancelled call as cancelled', error: new CancelledError(), kind: 'cancelled' },
  ];
  for (const { what, error, kind } of endings)
    it(`reports ${what}, to the caller and in the log`, async () => {
      const server = fakeServer({ call: () => Promise.reject(error) });
      const gate = createGate(server, [once]);
      assert.equal((await gate.propose()).kind, kind);
      const ended = gate.records.at(-1);
      assert.ok(ended?.kind === 'callEnded');
      assert.equal(ended.outcome, kind);
    });

  const results: readonly { what: string; result: CallToolResult; problems: RegExp }[] = [
    {
      what: 'has none',
      result: { content: [], isError: false },
      problems: /promises structured content/,
    },
    {
      what: 'does not fit',
      result: { content: [], isError: false, structuredContent: { n: 'x' } },
      problems: /does not match the output schema: "n": must be a number/,
    },
    {
      what: 'fits',
      result: { content: [], isError: false, structuredContent: { n: 1 } },
      problems: /^$/,
    },
    { what: 'is an error', result: { content: [], isError: true }, problems: /^$/ },
  ];
  for (const { what, result, problems } of results)
    it(`says where structured content that was promised ${what}`, async () => {
      const outputSchema = { type: 'object', properties: { n: { type: 'number' } } };
      const server = fakeServer({
        tools: [tool({ outputSchema })],
        call: () => Promise.resolve(result),
      });
      const outcome = await createGate(server, [once]).propose();
      assert.ok(outcome.kind === 'result');
      assert.match(outcome.problems.map((each) => each(inEnglish)).join(' '), problems);
    });

  it('calls a name that its server does not list for a user who wrote it, once they agree', async () => {
    const server = fakeServer();
    const gate = createGate(server, [once]);
    gate.rules.policy = { servers: { [server.id]: 'allow' } };
    const unlisted = tool({ name: 'unlisted', inputSchema: {} });
    const own = {
      tool: unlisted,
      origin: { kind: 'user', action: undefined },
      mayBeUnlisted: true,
    } as const;
    const outcome = await gate.propose(own);
    assert.equal(outcome.kind, 'result');
    assert.deepEqual(gate.asked[0]?.concerns, [{ kind: 'unlisted' }]);
    assert.ok(!canBeRemembered(gate.asked[0]?.concerns ?? []));
    assert.deepEqual(
      gate.sent.map(({ name }) => name),
      ['unlisted'],
    );
  });

  it('does not call a tool that its server no longer has', async () => {
    const server = fakeServer();
    const gate = createGate(server, [once]);
    const gone = tool({ name: 'gone' });
    const outcome = await gate.propose({ tool: gone });
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message(inEnglish), /no longer has a tool "gone"/);
    assert.deepEqual(gate.asked, []);
  });
});
