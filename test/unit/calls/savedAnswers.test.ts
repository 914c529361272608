import assert from 'node:assert/strict';
import { CancelledError } from '../../../src/base/errors';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { runCalls } from '../../../src/calls/runCalls';
import { maxStepQuestions } from '../../../src/calls/savedAnswers';
import { updateExpectation } from '../../../src/calls/writeStep';
import { createRequestRouter, clientCapabilities } from '../../../src/mcp/session/requestRouter';
import type { JsonObject } from '../../../src/mcp/protocol/types';
import type { ServerRequestHandlers } from '../../../src/mcp/protocol/serverRequests';
import { fakeServer } from '../../support/fakes/fakeServer';
import { schemaCheck } from '../../support/schemaChecks';

interface Question {
  readonly method: string;
  readonly params: object;
}

const sampling = (text: string): Question => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 10 },
});
const form: Question = {
  method: 'elicitation/create',
  params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
};
const roots: Question = { method: 'roots/list', params: {} };

/**
 * Runs steps on a server whose tool asks what its argument says, and which asks `atStart` before the user has agreed to
 * the run; returns what it was answered.
 */
async function run(
  file: object,
  asks: (step: string) => readonly Question[] = () => [],
  {
    atStart = [],
    isAgreed = true,
    variables = {},
  }: { atStart?: readonly Question[]; isAgreed?: boolean; variables?: JsonObject } = {},
) {
  const told: unknown[] = [];
  const toldAtStart: unknown[] = [];
  let capabilities: object | undefined;
  const text = JSON.stringify({ from: 'demo', ...file });
  const parsed = parseCalls(text);
  assert.deepEqual(parsed.problems, []);
  assert.ok(parsed.file);
  const tools = {
    schemas: schemaCheck(),
    snapshots: { read: async () => undefined, write: async () => {} },
    update: false,
    signal: new AbortController().signal,
  };
  const { variables: own } = parsed.file;
  const given = { ...parsed.file, variables: { ...own, ...variables } };
  const running = runCalls(given, {
    ...tools,
    folder: 'file:///work/a%20b/',
    now: () => 0,
    open: async (_server, _steps, requests: ServerRequestHandlers = {}) => {
      capabilities = clientCapabilities(requests, 'legacy');
      const answer = createRequestRouter({ id: 'demo', name: 'demo' }, requests);
      const askAll = async (questions: readonly Question[], answered: unknown[]) => {
        for (const { method, params } of questions)
          answered.push(
            await answer(method, { ...params }, tools.signal).catch(
              (error: Error) => error.message,
            ),
          );
      };
      await askAll(atStart, toldAtStart);
      if (!isAgreed) throw new CancelledError();
      return {
        server: fakeServer(),
        call: async (name) => {
          await askAll(asks(name), told);
          return { content: [], isError: false };
        },
        end: async () => {},
      };
    },
  });
  const results = await (isAgreed ? running : assert.rejects(running, CancelledError));
  return { results: results ?? [], told, toldAtStart, capabilities, text, tools };
}

const ask = (fields: object = {}) => ({ call: 'ask', ...fields });
const saved = (text: string) => ({
  role: 'assistant',
  content: { type: 'text', text },
  model: 'saved-answer',
  stopReason: 'endTurn',
});

