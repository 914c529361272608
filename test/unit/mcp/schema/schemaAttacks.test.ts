import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import { nextTurn } from '../../../../src/base/async';
import { createSchemaCheck } from '../../../../src/mcp/schema/jsonSchema';
import type { JsonSchema } from '../../../../src/mcp/protocol/types';
import { maxWaitingChecks, SchemaThread } from '../../../../src/mcp/node/schema/schemaThread';
import { schemaThread } from '../../../support/schemaChecks';
import { until } from '../../../support/until';

interface Attack {
  readonly what: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** The possible outcomes; a fast machine may finish some of these checks in time. */
  readonly ends: readonly string[];
}

const stall = 250;
const harmless = { type: 'object', properties: { a: { type: 'number' } } };

/** Creates references that each refer to the next one twice, which makes 2 to the power of `levels` at the end. */
function doubled(levels: number): JsonSchema {
  const step = (level: number) => ({ $ref: `#/$defs/l${level}` });
  const $defs: Record<string, unknown> = { [`l${levels}`]: { type: 'number' } };
  for (let level = 0; level < levels; level += 1)
    $defs[`l${level}`] = { anyOf: [step(level + 1), step(level + 1)] };
  return { ...step(0), $defs };
}

const many = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));

const strings = (pattern: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string', pattern },
});

const attacks: readonly Attack[] = [
  {
    what: '20 references, each doubled by anyOf',
    schema: doubled(20),
    value: 'x',
    ends: ['time', 'memory'],
  },
  { what: '26 of them', schema: doubled(26), value: 'x', ends: ['time', 'memory'] },
  {
    what: '10,000 objects that must differ',
    schema: { type: 'array', uniqueItems: true },
    value: many(10_000, (index) => ({ a: { b: index }, c: [index] })),
    ends: ['valid', 'time'],
  },
  {
    what: '300 texts against a pattern that takes long for each',
    schema: strings('^(a+)+$'),
    value: many(300, () => `${'a'.repeat(26)}!`),
    ends: ['time'],
  },
  {
    what: 'a pattern that never ends',
    schema: { type: 'string', pattern: '^(a+)+$' },
    value: `${'a'.repeat(60)}!`,
    ends: ['time'],
  },
  {
    what: '20,000 texts against a harmless pattern',
    schema: strings('^[a-z]+$'),
    value: many(20_000, (index) => `text${index}`.replaceAll(/\d/g, 'x')),
    ends: ['valid', 'time'],
  },
  {
    what: '5,000 properties',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        many(5000, (index) => [`p${index}`, { type: 'string', minLength: 2, pattern: '^x+$' }]),
      ),
    },
    value: { p1: 'xx' },
    ends: ['valid', 'time'],
  },
  {
    what: 'a schema of 10 kB whose references multiply, and a value that meets none of them',
    schema: {
      type: 'object',
      $defs: Object.fromEntries(
        many(30, (level) => [
          `d${level}`,
          {
            properties: Object.fromEntries(
              many(12, (index) => [`p${index}`, { $ref: `#/$defs/d${(level + 1) % 30}` }]),
            ),
          },
        ]),
      ),
      properties: { start: { $ref: '#/$defs/d0' } },
    },
    value: { start: {} },
    ends: ['valid', 'time'],
  },
  {
    what: 'a reference to itself',
    schema: { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
    value: 1,
    ends: ['unusable', 'valid', 'time', 'memory'],
  },
  {
    what: 'a million empty objects',
    schema: { type: 'array' },
    value: many(1_000_000, () => ({})),
    ends: ['size'],
  },
  {
    what: 'errors without number',
    schema: {
      type: 'array',
      items: { allOf: many(200, () => ({ type: 'string', minLength: 3, enum: ['x'] })) },
    },
    value: many(50_000, () => 1),
    ends: ['memory', 'time'],
  },
  {
    what: 'a value nested 100,000 deep',
    schema: { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } },
    value: many(100_000, (index) => index).reduce<unknown>((inner) => [inner], []),
    ends: ['size'],
  },
  {
    what: 'a schema of more than a megabyte',
    schema: { ...harmless, description: 'x'.repeat(1_000_001) },
    value: {},
    ends: ['size'],
  },
  {
    what: 'a value of 20 MB',
    schema: harmless,
    value: { a: 'x'.repeat(20_000_000) },
    ends: ['size'],
  },
];

