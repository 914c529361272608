import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { makeUpName } from '../../../src/calls/check/checkResult';
import { callsOfCheck } from '../../../src/testing/checkCommand';
import { callThroughGate, toAgreeTo } from '../../../src/testing/sessions';
import { deciderText } from '../../../src/ui/decisionText';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import type { ToolCall } from '../../../src/contracts/toolCalls';
import { inLines, inOneLine, requestTexts } from '../../../src/testing/consent';
import type { CallsFile, StepRequest } from '../../../src/calls/format/calls';
import { SavedAnswers } from '../../../src/calls/savedAnswers';
import type { Json } from '../../../src/mcp/protocol/types';

const call = (args: Extract<StepRequest, { kind: 'call' }>['arguments']) =>
  ({ kind: 'call', name: 'delete', arguments: args }) as const;
const folder = 'file:///w/calls/';
const saying = (...lines: readonly string[]) => lines;

describe('the requests of saved calls, as one agrees to them', () => {
  const variables = { path: '/home', count: 2, sum: 'of the file' };
  const shown = (...steps: Parameters<typeof requestTexts>[1]) =>
    requestTexts({ variables }, steps, folder).map(inOneLine);

  it('have the values of the file in them', () =>
    assert.deepEqual(
      shown({ request: call({ path: '${path}/a', count: '${count}' }), save: {} }),
      saying('delete {"path":"/home/a","count":2}'),
    ));

  for (const [what, value] of [
    ['alone', '${a}'],
    ['within a text', `x\${a}`],
    ['in one text', '${a}'.repeat(200)],
  ] as const)
    it(`are refused where a long variable stands ${what} again and again`, () =>
      assert.throws(
        () =>
          requestTexts(
            { variables: { a: 'x'.repeat(100_000) } },
            Array.from({ length: 200 }, () => ({ request: call({ value }), save: {} })),
            folder,
          ),
        { name: 'UserError', message: /more than 10000000 characters/ },
      ));

  it('have what is sent beside the arguments', () =>
    assert.deepEqual(
      shown(
        { request: { ...call({ a: 1 }), meta: { trace: '${path}' } }, save: {} },
        { request: { kind: 'read', uri: 'a:b', meta: { trace: 1 } }, save: {} },
      ),
      saying('delete {"a":1} _meta {"trace":"/home"}', 'read a:b _meta {"trace":1}'),
    ));

  it('never look the same for what is sent beside the arguments and for arguments of that name', () => {
    const given = { a: 1 };
    const meta = { trace: 1 };
    const alike = [
      { ...call(given), meta },
      call({ arguments: given, _meta: meta }),
      call({ ...given, _meta: meta }),
      call({ ...given, meta }),
    ].map((request) => requestTexts({ variables }, [{ request, save: {} }], folder));
    for (const show of [inLines, (texts: (typeof alike)[number]) => texts.map(inOneLine).join()])
      assert.equal(new Set(alike.map(show)).size, alike.length);
    const [beside = []] = alike;
    assert.equal(inLines(beside), '1. delete\n{\n  "a": 1\n}\n_meta\n{\n  "trace": 1\n}');
  });

  it('never look the same for a tool that is called like another kind of request', () => {
    const reference = { prompt: 'greet' };
    const completed = { argument: 'name', value: '', context: {} };
    const named = (name: string, given = {}) => ({ ...call(given), name });
    const requests: readonly StepRequest[] = [
      { kind: 'prompt', name: 'greet', arguments: {} },
      named('prompt greet'),
      named('call "prompt greet"'),
      { kind: 'complete', reference, ...completed },
      named('complete', { ...reference, ...completed }),
    ];
    const texts = shown(...requests.map((request) => ({ request, save: {} })));
    assert.equal(new Set(texts).size, requests.length, texts.join('\n'));
    assert.equal(texts[1], 'call "prompt greet" {}');
  });

  it('have the texts in them that only look like variables', () =>
    assert.deepEqual(
      shown({ request: call({ path: '$${path}', other: '$$${path} $${none}' }), save: {} }),
      saying('delete {"path":"${path}","other":"$/home ${none}"}'),
    ));

  it('keep the names of what only an earlier step gives, even where the file has a value', () =>
    assert.deepEqual(
      shown(
        { request: call({ path: '${sum}' }), save: { sum: '$', other: '$' } },
        { request: call({ path: '${sum}${other}${path}' }), save: {} },
      ),
      saying('delete {"path":"of the file"}', 'delete {"path":"${sum}${other}/home"}'),
    ));

  it('have the answers to the questions of the server with them, of the file first', () => {
    const answers = { sampling: ['${path}'] };
    const step = { request: call({}), save: {}, answers: { elicitation: [{ action: 'accept' }] } };
    assert.deepEqual(
      requestTexts({ variables, answers }, [step], folder).map(inOneLine),
      saying(
        'answers {"sampling":["/home"]}',
        'delete {}',
        'answers {"elicitation":[{"action":"accept"}]}',
      ),
    );
  });

  for (const [what, uri, expected] of [
    ['the folder of the file', '.', 'file:///w/calls/'],
    ['a folder in it', 'sample/', 'file:///w/calls/sample/'],
    ['steps that lead up', `${'a/../'.repeat(40)}../../`, 'file:///'],
    ['steps that lead up, escaped', 'file:///w/calls/%2e%2e/%2E%2E/etc', 'file:///etc'],
    ['steps behind a variable', 'file://${path}/../etc', 'file:///etc'],
    ['steps behind what only looks like one', '$${none}/../..', 'file:///w/'],
    ['another kind of separator', 'file:///w/calls\\..\\..\\etc', 'file:///etc'],
  ] as const)
    it(`have the roots in them as the server is told: ${what}`, async () => {
      const answers = { roots: [{ uri, name: 'here' }] };
      const [shownRoots] = requestTexts({ variables, answers }, [], folder);
      assert.deepEqual(shownRoots?.given, { roots: [{ uri: expected, name: 'here' }] });
      const file = { variables, answers, steps: [] } as unknown as CallsFile;
      const { requests } = new SavedAnswers(file, folder);
      const sent = await requests.listRoots?.(fakeServer(), new AbortController().signal);
      assert.deepEqual({ roots: sent }, shownRoots.given);
    });

  it('are told whole, whatever they are', () => {
    const requests: readonly StepRequest[] = [
      { kind: 'prompt', name: 'greet', arguments: { name: '${path}' } },
      { kind: 'read', uri: 'file://${path}' },
      { kind: 'list', list: 'tools' },
      {
        kind: 'complete',
        reference: { prompt: 'greet' },
        argument: 'name',
        value: '${path}',
        context: {},
      },
    ];
    const steps = requests.map((request) => ({ request, save: {} }));
    assert.deepEqual(
      shown(...steps),
      saying(
        'prompt greet {"name":"/home"}',
        'read file:///home',
        'list tools',
        'complete {"prompt":"greet","argument":"name","value":"/home","context":{}}',
      ),
    );
    assert.equal(
      inLines(requestTexts({ variables }, steps.slice(0, 2), folder)),
      '1. prompt greet\n{\n  "name": "/home"\n}\n\n2. read file:///home',
    );
  });

  const nested = (depth: number): Json => (depth === 0 ? 'inmost' : [nested(depth - 1)]);
  const long: readonly [what: string, value: Json, isShown: boolean][] = [
    ['are long', 'x'.repeat(900_000), true],
    ['are too long for an editor', 'x'.repeat(1_000_000), false],
    ['have hidden characters, each of which becomes visible', '\u202E'.repeat(100_000), true],
    ['are too long once their hidden characters are visible', '\u202E'.repeat(130_000), false],
    ['are nested', nested(100), true],
    ['are nested deeper than an editor shows', nested(200), false],
  ];
  for (const [what, value, isShown] of long)
    it(`are shown whole or not at all where they ${what}`, () => {
      const text = inLines(
        requestTexts({ variables }, [{ request: call({ value }), save: {} }], folder),
      );
      assert.equal(text !== undefined, isShown);
      assert.doesNotMatch(text ?? '', /…/);
    });
});

