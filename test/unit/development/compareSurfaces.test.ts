import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import {
  type Surface,
  type SurfaceChange,
  changesText,
  compareSurfaces,
  countText,
  maxReasons,
  maxWritten,
} from '../../../src/development/surface/compareSurfaces';
import type { JsonSchema, Tool } from '../../../src/mcp/protocol/types';
import { tool } from '../../support/fakes/fakeServer';

type Lists = Surface['lists'];

const surface = (lists: Partial<Lists> = {}, info: Partial<Surface['info']> = {}): Surface => ({
  info: { protocolVersion: '2025-11-25', capabilities: {}, ...info },
  lists: { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [], ...lists },
});

const compare = (before: Surface, after: Surface) => compareSurfaces(before, after, inEnglish);

const shown = (changes: readonly SurfaceChange[]) =>
  changes.map(({ kind, part, name, breaks }) => [kind, part, name, ...breaks].join(' '));

const object = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

const input = (inputSchema: JsonSchema): Tool => tool({ inputSchema });
const output = (outputSchema: JsonSchema): Tool => tool({ outputSchema });
const text = { type: 'string' };

describe('the difference of two surfaces', () => {
  it('is empty where nothing but the order changed', async () => {
    const [a, b] = [tool({ name: 'a' }), tool({ name: 'b', inputSchema: object({ x: text }) })];
    const again = { ...b, inputSchema: { required: [], properties: { x: text }, type: 'object' } };
    assert.deepEqual(await compare(surface({ tools: [a, b] }), surface({ tools: [again, a] })), []);
  });

  it('names each part of each kind', async () => {
    const before = surface(
      {
        tools: [tool({ name: 'same' }), tool({ name: 'told' }), tool({ name: 'old' })],
        prompts: [{ name: 'old' }],
        resources: [{ name: 'r', uri: 'a:1' }],
        resourceTemplates: [{ name: 't', uriTemplate: 'a:{x}' }],
      },
      { instructions: 'a', capabilities: { tools: {}, prompts: {} } },
    );
    const after = surface(
      {
        tools: [tool({ name: 'same' }), tool({ name: 'told', description: 'd' })],
        prompts: [{ name: 'new' }],
        resources: [{ name: 'r', uri: 'a:2' }],
      },
      { instructions: 'b', capabilities: { tools: {}, resources: {} } },
    );
    assert.deepEqual(shown(await compare(before, after)), [
      'changed capabilities  The capability "prompts" is gone.',
      'changed instructions ',
      'changed tools told',
      'gone tools old It is gone.',
      'gone prompts old It is gone.',
      'new prompts new',
      'gone resources a:1',
      'new resources a:2',
      'gone resourceTemplates a:{x} It is gone.',
    ]);
  });

  for (const [title, before, after, breaks] of [
    [
      'an argument that is required now',
      input(object({ a: text })),
      input(object({ a: text }, ['a'])),
      ['"a" is required now.'],
    ],
    [
      'a new required argument',
      input(object({})),
      input(object({ a: text }, ['a'])),
      ['"a" is required now.'],
    ],
    ['a new argument that is optional', input(object({})), input(object({ a: text })), []],
    [
      'an argument that is gone',
      input(object({ a: text })),
      input(object({})),
      ['The argument "a" is gone.'],
    ],
    [
      'a narrowed enum',
      input(object({ a: { enum: ['x', 'y'] } })),
      input(object({ a: { enum: ['y', 'z'] } })),
      ['"a" no longer takes "x".'],
    ],
    [
      'a widened enum',
      input(object({ a: { enum: ['x'] } })),
      input(object({ a: { enum: ['x', 'y'] } })),
      [],
    ],
    [
      'an enum where there was none',
      input(object({ a: text })),
      input(object({ a: { ...text, enum: ['x'] } })),
      ['"a" takes only certain values now.'],
    ],
    [
      'another type below a list, behind a reference',
      input(
        object({ a: { items: { $ref: '#/$defs/x' } } }, [], { $defs: { x: { type: 'number' } } }),
      ),
      input(object({ a: { items: { type: 'string' } } })),
      ['"a[]" no longer takes number.'],
    ],
    [
      'an integer that may be any number',
      input(object({ a: { type: 'integer' } })),
      input(object({ a: { type: 'number' } })),
      [],
    ],
    [
      'a field of the output that is gone',
      output(object({ a: object({ b: text }) })),
      output(object({ a: object({}) })),
      ['The field "a.b" is gone.'],
    ],
    [
      'a field of the output that may be missing',
      output(object({ a: text }, ['a'])),
      output(object({ a: text })),
      ['"a" can be missing now.'],
    ],
    [
      'a field of the output that may be null',
      output(object({ a: text })),
      output(object({ a: { type: ['string', 'null'] } })),
      ['"a" can be null now.'],
    ],
    ['a new field of the output', output(object({})), output(object({ a: text }, ['a'])), []],
    ['no output schema', output(object({})), tool(), ['It no longer has an output schema.']],
    ['another description', tool(), tool({ description: 'new' }), []],
    [
      'names that every object has',
      input(object({ constructor: text })),
      input(object({})),
      ['The argument "constructor" is gone.'],
    ],
  ] as const)
    it(`says of ${title} what breaks`, async () => {
      const [change, ...more] = await compare(
        surface({ tools: [before] }),
        surface({ tools: [after] }),
      );
      assert.deepEqual(more, []);
      assert.deepEqual(change?.breaks, breaks);
    });

  it('says of a prompt which arguments break', async () => {
    const prompt = (...args: { name: string; required?: boolean }[]) =>
      surface({ prompts: [{ name: 'p', arguments: args }] });
    const changes = await compare(
      prompt({ name: 'a' }, { name: 'b' }),
      prompt({ name: 'a', required: true }, { name: 'c' }),
    );
    assert.deepEqual(changes[0]?.breaks, ['The argument "b" is gone.', '"a" is required now.']);
  });

  it('ends on schemas that refer to themselves or are huge', async () => {
    const loop = (type: string) =>
      input({ $ref: '#/$defs/x', $defs: { x: object({ a: { $ref: '#/$defs/x' }, b: { type } }) } });
    const names = Array.from({ length: 5000 }, (_, index) => [`p${index}`, text]);
    for (const [was, is] of [
      [loop('string'), loop('number')],
      [input(object(Object.fromEntries(names))), input(object({}))],
    ] as const) {
      const [change] = await compare(surface({ tools: [was] }), surface({ tools: [is] }));
      assert.equal(change?.breaks.length, maxReasons);
    }
  });

  for (const [what, $ref, $defs] of [
    ['are long', `#/${'a/'.repeat(20_000)}`, {}],
    ['lead to what is large', '#/$defs/a', { a: { enum: Array.from({ length: 20_000 }, String) } }],
  ] as const)
    it(`takes no time for many references that ${what}`, async () => {
      const names = Array.from({ length: 1000 }, (_, index) => [`p${index}`, { $ref }]);
      const own = (more: object) => input({ ...object(Object.fromEntries(names)), $defs, ...more });
      const begun = process.cpuUsage();
      await compare(surface({ tools: [own({})] }), surface({ tools: [own({ title: 'b' })] }));
      assert.ok(process.cpuUsage(begun).user < 5_000_000);
    });

  it('counts and writes out what changed, up to a bound', async () => {
    const tools = Array.from({ length: maxWritten + 5 }, (_, index) => tool({ name: `t${index}` }));
    const changes = await compare(
      surface({ tools: [tool({ name: 'a' }), tool({ name: '__proto__' })] }),
      surface({ tools: [tool({ name: 'a', title: 'A' }), ...tools] }),
    );
    assert.equal(countText(changes, inEnglish), `1 changed · ${tools.length} new · 1 gone`);
    const { before, after } = changesText(changes);
    assert.match(before, /"__proto__": \{/);
    assert.ok(after.includes(`"t${maxWritten - 3}"`) && !after.includes(`"t${maxWritten}"`));
  });
});
