import assert from 'node:assert/strict';
import {
  runSteps,
  type LeftOut,
  type Step,
  type StepAnswer,
  type StepPlace,
  type StepValues,
} from '../../../../src/ui/steps/multiStep';

/** Creates steps that answer from a script and record where they were asked. */
function scripted(keys: readonly string[], script: readonly StepAnswer<string>[]) {
  const asked: { key: string; place: StepPlace<string> }[] = [];
  const steps = keys.map((key): Step<string> => ({
    key,
    ask: (place) => {
      const answer = script[asked.length];
      asked.push({ key, place });
      assert.ok(answer, 'asked more often than expected');
      return Promise.resolve(answer);
    },
  }));
  return { steps, asked };
}

const next = (value?: string) => ({ kind: 'next', value }) as const;
const back = (value?: string) => ({ kind: 'back', value }) as const;

describe('a series of steps', () => {
  it('is done at once without steps', async () => {
    assert.deepEqual(await runSteps([]), { kind: 'done', values: new Map(), at: 0 });
  });

  it('asks each step once and numbers them from 1', async () => {
    const { steps, asked } = scripted(['a', 'b'], [next('1'), next('2')]);
    const { kind, values } = await runSteps(steps);
    assert.equal(kind, 'done');
    assert.deepEqual(Object.fromEntries(values), { a: '1', b: '2' });
    assert.deepEqual(
      asked.map(({ key, place }) => [key, place.number, place.count, place.canGoBack]),
      [
        ['a', 1, 2, false],
        ['b', 2, 2, true],
      ],
    );
  });

  it('goes back with what was typed, and shows it again', async () => {
    const { steps, asked } = scripted(['a', 'b'], [next('1'), back('half'), next('1x'), next('2')]);
    const { values } = await runSteps(steps);
    assert.deepEqual(
      asked.map(({ key }) => key),
      ['a', 'b', 'a', 'b'],
    );
    assert.equal(asked[2]?.place.values.get('a'), '1');
    assert.equal(asked[3]?.place.values.get('b'), 'half');
    assert.deepEqual(Object.fromEntries(values), { a: '1x', b: '2' });
  });

  it('shows all steps in each, and goes to the one that is chosen', async () => {
    const goTo = (to: string, value?: string) => ({ ...back(value), to });
    const script = [goTo('c', '1'), goTo('b', '3'), next('2'), next('4')];
    const { steps, asked } = scripted(['a', 'b', 'c'], script);
    const links = (values: StepValues<string>) =>
      ['a', 'b', 'c'].map((to) => ({ label: `${to}=${values.get(to) ?? ''}`, to }));
    const { kind, values } = await runSteps(steps, { links });
    assert.equal(kind, 'done');
    assert.deepEqual(Object.fromEntries(values), { a: '1', b: '2', c: '4' });
    assert.deepEqual(
      asked.map(({ key, place }) => [key, place.links?.map(({ label }) => label).join(' ')]),
      [
        ['a', 'a= b= c='],
        ['c', 'a=1 b= c='],
        ['b', 'a=1 b= c=3'],
        ['c', 'a=1 b=2 c=3'],
      ],
    );
  });

  it('gives all values after each step', async () => {
    const { steps } = scripted(['a', 'b'], [next('1'), back('half'), next(undefined), next('2')]);
    const given: object[] = [];
    await runSteps(steps, { onAnswer: (values) => given.push(Object.fromEntries(values)) });
    assert.deepEqual(given, [{ a: '1' }, { a: '1', b: 'half' }, { b: 'half' }, { b: '2' }]);
  });

  it('can leave out the rest, up to a step that must be answered', async () => {
    const rest = ({ isToEnd }: LeftOut) => (isToEnd ? 'Run' : 'Skip');
    const { steps, asked } = scripted(
      ['a', 'b', 'c', 'd', 'e', 'f'],
      [next('1'), { kind: 'rest', value: '2' }, next('4'), { kind: 'rest', value: undefined }],
    );
    const required = new Set(['a', 'd']);
    const all = steps.map((step) => ({ ...step, required: required.has(step.key) }));
    const { kind, values, at } = await runSteps(all, { rest });
    assert.equal(kind, 'done');
    // A user who comes back has not seen the steps after it.
    assert.equal(at, 4);
    assert.deepEqual(Object.fromEntries(values), { a: '1', b: '2', d: '4' });
    assert.deepEqual(
      asked.map(({ key, place }) => [key, place.rest]),
      [
        ['a', undefined],
        ['b', 'Skip'],
        ['d', undefined],
        ['e', 'Run'],
      ],
    );
  });

  it('hands on what a step holds before it is answered, with all others', async () => {
    const told: object[] = [];
    const onAnswer = (values: StepValues<string>) => told.push(Object.fromEntries(values));
    const step: Step<string> = {
      key: 'b',
      ask: (place) => {
        place.keep('hal');
        place.keep('half');
        return Promise.resolve(next('2'));
      },
    };
    const values = new Map([['a', '1']]);
    await runSteps([step], { values, onAnswer });
    assert.deepEqual(told, [
      { a: '1', b: 'hal' },
      { a: '1', b: 'half' },
      { a: '1', b: '2' },
    ]);
  });

  it('offers to leave out no rest where there is none', async () => {
    const rest = () => 'Run';
    const { steps, asked } = scripted(['a', 'b'], [next(), next('2')]);
    const all = steps.map((step) => ({ ...step, required: step.key === 'b' }));
    await runSteps(all, { rest });
    assert.deepEqual(
      asked.map(({ place }) => place.rest),
      [undefined, undefined],
    );
  });

  it('tells which of the steps that are left out have a value that was not shown', async () => {
    const { steps, asked } = scripted(
      ['a', 'b', 'c', 'd'],
      [next(), next('2'), back(), next('2'), { kind: 'rest', value: undefined }],
    );
    const values = new Map([
      ['b', 'old'],
      ['d', 'older'],
    ]);
    const left = await runSteps(steps, { values, rest: ({ unseen }) => unseen.join() });
    assert.deepEqual(
      asked.map(({ key, place }) => [key, place.rest]),
      [
        ['a', 'b,d'],
        ['b', 'd'],
        ['c', 'd'],
        ['b', 'd'],
        ['c', 'd'],
      ],
    );
    assert.equal(left.values.get('d'), 'older');
  });

  it('leaves a step out without losing the others', async () => {
    const { steps } = scripted(['a', 'b'], [next('1'), next()]);
    const { values } = await runSteps(steps, { values: new Map([['b', 'old']]) });
    assert.deepEqual(Object.fromEntries(values), { a: '1' });
  });

  for (const kind of ['cancel', 'leave'] as const)
    it(`ends with every value on ${kind}`, async () => {
      const { steps } = scripted(['a', 'b', 'c'], [next('1'), { kind, value: 'half' }]);
      const outcome = await runSteps(steps, { values: new Map([['c', 'given']]) });
      assert.equal(outcome.kind, kind);
      assert.deepEqual(Object.fromEntries(outcome.values), { a: '1', b: 'half', c: 'given' });
    });

  it('ends with back on the first step where something comes before it', async () => {
    const { steps, asked } = scripted(['a'], [back('half')]);
    const outcome = await runSteps(steps, { backFromFirst: true });
    assert.equal(asked[0]?.place.canGoBack, true);
    assert.deepEqual([outcome.kind, outcome.values.get('a')], ['back', 'half']);
  });

  it('does not let a step change what another was told', async () => {
    const { steps, asked } = scripted(['a', 'b'], [next('1'), next('2')]);
    await runSteps(steps);
    assert.equal(asked[0]?.place.values.size, 0);
  });
});