describe('A schema or a value that is made to take long', function () {
  this.timeout(60_000);
  const { check } = createSchemaCheck(schemaThread({ ms: 250, megabytes: 64 }).run);
  const usual = createSchemaCheck(schemaThread().run);

  for (const { what, schema, value, ends } of attacks)
    it(`is given up in time, with the caller's thread free: ${what}`, async () => {
      let least = Infinity;
      // Other programs can slow down a single run, so the fastest of eight counts.
      for (let times = 0; times < 8 && least >= stall; times += 1) {
        const before = performance.eventLoopUtilization();
        const validation = await check(schema, value);
        least = Math.min(least, performance.eventLoopUtilization(before).active);
        const end = validation.kind === 'unchecked' ? validation.reason : validation.kind;
        assert.ok(ends.includes(end), `ended in ${JSON.stringify(validation)}`);
      }
      assert.ok(least < stall, `the caller's thread was busy for ${least} ms`);
      assert.equal((await usual.check(harmless, { a: 'x' })).kind, 'invalid');
    });

  it('is not even sent to the thread where its schema or value is too large', async () => {
    const { check: checkHere } = createSchemaCheck(() => assert.fail('It was sent.'));
    const tooLarge = { kind: 'unchecked', reason: 'size' };
    assert.deepEqual(await checkHere({ title: 'x'.repeat(1_000_001) }, {}), tooLarge);
    assert.deepEqual(await checkHere({}, 'x'.repeat(2_000_001)), tooLarge);
  });

  it('does not touch the checks that wait behind it', async () => {
    const [attack, next] = await Promise.all([
      check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`),
      check(harmless, { a: 'x' }),
    ]);
    assert.ok(attack.kind === 'unchecked' && attack.reason === 'time');
    assert.ok(next.kind === 'invalid' || next.kind === 'unchecked');
  });

  it('has its thread asked for its time, unlike one that is checked at once', async () => {
    const { cpuUsage } = Worker.prototype as { readonly cpuUsage?: unknown };
    let asked = 0;
    Object.assign(Worker.prototype, {
      cpuUsage: async () => ({ user: (asked += 1) * 1_000_000, system: 0 }),
    });
    const { check: checkHere } = createSchemaCheck(schemaThread({ ms: 250, megabytes: 64 }).run);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      assert.equal((await checkHere(harmless, { a: 'x' })).kind, 'invalid');
      const attack = checkHere({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`);
      await nextTurn();
      assert.equal(asked, 0);
      for (const times of [1, 2]) {
        mock.timers.tick(249);
        await until(() => asked === times);
      }
      const validation = await attack;
      assert.ok(validation.kind === 'unchecked' && validation.reason === 'time');
    } finally {
      mock.timers.reset();
      if (cpuUsage === undefined) Reflect.deleteProperty(Worker.prototype, 'cpuUsage');
      else Object.assign(Worker.prototype, { cpuUsage });
    }
  });

  it('that needs more memory than there may be ends alone', async () => {
    const { run } = schemaThread({ ms: 10_000, megabytes: 16 });
    const value = many(100_000, (index) => ({ index }));
    const validation = await createSchemaCheck(run).check({ type: 'array' }, value);
    assert.ok(
      validation.kind === 'unchecked' && validation.reason === 'memory',
      JSON.stringify(validation),
    );
    assert.equal((await createSchemaCheck(run).check(harmless, { a: 1 })).kind, 'valid');
  });
});

describe('Without its thread', () => {
  it('a check says that it could not be made', async () => {
    const thread = new SchemaThread({ ms: 250, megabytes: 64 }, '/nowhere/schemaWorker.js');
    const validation = await createSchemaCheck(thread.run).check(harmless, { a: 'x' });
    assert.ok(validation.kind === 'unchecked' && validation.reason === 'unavailable');
  });

  it('a check is not made where too many wait already', async () => {
    const { check } = createSchemaCheck(schemaThread().run);
    const checks = Array.from({ length: maxWaitingChecks + 10 }, () => check(harmless, { a: 1 }));
    const validations = await Promise.all(checks);
    assert.equal(validations.filter(({ kind }) => kind === 'valid').length, maxWaitingChecks);
    assert.equal(validations.filter(({ kind }) => kind === 'unchecked').length, 10);
    assert.equal((await check(harmless, { a: 1 })).kind, 'valid');
  });

  it('a check that was under way says so, and so does one that comes later', async () => {
    const thread = schemaThread();
    const { check } = createSchemaCheck(thread.run);
    await check(harmless, { a: 1 });
    const underWay = check({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`);
    thread.dispose();
    for (const validation of [await underWay, await check(harmless, { a: 1 })])
      assert.ok(validation.kind === 'unchecked' && validation.reason === 'unavailable');
  });
});
