import assert from 'node:assert/strict';
import { deferred, nextTurn, type Deferred } from '../../../src/base/async';
import { silentLogger } from '../../../src/base/log';
import { maxAgentSubscriptions, WindowOffer } from '../../../src/agents/agentOffer';
import { AgentAccess } from '../../../src/agents/agentAccess';
import type { CallToolResult, CompletionReference } from '../../../src/mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import { OfferedTools, searchToolNames, ToolSelection } from '../../../src/offer/offeredTools';
import { outcomeWords } from '../../../src/offer/outcomeWords';
import { ResourceServers } from '../../../src/offer/resourceServers';
import type { Server } from '../../../src/mcp/server';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';

const how = {
  signal: new AbortController().signal,
  onProgress: () => {},
  onWait: () => {},
  onBegin: () => Promise.resolve(),
};
const hello = { entry: 'entry', secret: '', folder: '/project', program: 'agent', pid: 1 };
const content = (uri: string) => ({ uri, text: uri });

/** Creates the offer of these servers to an agent that may use them; each call is noted and ends as `outcome` says. */
function offerOf(
  servers: readonly Server[],
  outcome?: (call: ToolCall) => ToolOutcome | Promise<ToolOutcome>,
  maxTools = 1000,
) {
  let isAllowed = true;
  const access = new AgentAccess(
    {
      entry: { id: 'entry', label: 'Agent', secretHash: '', createdAt: 0 },
      hello,
      client: undefined,
    },
    {
      trust: {
        isTrusted: () => isAllowed,
        ask: async () => {
          await nextTurn();
          return isAllowed;
        },
      },
      startUnknown: () => Promise.resolve(),
      alertUser: () => {},
      onChange: () => {},
      onAllowed: () => {},
      log: silentLogger,
    },
    new AbortController().signal,
  );
  const all = fakeServers(...servers);
  const calls: ToolCall[] = [];
  const resources = new ResourceServers(all);
  const selection = new ToolSelection(createMemento());
  const offer = new WindowOffer({
    servers: all,
    gate: {
      run: (call) => {
        calls.push(call);
        const given = call.arguments['uri'];
        const uri = typeof given === 'string' ? given : '';
        const result = {
          content: [{ type: 'resource' as const, resource: content(uri) }],
          isError: false,
        };
        return Promise.resolve<ToolOutcome>(
          outcome?.(call) ?? {
            kind: 'result',
            result,
            arguments: call.arguments,
            edited: false,
            problems: [],
          },
        );
      },
    },
    tools: new OfferedTools({ servers: all, selection, log: silentLogger }),
    resources,
    origin: { kind: 'agent', entry: 'entry', label: 'Agent', conversation: 'talk' },
    access,
    connection: {
      countRequest: () => {},
      countCall: () => {},
      beginCall: () => ({ asks: () => {}, dispose: () => {} }),
      noteClient: () => {},
    },
    maxTools: () => maxTools,
  });
  const withdraw = () => {
    isAllowed = false;
    access.withdraw();
  };
  const allow = () => (isAllowed = true);
  return { offer, calls, all, selection, access, withdraw, allow };
}