describe('the answers that saved calls hold', () => {
  const two = [sampling('a'), sampling('b'), sampling('c')];
  const whole = { ...saved('x'), role: 'user', model: 'm', stopReason: 'maxTokens' };
  const toolUse = { type: 'tool_use', id: '1', name: 'weather', input: {} };
  const decline = { action: 'decline' };
  const cases: readonly [
    what: string,
    file: object,
    asks: readonly Question[],
    told: readonly unknown[],
  ][] = [
    [
      'go out in turn, and then the last one again',
      { answers: { sampling: ['one', 'two'] }, steps: [ask()] },
      two,
      [saved('one'), saved('two'), saved('two')],
    ],
    [
      'begin anew with each step',
      { answers: { sampling: ['one', 'two'] }, steps: [ask(), ask()] },
      [sampling('a')],
      [saved('one'), saved('one')],
    ],
    [
      'are those of the step, where it has some of this kind',
      {
        answers: { sampling: ['of the file'], elicitation: [decline] },
        steps: [ask({ answers: { sampling: ['of the step'] } })],
      },
      [sampling('a'), form],
      [saved('of the step'), decline],
    ],
    [
      'may say all that an answer of a model has',
      { answers: { sampling: [whole] }, steps: [ask()] },
      [sampling('a')],
      [whole],
    ],
    [
      'end with a tool where they call one',
      { answers: { sampling: [{ content: toolUse }] }, steps: [ask()] },
      [sampling('a')],
      [{ ...saved(''), content: toolUse, stopReason: 'toolUse' }],
    ],
    [
      'fill in a form, with the values of variables',
      {
        variables: { name: 'Ada', age: 36 },
        answers: {
          elicitation: [{ action: 'accept', content: { name: '${name} L', age: '${age}' } }],
        },
        steps: [ask()],
      },
      [form],
      [{ action: 'accept', content: { name: 'Ada L', age: 36 } }],
    ],
    [
      'may be errors',
      { answers: { sampling: [{ error: { code: -1, message: 'User said no' } }] }, steps: [ask()] },
      [sampling('a')],
      ['User said no'],
    ],
    [
      'have the roots, relative ones from the folder of the file',
      {
        answers: { roots: [{ uri: 'src', name: 'source' }, { uri: '..' }, { uri: 'file:///x' }] },
        steps: [ask()],
      },
      [roots],
      [
        {
          roots: [
            { uri: 'file:///work/a%20b/src', name: 'source' },
            { uri: 'file:///work/' },
            { uri: 'file:///x' },
          ],
        },
      ],
    ],
  ];
  for (const [what, file, asks, expected] of cases)
    it(what, async () => {
      const { told, results } = await run(file, () => asks);
      assert.deepEqual(JSON.parse(JSON.stringify(told)), expected);
      for (const { warnings } of results) assert.deepEqual(warnings, []);
    });

  it('are what is declared to the server, in whichever step they are', async () => {
    const { capabilities } = await run({
      steps: [ask(), ask({ answers: { elicitation: [decline] } })],
    });
    assert.deepEqual(Object.keys(capabilities ?? {}), ['elicitation', 'tasks']);
    const rooted = await run({ answers: { roots: [] }, steps: [ask()] });
    assert.deepEqual(Object.keys(rooted.capabilities ?? {}), ['roots']);
    const none = await run({ steps: [ask()] });
    assert.deepEqual(none.capabilities, {});
  });

  it('are missed with a warning, once for each kind, while the question is refused', async () => {
    const file = { answers: { sampling: [], elicitation: [decline] }, steps: [ask()] };
    const { told, results } = await run(file, () => [sampling('a'), form, sampling('b')]);
    const missing = 'There is no answer for sampling/createMessage in the file.';
    assert.deepEqual(told, [missing, decline, missing]);
    assert.deepEqual(results[0]?.warnings, [missing]);
  });

  it('have the roots from the start, with the values of variables', async () => {
    const answers = { roots: [{ uri: '${root}/${of-run}/' }] };
    const file = { variables: { root: 'sample', 'of-run': 'b' }, answers, steps: [ask()] };
    const ran = await run(file, () => [roots], { atStart: [roots], variables: { 'of-run': 'c' } });
    const told = [{ roots: [{ uri: 'file:///work/a%20b/sample/c/' }] }];
    assert.deepEqual([ran.toldAtStart, ran.told], [told, told]);
  });

  it('of the file are those that the user agreed to, whatever a step saves', async () => {
    const file = {
      variables: { name: 'Ada' },
      answers: { sampling: ['Dear ${name}'] },
      steps: [ask({ save: { name: '$' } }), ask()],
    };
    const parsed = parseCalls(JSON.stringify({ from: 'demo', ...file }));
    assert.ok(parsed.file);
    const running = runCalls(parsed.file, {
      schemas: schemaCheck(),
      update: false,
      folder: 'file:///',
      now: () => 0,
      snapshots: { read: async () => undefined, write: async () => {} },
      signal: new AbortController().signal,
      open: () => assert.fail('It was started.'),
    });
    await assert.rejects(running, { message: 'The variable ${name} has no value.' });
  });

  for (const [when, session, isAgreed, starts] of [
    ['asks for consent', 'file', true, 1],
    ['asks for consent to each session', 'step', true, 2],
    ['gets none', 'file', false, 1],
  ] as const)
    it(`are not given away at a start, while the run ${when}, but with a warning`, async () => {
      const answers = { sampling: ['x'], elicitation: [decline] };
      const steps = [ask(), ask({ answers })];
      const atStart = [form, sampling('a')];
      const ran = await run({ answers, session, steps }, () => [form], { atStart, isAgreed });
      const refused = atStart.map(
        ({ method }) => `The server asked ${method} before a step ran, and was refused.`,
      );
      assert.deepEqual(ran.toldAtStart, Array.from({ length: starts }, () => refused).flat());
      assert.deepEqual(ran.told, isAgreed ? [decline, decline] : []);
      assert.deepEqual(
        ran.results.map(({ warnings }) => warnings),
        isAgreed ? [refused, starts > 1 ? refused : []] : [],
      );
    });

  it('go to so many questions of a step, and to no more', async () => {
    const many = Array.from({ length: maxStepQuestions + 5 }, () => form);
    const file = { answers: { elicitation: [decline] }, steps: [ask(), ask()] };
    let asked = 0;
    const { told, results } = await run(file, () => (asked++ === 0 ? many : [form]));
    const refused = `The server asked more than ${maxStepQuestions} questions in one step.`;
    assert.equal(told.filter((one) => one === refused).length, 5);
    assert.deepEqual(told.at(-1), decline);
    assert.deepEqual(
      results.map(({ warnings }) => warnings),
      [[refused], []],
    );
  });

  for (const [what, file, message] of [
    ['to a server that runs for others', { session: 'running', answers: {} }, /the "running" one/],
    [
      'by a step that expects questions, where there are none',
      { steps: [ask({ expect: { asked: [] } })] },
      /Only with "answers"/,
    ],
  ] as const)
    it(`are missed ${what}`, () => {
      const { problems } = parseCalls(JSON.stringify({ from: 'demo', steps: [], ...file }));
      assert.match(problems.map((one) => one.message).join('\n'), message);
    });
});

