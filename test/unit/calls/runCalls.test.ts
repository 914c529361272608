import assert from 'node:assert/strict';
import { EndedAtStartError, startError } from '../../../src/contracts/starts';
import type { Failure } from '../../../src/calls/expect/judge';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import { dotReport } from '../../../src/calls/report/report';
import { runCalls, type RunOptions, type StepResult } from '../../../src/calls/runCalls';
import type { CallsSession } from '../../../src/calls/session';
import { createSchemaCheck } from '../../../src/mcp/schema/jsonSchema';
import type { JsonObject } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import { fakeServer } from '../../support/fakes/fakeServer';
import { schemaCheck } from '../../support/schemaChecks';

const answers: Readonly<Record<string, object>> = {
  make: { structuredContent: { id: 42 } },
  '42': { content: [{ type: 'text', text: '42' }] },
};
const make = { name: 'make', call: 'make', save: { id: '$.id' } };

/** Runs steps on a server with the answers above; every stored snapshot is an empty object. */
async function runSteps(steps: readonly object[], options: Partial<RunOptions> = {}) {
  const written: string[] = [];
  const called: JsonObject[] = [];
  const { file } = parseCalls(JSON.stringify({ from: 'demo', steps }));
  assert.ok(file);
  const results = await runCalls(file, {
    open: async () => ({
      server: fakeServer(),
      call: async (name, args) => {
        called.push({ name, ...args });
        return { content: [], isError: false, ...answers[name] };
      },
      end: async () => {},
    }),
    schemas: schemaCheck(),
    snapshots: {
      read: async () => '{}',
      write: async (path) => void written.push(path),
    },
    update: false,
    folder: 'file:///work/',
    signal: new AbortController().signal,
    now: () => 0,
    ...options,
  });
  return { results, written, called };
}

function failuresOf(results: readonly StepResult[]): readonly Failure[] {
  return results.flatMap(({ failures }) => failures);
}

describe('a call of a tool that may run as a task', () => {
  it('is made as its step says', async () => {
    const asked: unknown[] = [];
    const open: RunOptions['open'] = async () => ({
      server: fakeServer(),
      call: async (name, _args, { asTask }) => {
        asked.push(asTask);
        return { content: [], isError: false, ...answers[name] };
      },
      end: async () => {},
    });
    const tasks = [undefined, false, {}, { ttl: 5 }];
    await runSteps(
      tasks.map((task, at) => ({ name: `${at}`, call: 'get', task })),
      { open },
    );
    assert.deepEqual(asked, [undefined, false, 0, 5]);
  });
});

describe('what a step sends as `_meta`', () => {
  it('goes with a request of each kind, with its variables filled in', async () => {
    const metas: unknown[] = [];
    const note = (options: { readonly meta?: unknown } | undefined) => metas.push(options?.meta);
    const server = Object.assign(fakeServer(), {
      getPrompt: async (...[, , options]: Parameters<Server['getPrompt']>) => {
        note(options);
        return { messages: [] };
      },
      readResource: async (...[, options]: Parameters<Server['readResource']>) => {
        note(options);
        return { contents: [] };
      },
      complete: async (...[, , , options]: Parameters<Server['complete']>) => {
        note(options);
        return { values: [] };
      },
    });
    const open: RunOptions['open'] = async () => ({
      server,
      call: async (name, _args, options) => {
        note(options);
        return { content: [], isError: false, ...answers[name] };
      },
      end: async () => {},
    });
    const _meta = { 'example.org/trace': '${id}' };
    const requests = [
      { call: 'get' },
      { prompt: 'greet' },
      { read: 'a:b' },
      { complete: { prompt: 'greet' }, argument: 'name' },
      { call: 'get', _meta: undefined },
    ];
    const steps = requests.map((one, at) => ({ name: `${at}`, _meta, ...one }));
    await runSteps([make, ...steps], { open });
    const filled = { 'example.org/trace': 42 };
    assert.deepEqual(metas, [undefined, filled, filled, filled, filled, undefined]);
  });
});