describe('What an agent is offered', () => {
  for (const isAsking of [true, false])
    it(`is ${isAsking ? '' : 'not '}said to wait for the user, who is ${isAsking ? '' : 'not '}asked about it`, async () => {
      const { offer, access, withdraw } = offerOf([fakeServer({ id: 'a' })]);
      withdraw();
      if (isAsking) access.begunAgain();
      const told: string[] = [];
      assert.deepEqual(
        await offer.listResources({ ...how, onWait: (text) => void told.push(text) }),
        [],
      );
      assert.equal(told.length, isAsking ? 1 : 0);
    });

  it('of two servers are told apart where their names are the same', async () => {
    const { offer, calls } = offerOf([
      fakeServer({ id: 'a', name: 'demo', tools: [tool({ name: 'run' })] }),
      fakeServer({ id: 'b', name: 'demo', tools: [tool({ name: 'run' })] }),
      fakeServer({
        id: 'c',
        name: 'demo__run',
        tools: [tool({ name: '' }), tool({ name: 'x'.repeat(99) })],
      }),
    ]);
    const names = (await offer.listTools(how)).map(({ name }) => name);
    assert.equal(new Set(names).size, 4);
    for (const name of names) assert.ok(/^[\w-]{1,64}$/.test(name), name);
    await offer.callTool(names[1] ?? '', {}, how);
    assert.equal(calls[0]?.server.id, 'b');
  });

  it('keeps the addresses of resources, unless two servers have the same', async () => {
    const { offer, calls } = offerOf([
      fakeServer({
        id: 'a',
        resources: [
          { uri: 'note:1', name: '1' },
          { uri: 'note:2', name: '2' },
        ],
      }),
      fakeServer({ id: 'b/c', resources: [{ uri: 'note:2', name: '2' }] }),
    ]);
    const uris = (await offer.listResources(how)).map(({ uri }) => uri);
    assert.deepEqual(uris, ['note:1', 'mcp-workbench:/a/note:2', 'mcp-workbench:/b%2Fc/note:2']);
    for (const uri of uris)
      assert.equal((await offer.readResource(uri, how)).contents[0]?.uri, uri);
    assert.deepEqual(
      calls.map(({ server, arguments: { uri } }) => [server.id, uri]),
      [
        ['a', 'note:1'],
        ['a', 'note:2'],
        ['b/c', 'note:2'],
      ],
    );
  });

  it('reads a resource that a result has linked from the server of that result', async () => {
    const servers = ['a', 'b'].map((id) =>
      fakeServer({ id, name: id, tools: [tool({ name: 'run' })], resources: [] }),
    );
    const { offer, calls } = offerOf(servers, (call) => ({
      kind: 'result',
      result: {
        content: [{ type: 'resource_link', uri: 'note:linked', name: 'linked' }],
        isError: false,
      },
      arguments: call.arguments,
      edited: false,
      problems: [],
    }));
    await assert.rejects(offer.readResource('note:linked', how), /No server has/);
    await offer.callTool('b__run', {}, how);
    await offer.readResource('note:linked', how);
    assert.equal(calls.at(-1)?.server.id, 'b');
  });

  it('announces only the lists that have changed', async () => {
    const server = fakeServer({ id: 'a', prompts: [{ name: 'p' }] });
    const { offer } = offerOf([server]);
    const told: string[] = [];
    const changed = deferred<void>();
    offer.onDidChange((kind) => {
      told.push(kind);
      changed.resolve();
    });
    server.tools.set([tool({ name: 'new' })], 'loaded');
    await changed.promise;
    assert.deepEqual(told, ['tools']);
    offer.dispose();
  });

  it('is listened to until each request for it ends, and again once the agent is allowed', () => {
    const many = Array.from({ length: maxAgentSubscriptions }, (_, at) => `note:${at}`);
    const names = [...many, 'note:next'];
    const server = fakeServer({ id: 'a', resources: names.map((uri) => ({ uri, name: uri })) });
    const { offer, withdraw, allow } = offerOf([server]);
    const first = offer.listen(many);
    const second = offer.listen(['note:0', 'note:next', 'none:']);
    assert.deepEqual(server.subscribed, many, 'no more than so many');
    first.dispose();
    assert.deepEqual(server.subscribed, ['note:0', 'note:next']);
    withdraw();
    offer.withdraw();
    const third = offer.listen(['note:1']);
    assert.deepEqual(server.subscribed, []);
    allow();
    offer.announceAll();
    assert.deepEqual(server.subscribed, ['note:0', 'note:next', 'note:1']);
    second.dispose();
    third.dispose();
    assert.deepEqual(server.subscribed, []);
  });

  it('is watched for as long as it is subscribed to, whatever is listened to meanwhile', async () => {
    const server = fakeServer({ id: 'a', resources: [{ uri: 'note:1', name: '1' }] });
    const { offer } = offerOf([server]);
    await offer.subscribe('note:1', how);
    offer.listen(['note:1']).dispose();
    assert.deepEqual(server.subscribed, ['note:1']);
    offer.unsubscribe('note:1');
    assert.deepEqual(server.subscribed, []);
  });

  it('waits for a call that the user has put into the background', async () => {
    const ended = deferred<ToolOutcome>();
    const { offer } = offerOf(
      [fakeServer({ id: 'a', name: 'a', tools: [tool({ name: 'run' })] })],
      () => ({
        kind: 'background',
        ended: ended.promise,
      }),
    );
    const called = offer.callTool('a__run', {}, how);
    ended.resolve({ kind: 'cancelled' });
    assert.equal((await called).isError, true);
  });

  describe('and is under way as the user withdraws it', () => {
    const secret = 'what the server knows';
    const called: ToolOutcome = {
      kind: 'result',
      result: { content: [{ type: 'text', text: secret }], isError: false },
      arguments: {},
      edited: false,
      problems: [],
    };
    const completing: CompletionReference = { type: 'ref/prompt', name: 'a__p' };
    /** Begins something that ends once `ended` does, and returns what the agent is told. */
    type Begin = (
      ended: Deferred<void>,
      signals: AbortSignal[],
    ) => {
      readonly told: Promise<unknown>;
      readonly rights: Pick<ReturnType<typeof offerOf>, 'withdraw' | 'allow'>;
    };
    const server = (ended: Deferred<void>, signals: AbortSignal[]) => {
      const answers =
        <T>(value: T) =>
        async (...given: unknown[]) => {
          signals.push((given.at(-1) as typeof how).signal);
          await ended.promise;
          return value;
        };
      return Object.assign(
        fakeServer({
          id: 'a',
          name: 'a',
          prompts: [{ name: 'p' }],
          resources: [{ uri: 'note:1', name: '1' }],
        }),
        {
          getPrompt: answers({
            messages: [{ role: 'user', content: { type: 'text', text: secret } }],
          }),
          complete: answers({ values: [secret] }),
        },
      );
    };
    const begins: readonly (readonly [what: string, Begin])[] = [
      ...(['a call', 'a call in the background', 'a call that fails'] as const).map(
        (what) =>
          [
            what,
            (ended: Deferred<void>, signals: AbortSignal[]) => {
              const fails = what === 'a call that fails';
              const outcome: ToolOutcome = fails
                ? { kind: 'failed', code: 7, message: () => secret }
                : called;
              const over = ended.promise.then(() => outcome);
              const { offer, ...rights } = offerOf([server(ended, signals)], () =>
                what === 'a call in the background' ? { kind: 'background', ended: over } : over,
              );
              return { told: offer.callTool('a__tool', {}, how), rights };
            },
          ] as const,
      ),
      [
        'reading a resource',
        (ended, signals) => {
          const { offer, ...rights } = offerOf([server(ended, signals)], () =>
            ended.promise.then(() => called),
          );
          return { told: offer.readResource('note:1', how), rights };
        },
      ],
      [
        'a prompt',
        (ended, signals) => {
          const { offer, ...rights } = offerOf([server(ended, signals)]);
          return { told: offer.getPrompt('a__p', {}, how), rights };
        },
      ],
      [
        'a completion',
        (ended, signals) => {
          const { offer, ...rights } = offerOf([server(ended, signals)]);
          const argument = { name: 'x', value: '' };
          return { told: offer.complete(completing, argument, {}, how), rights };
        },
      ],
    ];
    const textOf = (told: Promise<unknown>) => told.then(JSON.stringify, String);

    for (const [what, begin] of begins) {
      it(`gives nothing of ${what}, also where it is allowed again before that ends`, async () => {
        const [ended, signals] = [deferred<void>(), []];
        const { told, rights } = begin(ended, signals);
        await nextTurn();
        rights.withdraw();
        rights.allow();
        ended.resolve();
        const text = await textOf(told);
        assert.ok(!text.includes(secret), text);
        assert.match(text, /any longer/);
      });

      it(`gives all of ${what} if that is not withdrawn`, async () => {
        const [ended, signals] = [deferred<void>(), []];
        const { told } = begin(ended, signals);
        ended.resolve();
        const text = await textOf(told);
        if (what !== 'reading a resource') assert.ok(text.includes(secret), text);
        assert.doesNotMatch(text, /any longer/);
      });
    }

    for (const [what, begin] of begins.filter(([one]) => /background|prompt|completion/.test(one)))
      it(`does not wait for ${what} any longer, and has a request given up`, async () => {
        const signals: AbortSignal[] = [];
        const { told, rights } = begin(deferred(), signals);
        await nextTurn();
        rights.withdraw();
        assert.match(await textOf(told), /any longer/);
        assert.ok(signals.every(({ aborted }) => aborted));
        assert.equal(signals.length, /background/.test(what) ? 0 : 1);
      });
  });

  describe('is the same list of tools for each request', () => {
    const begin = () => {
      const server = fakeServer({ id: 'a', name: 'a', tools: [tool({ name: 'run' })] });
      const other = fakeServer({ id: 'b', name: 'b', tools: [tool({ name: 'stop' })] });
      return { server, other, ...offerOf([server, other]) };
    };
    type Begun = ReturnType<typeof begin>;
    const names = async ({ offer }: Begun) => {
      const listed = await offer.listTools(how);
      assert.equal(await offer.listTools(how), listed);
      return listed.map(({ name, description }) => `${name}: ${description ?? ''}`);
    };

    const changes: readonly [string, readonly string[], (begun: Begun) => unknown][] = [
      [
        'a server describes a tool in other words',
        ['a__run: faster', 'b__stop: '],
        ({ server }) => server.tools.set([tool({ name: 'run', description: 'faster' })], 'loaded'),
      ],
      [
        'a server has no tools any longer',
        ['b__stop: '],
        ({ server }) => server.tools.set([], 'loaded'),
      ],
      ['a server is gone', ['a__run: '], ({ all, server }) => all.replace(server)],
      [
        'a server has another name',
        ['c__run: ', 'b__stop: '],
        ({ all, other }) =>
          all.replace(fakeServer({ id: 'a', name: 'c', tools: [tool({ name: 'run' })] }), other),
      ],
      [
        'the user leaves a tool out',
        ['b__stop: '],
        async ({ selection, server }) => {
          const [run] = server.tools.items;
          assert.ok(run);
          await selection.choose([{ server, tool: run }], []);
        },
      ],
    ];
    for (const [what, after, change] of changes)
      it(`until ${what}`, async () => {
        const begun = begin();
        assert.deepEqual(await names(begun), ['a__run: ', 'b__stop: ']);
        await change(begun);
        assert.deepEqual(await names(begun), after);
      });
  });

  it('hides nothing in what servers say of it, and keeps what a request repeats', async () => {
    const [evil, shown] = ['a\u{E0041}\u200Bb', 'a⟨U+E0041⟩⟨U+200B⟩b'];
    const said = { title: evil, description: evil };
    const deep = `${'{"properties":{"a":'.repeat(130)}{"title":"${evil}"}${'}}'.repeat(130)}`;
    const output = { type: 'object', properties: { it: said }, not: JSON.parse(deep) as unknown };
    const { offer } = offerOf([
      fakeServer({
        name: evil,
        instructions: evil,
        tools: [tool({ ...said, annotations: { title: evil }, outputSchema: output })],
        prompts: [{ name: 'p', ...said, arguments: [{ name: evil, ...said }] }],
        resources: [{ uri: `x:${evil}`, name: evil, ...said }],
      }),
    ]);
    const told = { title: shown, description: shown };
    const [only] = await offer.listTools(how);
    const { title, description, annotations, outputSchema } = only ?? {};
    assert.deepEqual({ title, description }, told);
    assert.deepEqual(annotations, { title: shown });
    assert.deepEqual(outputSchema?.['properties'], { it: told });
    assert.ok(!JSON.stringify(outputSchema).includes(evil));
    const [prompt] = await offer.listPrompts(how);
    assert.deepEqual(prompt, { ...told, name: prompt?.name, arguments: [{ name: evil, ...told }] });
    const [resource] = await offer.listResources(how);
    assert.deepEqual(resource, { uri: `x:${evil}`, name: shown, ...told });
    assert.ok((await offer.instructions()).endsWith(`\n\n## ${shown}\n${shown}`));
    const found = await offer.callTool(searchToolNames.find, { query: '' }, how);
    assert.ok(!JSON.stringify(found).includes(evil));
    const message = () => evil;
    assert.equal(outcomeWords({ kind: 'failed', message }), `The call failed: ${shown}`);
  });

  it('has no definition that agents of older revisions would refuse', async () => {
    const { offer } = offerOf([
      fakeServer({
        id: 'a',
        name: 'a',
        tools: [tool({ name: 'run', inputSchema: {}, outputSchema: { type: 'array' } })],
      }),
    ]);
    const [only] = await offer.listTools(how);
    assert.equal(only?.inputSchema['type'], 'object');
    assert.equal(only.outputSchema, undefined);
  });

  describe('with more tools than it takes, is a search', () => {
    const files = fakeServer({
      id: 'a',
      name: 'files',
      tools: [
        tool({ name: 'read_file', description: 'Reads a file from disk.' }),
        tool({ name: 'find_tools', description: 'Finds hammers.' }),
        tool({ name: 'secret' }),
      ],
      resources: [{ uri: 'note:1', name: '1' }],
    });
    const nameless = fakeServer({ id: 'b', name: '', tools: [tool({ name: 'call_tool' })] });
    const texts = (result: CallToolResult) =>
      result.content.map((block) => ('text' in block ? block.text : '')).join();
    const searching = () => offerOf([files, nameless], undefined, 3);

    it('of exactly three tools, whatever servers call theirs', async () => {
      const { offer } = searching();
      const names = (await offer.listTools(how)).map(({ name }) => name);
      assert.deepEqual(names, Object.values(searchToolNames));
      const all = (await offerOf([files, nameless]).offer.listTools(how)).map(({ name }) => name);
      assert.equal(all.length, 4);
      for (const name of names) assert.ok(!all.includes(name));
    });

    it('that finds tools with what is needed to call them, and none that the user left out', async () => {
      const { offer, calls, selection } = searching();
      await selection.choose([{ server: files, tool: { name: 'secret' } }], []);
      const found = texts(await offer.callTool(searchToolNames.find, { query: 'a file' }, how));
      assert.match(found, /"files__read_file"[^]*"inputSchema"/);
      const all = texts(await offer.callTool(searchToolNames.find, {}, how));
      assert.doesNotMatch(all, /secret/);
      assert.deepEqual(calls, []);
    });

    it('that calls a tool through the gate under its own name', async () => {
      const { offer, calls } = searching();
      const call = { name: 'files__read_file', arguments: { path: 'x' } };
      await offer.callTool(searchToolNames.call, call, how);
      await offer.callTool(searchToolNames.call, { name: 'files__find_tools' }, how);
      assert.deepEqual(
        calls.map(({ server, tool: { name }, arguments: args }) => [server.id, name, args]),
        [
          ['a', 'read_file', { path: 'x' }],
          ['a', 'find_tools', {}],
        ],
      );
    });

    for (const [what, args, says] of [
      ['no name', {}, /There is no tool ""/],
      ['a name that is none', { name: 7 }, /There is no tool ""/],
      ['its own name', { name: 'call_tool', arguments: {} }, /There is no tool "call_tool"/],
      [
        'arguments that are none',
        { name: 'files__read_file', arguments: [1] },
        /must be an object/,
      ],
    ] as const)
      it(`that says what is wrong with ${what}, and calls nothing`, async () => {
        const { offer, calls } = searching();
        const result = await offer.callTool(searchToolNames.call, args, how);
        assert.equal(result.isError, true);
        assert.match(texts(result), says);
        assert.deepEqual(calls, []);
      });

    it('that reads a resource through the gate', async () => {
      const { offer, calls } = searching();
      const read = await offer.callTool(searchToolNames.read, { uri: 'note:1' }, how);
      assert.deepEqual(read.content, [
        { type: 'resource', resource: { uri: 'note:1', text: 'note:1' } },
      ]);
      assert.equal(calls[0]?.tool.name, 'resources/read');
    });

    for (const [what, outcome, uri, says] of [
      ['no URI', undefined, undefined, /No server has a resource/],
      ['a URI of no server', undefined, 'note:2', /No server has a resource note:2/],
      [
        'a denial',
        { kind: 'denied', decidedBy: { kind: 'user' }, reason: 'private' },
        'note:1',
        /denied by the user.*private/,
      ],
      [
        'a failure',
        { kind: 'failed', code: -32002, message: () => 'It is gone.' },
        'note:1',
        /It is gone/,
      ],
      ['a call that was cancelled', { kind: 'cancelled' }, 'note:1', /cancelled/],
    ] as const)
      it(`that says of a resource with ${what} why there is nothing`, async () => {
        const { offer } = offerOf([files], outcome && (() => outcome), 0);
        const args = uri === undefined ? {} : { uri };
        const result = await offer.callTool(searchToolNames.read, args, how);
        assert.equal(result.isError, true);
        assert.match(texts(result), says);
        await assert.rejects(offer.readResource(uri ?? '', how), says);
      });
  });
});