describe('what a server asks while a step runs', () => {
  const answers = { sampling: ['x'], elicitation: [{ action: 'cancel' }] };
  const expecting = (asked: unknown, asks = [sampling('capital of France?')]) =>
    run({ answers, steps: [ask({ expect: { asked } })] }, () => asks);
  const says = (text: object) => ({ params: { messages: [{ content: { text } }] } });
  const cases: readonly [what: string, asked: unknown, isExpected: boolean][] = [
    ['in part', [{ method: 'sampling/createMessage' }], true],
    ['by a pattern', [says({ $matches: '^capital' })], true],
    ['as something else', [says({ $matches: '^city' })], false],
    ['as nothing', [], false],
    ['as more', [{}, {}], false],
  ];
  for (const [what, asked, isExpected] of cases)
    it(`can be expected ${what}`, async () => {
      const { results } = await expecting(asked);
      assert.equal(results[0]?.outcome, isExpected ? 'passed' : 'failed');
      if (!isExpected)
        assert.match(results[0]?.failures[0]?.message ?? '', /^The list of questions differs/);
    });

  it('is written into the expectation by an update, in its shape', async () => {
    const { results, text, tools } = await expecting([
      { method: 'elicitation/create' },
      { method: 'elicitation/create' },
    ]);
    const { step, answer, expect } = results[0] ?? {};
    assert.ok(step && answer && expect);
    const updated = parseCalls(await updateExpectation(text, { step, answer, expect }, tools));
    const expected = { asked: [{ method: 'sampling/createMessage' }] };
    assert.deepEqual(JSON.parse(JSON.stringify(updated.steps[0]?.expect)), expected);
  });
});