describe('a call of a step or of a check', () => {
  const result = { content: [], isError: false };
  for (const [what, name, title, called] of [
    ['is of the tool that the server lists', 'there', 'Another', tool({ name: 'there' })],
    [
      'has a title in the log where the server lists none',
      'gone',
      'A title',
      { name: 'gone', title: 'A title', inputSchema: {} },
    ],
    [
      'keeps to the name where nobody gave it a title',
      'gone',
      undefined,
      { name: 'gone', inputSchema: {} },
    ],
  ] as const)
    it(what, async () => {
      const calls: ToolCall[] = [];
      const gate = {
        run: async (one: ToolCall) => {
          calls.push(one);
          return { kind: 'result', result, arguments: {}, edited: false, problems: [] } as const;
        },
      };
      const server = fakeServer({ tools: [tool({ name: 'there' })] });
      const { signal } = new AbortController();
      const agreedTo = await toAgreeTo(server, [
        { request: { kind: 'call', name, arguments: {} } },
      ]);
      const titled = title !== undefined && { title };
      const asked = { server, agreedTo, name, args: {}, signal, ...titled };
      assert.equal(await callThroughGate(gate, 'the check', asked), result);
      assert.deepEqual(
        calls.map((one) => [one.tool, one.origin]),
        [[called, { kind: 'savedCalls', file: 'the check' }]],
      );
    });
});

