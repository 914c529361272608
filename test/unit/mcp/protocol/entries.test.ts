import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import * as fc from 'fast-check';
import {
  readPrompt,
  readResource,
  readResourceTemplate,
  readTool,
  type ReadEntry,
} from '../../../../src/mcp/protocol/entries';

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly name: string;
  readonly read: ReadEntry<unknown>;
  /** The minimum that makes an entry usable. */
  readonly least: Fields;
  /** Every optional field with a valid value. */
  readonly more: Fields;
  /** Invalid values of optional fields. */
  readonly wrong: readonly Fields[];
}

const described = {
  title: 'A title',
  description: 'What it is for',
  icons: [{ src: 'https://example.com/icon.png', sizes: ['48x48'], theme: 'dark' }],
  _meta: { 'com.example/x': 1 },
};
const wrongDescribed: readonly Fields[] = [
  { title: 5 },
  { description: ['x'] },
  { icons: 'icon.png' },
  { icons: [{ mimeType: 'image/png' }] },
  { icons: [null] },
  { _meta: [1] },
  { _meta: 'x' },
];
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
const wrongAnnotations: readonly Fields[] = [
  { annotations: 'x' },
  { annotations: [1] },
  { annotations: { audience: 'user' } },
  { annotations: { priority: 'high' } },
  { annotations: { lastModified: 7 } },
];

const kinds: readonly Kind[] = [
  {
    name: 'tool',
    read: readTool,
    least: { name: 't', inputSchema: {} },
    more: {
      ...described,
      outputSchema: { type: 'object' },
      annotations: { title: 'T', readOnlyHint: true, destructiveHint: false },
      execution: { taskSupport: 'optional' },
    },
    wrong: [
      ...wrongDescribed,
      { outputSchema: 'x' },
      { annotations: { readOnlyHint: 'yes' } },
      { annotations: { title: 1 } },
      { execution: true },
    ],
  },
  {
    name: 'prompt',
    read: readPrompt,
    least: { name: 'p' },
    more: {
      ...described,
      arguments: [{ name: 'a', title: 'A', description: 'd', required: true }, { name: 'b' }],
    },
    wrong: wrongDescribed,
  },
  {
    name: 'resource',
    read: readResource,
    least: { uri: 'note:abc', name: 'r' },
    more: { ...described, mimeType: 'text/plain', size: 12, annotations },
    wrong: [...wrongDescribed, ...wrongAnnotations, { mimeType: 1 }, { size: 'big' }],
  },
  {
    name: 'resource template',
    read: readResourceTemplate,
    least: { uriTemplate: 'note:{id}', name: 'r' },
    more: { ...described, mimeType: 'text/plain', annotations },
    wrong: [...wrongDescribed, ...wrongAnnotations, { mimeType: {} }],
  },
];

function entryOf(result: ReturnType<ReadEntry<unknown>>): unknown {
  return 'entry' in result ? result.entry : result;
}