describe('a number that an earlier step saved', () => {
  const cases: readonly [what: string, expect: object, failure?: Failure][] = [
    ['equals', { text: { equals: '${id}' } }],
    ['is contained in', { text: { contains: '${id}' } }],
    ['matches', { text: { matches: '${id}' } }],
    [
      'does not equal',
      { text: { equals: '${id}0' } },
      { message: 'The text is another.', expected: '420', actual: '42' },
    ],
  ];
  for (const [what, expect, failure] of cases)
    it(`${what} a text`, async () => {
      const { results } = await runSteps([make, { name: 'get', call: '${id}', expect }]);
      assert.deepEqual(failuresOf(results), failure ? [failure] : []);
    });

  for (const [text, told] of [
    ['equals', /- expected, \+ actual\n +-42\n/],
    ['contains', /The text does not contain "42"\./],
  ] as const)
    it(`is reported where a text does not as much as have it: ${text}`, async () => {
      const expect = { text: { [text]: '${id}' } };
      const { results } = await runSteps([make, { name: 'again', call: 'make', expect }]);
      assert.equal(failuresOf(results)[0]?.expected, '42');
      const report = dotReport([{ path: 'a', results, problems: [], durationMs: 1 }]);
      assert.match(report, told);
    });

  it('stays one in arguments and in values', async () => {
    const expect = { json: { id: '${id}' }, paths: { '$.id': '${id}' } };
    const again = { name: 'again', call: 'make', arguments: { id: '${id}' }, expect };
    const { results, called } = await runSteps([make, again]);
    assert.deepEqual(failuresOf(results), []);
    assert.deepEqual(called[1], { name: 'make', id: 42 });
  });
});

describe('an update of snapshots', () => {
  const expect = (snapshot: string) => ({ expect: { snapshot } });
  const steps = [
    { ...make, ...expect('make.json') },
    { name: 'get', call: '${id}', ...expect('get.json') },
  ];
  const wanted = ({ name }: { readonly name: string }) => name === 'get';
  const cases: readonly [what: string, options: Partial<RunOptions>, written: readonly string[]][] =
    [
      ['of all steps', {}, ['make.json', 'get.json']],
      ['of the step that is wanted, not of one whose values it needs', { wanted }, ['get.json']],
    ];
  for (const [what, options, expected] of cases)
    it(`writes those ${what}`, async () => {
      const { written } = await runSteps(steps, { ...options, update: true });
      assert.deepEqual(written, expected);
    });
});

describe('a step that is excluded', () => {
  const get = { name: 'get', call: '${id}' };
  const excluded = ({ name }: { readonly name: string }) => name === 'make';
  const cases: readonly [what: string, options: Partial<RunOptions>][] = [
    ['where all others run', {}],
    ['where one runs that needs its value', { wanted: ({ name }) => name === 'get' }],
    ['where it is wanted itself', { wanted: () => true }],
  ];
  for (const [what, options] of cases)
    it(`is not sent ${what}, and its value is missing`, async () => {
      const { results, called } = await runSteps([make, get], { excluded, ...options });
      assert.deepEqual(called, []);
      assert.deepEqual(
        results.map(({ step, outcome, failures }) => [step.name, outcome, failures]),
        [['get', 'skipped', [{ message: 'The variable ${id} has no value.' }]]],
      );
    });

  it('ends, and saves nothing, when it is stopped while it looks up what to save', async () => {
    const stop = new AbortController();
    const schemas = createSchemaCheck(async () => {
      stop.abort();
      return { kind: 'unchecked', reason: 'time' };
    });
    const ended: string[] = [];
    const onEnd = ({ step }: StepResult) => void ended.push(step.name);
    const steps = [{ ...make, save: { a: '$[?search(@.t,"^(a+)+$")]', b: '$.b' } }, make];
    const named = steps.map((step, index) => ({ ...step, name: `${index}` }));
    await assert.rejects(runSteps(named, { schemas, signal: stop.signal, onEnd }));
    assert.deepEqual(ended, []);
  });
});

describe('the time of a step', () => {
  for (const [what, isAsked, warned] of [
    ['is that of the server', false, ['It took 300 ms, more than 100 ms.']],
    ['is without that of a question about the call', true, []],
  ] as const)
    it(what, async () => {
      let time = 0;
      const server = fakeServer();
      const call: CallsSession['call'] = async (_name, _args, { onSend }) => {
        time += 300;
        if (isAsked) onSend?.();
        return { content: [], isError: false };
      };
      const { results } = await runSteps([{ call: 'make', expect: { maxMs: 100 } }], {
        open: async () => ({ server, call, end: async () => {} }),
        now: () => time,
      });
      assert.deepEqual(results[0]?.warnings, warned);
    });
});

describe('the error of a server that did not start', () => {
  const failed = { kind: 'failed', message: 'It failed.' } as const;
  const cases: readonly [
    what: string,
    outcome: Parameters<typeof startError>[1],
    ending: string | undefined,
    hasEnded: boolean,
  ][] = [
    ['its process ended', failed, 'exited with code 1', true],
    ['its program is missing', failed, undefined, false],
    ['it needs a sign-in', { kind: 'needsSignIn' }, undefined, false],
    ['its launch was declined', { kind: 'refused', message: 'Declined.' }, undefined, false],
  ];
  for (const [what, outcome, ending, hasEnded] of cases)
    it(`is one of a process that may run only once, or not: ${what}`, () => {
      const error = startError({ name: 'demo' }, outcome, { ending });
      assert.equal(error instanceof EndedAtStartError, hasEnded);
    });
});