describe('what a check calls', () => {
  const madeUp = makeUpName();
  for (const [what, name, title] of [
    ['has a title where the check made it up', madeUp, 'a tool that does not exist'],
    ['is called by its name where the server lists it no longer', 'gone', undefined],
    ['is called by its name where that only begins like ours', 'mcp-workbench-a', undefined],
  ] as const)
    it(`${what}, and is logged as of a check in every language`, async () => {
      const calls: ToolCall[] = [];
      const gate = {
        run: (one: ToolCall) => {
          calls.push(one);
          return Promise.resolve({ kind: 'cancelled' } as const);
        },
      };
      const { signal } = new AbortController();
      const { t } = vscode.l10n;
      Object.assign(vscode.l10n, { t: (text: string) => `translated ${text}` });
      try {
        const server = fakeServer();
        const agreedTo = await toAgreeTo(server, []);
        await assert.rejects(callsOfCheck(gate, server, () => agreedTo)(name, {}, { signal }));
      } finally {
        Object.assign(vscode.l10n, { t });
      }
      assert.deepEqual(
        calls.map((one) => [one.tool.name, one.tool.title, one.origin]),
        [[name, title && `translated ${title}`, { kind: 'savedCalls', file: 'check' }]],
      );
    });

  for (const [what, tools, agreed, change] of [
    ['nobody has agreed to', [tool({ name: 'now' })], [], undefined],
    ['that has come by the name that was made up', [tool({ name: madeUp })], [], undefined],
    [
      'that is another than when the user agreed',
      [tool({ name: 'now' })],
      ['now'],
      { tools: [tool({ name: 'now', description: 'Deletes.' })] },
    ],
    ['that is gone since', [tool({ name: 'now' })], ['now'], { tools: [] }],
    ['of a launch that is another since', [tool({ name: 'now' })], ['now'], { launch: 'b' }],
  ] as const)
    it(`is no tool ${what}`, async () => {
      let { launch, listed } = { launch: 'a', listed: fakeServer({ tools }).tools };
      const server = Object.assign(fakeServer({ tools }), {
        launchFingerprint: async () => launch,
      });
      Object.defineProperty(server, 'tools', { get: () => listed });
      const agreedTo = await toAgreeTo(
        server,
        agreed.map((name) => ({ request: { kind: 'call', name, arguments: {} } })),
      );
      if (change && 'launch' in change) ({ launch } = change);
      if (change && 'tools' in change) listed = fakeServer(change).tools;
      const gate = { run: () => assert.fail('called') };
      const { signal } = new AbortController();
      const ask = callsOfCheck(gate, server, () => agreedTo);
      await assert.rejects(ask(tools[0].name, {}, { signal }), /has changed since you agreed/);
    });

  it('is said to be decided by what the user agreed to', () => {
    const text = (file: string) => deciderText({ kind: 'savedCalls', file });
    assert.equal(text('check'), 'your approval of the check');
    assert.equal(text('file:///w/a.mcp-calls.jsonc'), 'your approval of a.mcp-calls.jsonc');
  });
});