for (const { name, read, least, more, wrong } of kinds) {
  describe(`an entry of a list: ${name}`, () => {
    it('needs no more than the protocol demands', () => {
      assert.deepEqual(entryOf(read(least)), least);
    });

    it('is kept as it came when all of it is right, unknown fields too', () => {
      const whole = { ...least, ...more, 'x-future': { deep: [1] } };
      assert.equal(entryOf(read(whole)), whole);
    });

    it('is walked over once when all of it is right', () => {
      // Only the hints of a tool have no fixed names, and are enumerated for that.
      const { annotations: _walkedTwice, ...whole } = { ...least, ...more };
      let objects = 0;
      let walks = 0;
      const counted = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        if (Array.isArray(value)) return value.map(counted);
        objects += 1;
        const parts = Object.entries(value).map(([key, part]) => [key, counted(part)]);
        return new Proxy(Object.fromEntries(parts) as object, {
          ownKeys(target) {
            walks += 1;
            return Reflect.ownKeys(target);
          },
        });
      };
      read(counted(whole));
      assert.equal(walks, objects);
    });

    const readAs: readonly (readonly [Fields, Fields])[] = [
      [{ title: null }, {}],
      [{ description: null }, {}],
      [{ icons: null }, {}],
      [{ icons: {} }, { icons: [] }],
      [{ _meta: [] }, { _meta: {} }],
      [{ _meta: null }, {}],
    ];
    for (const [fields, expected] of readAs)
      it(`is read, and said so, where it has ${JSON.stringify(fields)}`, () => {
        const said: string[] = [];
        const result = read({ ...least, ...fields }, (what, of) =>
          said.push(`${of}: ${what(inEnglish)}`),
        );
        assert.deepEqual(entryOf(result), { ...least, ...expected });
        const [field = ''] = Object.keys(fields);
        assert.match(
          said.join(),
          new RegExp(`^${String(least['name'])}: "${field}" is .* read as`),
        );
      });

    for (const fields of wrong) {
      it(`loses only ${JSON.stringify(fields)}`, () => {
        const [field = ''] = Object.keys(fields);
        const { [field]: _lost, ...rest } = more;
        assert.deepEqual(entryOf(read({ ...least, ...more, ...fields })), { ...least, ...rest });
      });
    }

    for (const field of Object.keys(least)) {
      for (const value of [undefined, null, 5, ['x']]) {
        it(`is left out, and named where it can be, when its ${field} is ${JSON.stringify(value)}`, () => {
          const result = read({ ...least, [field]: value });
          assert.ok('problem' in result);
          assert.match(
            result.problem(inEnglish),
            new RegExp(`^The ${name}.* was left out: its "${field}" `),
          );
          if (field !== 'name')
            assert.ok(result.problem(inEnglish).includes(`"${String(least['name'])}"`));
        });
      }
    }

    for (const value of [null, undefined, 5, 'text', [], true]) {
      it(`is left out when it is ${JSON.stringify(value)}`, () => {
        const result = read(value);
        assert.ok('problem' in result);
        const expected = `An entry that is not an object was left out: ${name}.`;
        assert.equal(result.problem(inEnglish), expected);
      });
    }

    it('is left out when it is nested so deeply that nothing could walk over it', () => {
      const nested = (depth: number) => {
        let value: unknown = {};
        for (let i = 0; i < depth; i += 1) value = [value];
        return { ...least, _meta: { value } };
      };
      assert.ok('entry' in read(nested(200)));
      for (const depth of [300, 100_000]) {
        const result = read(nested(depth));
        assert.ok('problem' in result);
        assert.match(
          result.problem(inEnglish),
          new RegExp(`^The ${name} was left out: it is nested`),
        );
      }
    });

    it('is read or reported, whatever a server sends', () => {
      const field = fc.constantFrom(...Object.keys({ ...least, ...more }));
      fc.assert(
        fc.property(fc.dictionary(field, fc.jsonValue()), (fields) => {
          const result = read({ ...least, ...fields });
          assert.ok('entry' in result !== 'problem' in result);
        }),
      );
    });

    it('may have fields that are called like those of every object', () => {
      const names = Object.getOwnPropertyNames(Object.prototype);
      const odd = { ...least, ...Object.fromEntries(names.map((key) => [key, 1])) };
      const entry = JSON.parse(JSON.stringify(odd)) as unknown;
      assert.deepEqual(entryOf(read(entry)), entry);
    });

    it('is never changed in place', () => {
      const entry = Object.freeze({ ...least, title: 5 });
      read(entry);
      assert.equal(entry.title, 5);
    });
  });
}

describe('an entry of a list: prompt', () => {
  const wrong: readonly unknown[] = ['x', [null], [{}], [{ name: 1 }], [{ name: 'a' }, 'b']];
  for (const value of wrong) {
    it(`is left out when its arguments are ${JSON.stringify(value)}: nobody could fill them in`, () => {
      assert.ok('problem' in readPrompt({ name: 'p', arguments: value }));
    });
  }
});
