import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonRecord } from '../../../../src/base/json';
import { inEnglish, type LocalizableMessage } from '../../../../src/base/translate';
import {
  readCallToolResult,
  readCompletion,
  readContentBlock,
  readGetPromptResult,
  readReadResourceResult,
} from '../../../../src/mcp/protocol/results';

const text = { type: 'text', text: 'hello' };

/** Collects what is noted, in English. */
function noting() {
  const notes: string[] = [];
  return { notes, note: (what: LocalizableMessage) => void notes.push(what(inEnglish)) };
}

describe('a block of content', () => {
  const whole: readonly Readonly<Record<string, unknown>>[] = [
    text,
    { type: 'text', text: '', annotations: { audience: ['user'] }, _meta: { a: 1 } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations: { priority: 1 } },
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'x' } },
    { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', _meta: { a: 1 } } },
    { type: 'resource_link', uri: 'a:b', name: 'b', size: 5, description: 'd' },
  ];
  for (const block of whole) {
    it(`is kept as it came: ${JSON.stringify(block)}`, () =>
      assert.deepEqual(readContentBlock(block), block));
  }

  const strange: readonly unknown[] = [
    { type: 'hologram', data: 'AAAA', depth: 3 },
    { type: 'text' },
    { type: 'text', text: 5 },
    { type: 'image', data: 'AAAA' },
    { type: 'image', mimeType: 'image/png', data: [1] },
    { type: 'audio', data: null, mimeType: 'audio/wav' },
    { type: 'resource' },
    { type: 'resource', resource: { uri: 'a:b' } },
    { type: 'resource', resource: 'a:b' },
    { type: 'resource_link', uri: 'a:b' },
    { type: 'resource_link', name: 'b' },
    { text: 'no type' },
    { type: 5 },
    {},
    null,
    'text',
    7,
    [],
  ];
  for (const value of strange) {
    it(`is kept whole as unknown: ${JSON.stringify(value)}`, () =>
      assert.deepEqual(readContentBlock(value), { type: 'unknown', value }));
  }

  it('loses only the optional part that is wrong', () => {
    const block = { type: 'text', text: 'x', annotations: { audience: 'user' }, _meta: 'no' };
    assert.deepEqual(readContentBlock(block), { type: 'text', text: 'x' });
    const link = { type: 'resource_link', uri: 'a:b', name: 'b', size: 'big' };
    assert.deepEqual(readContentBlock(link), { type: 'resource_link', uri: 'a:b', name: 'b' });
  });

  it('is read whatever a server sends', () => {
    const kinds = ['text', 'image', 'audio', 'resource', 'resource_link'];
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (value, type) => {
        readContentBlock(value);
        readContentBlock({ type, text: value, data: value, resource: value, uri: value });
      }),
    );
  });
});

describe('the result of a tool', () => {
  it('keeps known blocks beside an unknown one, in order', () => {
    const future = { type: 'hologram', data: 'AAAA' };
    assert.deepEqual(readCallToolResult({ content: [text, future, text] }), {
      content: [text, { type: 'unknown', value: future }, text],
      isError: false,
    });
  });

  for (const structuredContent of [{ a: 1 }, [1, 2], 'text', 0, false, null]) {
    it(`keeps the structured content ${JSON.stringify(structuredContent)}`, () => {
      const result = readCallToolResult({ content: [], structuredContent });
      assert.deepEqual(result.structuredContent, structuredContent);
    });
  }

  for (const content of [undefined, null, {}, 5, true]) {
    it(`is no empty success where its content is ${JSON.stringify(content)}: it says what came`, () => {
      const { notes, note } = noting();
      const value = { content, other: 1 };
      assert.deepEqual(readCallToolResult(value, note), {
        content: [{ type: 'unknown', value, isWhole: true }],
        isError: false,
      });
      assert.deepEqual(notes, [
        'In its answer to tools/call, "content" is missing: what came instead is shown.',
      ]);
    });
  }

  const readAs: readonly (readonly [string, JsonRecord, object, RegExp])[] = [
    ['one block', { content: text }, { content: [text] }, /"content" is not a list/],
    ['a text', { content: 'hello' }, { content: [text] }, /"content" is not a list/],
    [
      'structured content alone',
      { structuredContent: { a: 1 } },
      { content: [], structuredContent: { a: 1 } },
      /missing beside "structuredContent"/,
    ],
    ['metadata of a list', { content: [], _meta: [] }, { content: [], _meta: {} }, /"_meta" is an/],
    [
      'annotations of a list',
      { content: [{ ...text, annotations: [], _meta: [] }] },
      { content: [{ ...text, annotations: {}, _meta: {} }] },
      /"annotations" is an empty list: it is read as an empty object/,
    ],
    [
      'an error as a text',
      { content: [], isError: 'true' },
      { content: [], isError: true },
      /isEr/,
    ],
    ['an error of null', { content: [], isError: null }, { content: [] }, /"isError" is null/],
  ];
  for (const [what, value, expected, told] of readAs)
    it(`is read where it is ${what}, which is told`, () => {
      const { notes, note } = noting();
      assert.deepEqual(readCallToolResult(value, note), { isError: false, ...expected });
      assert.match(notes.join(), told);
    });

  for (const [isError, expected] of [
    [true, true],
    [false, false],
    [undefined, false],
    ['true', true],
    ['yes', false],
    [1, false],
  ] as const) {
    it(`is ${expected ? 'an' : 'no'} error for isError ${JSON.stringify(isError)}`, () =>
      assert.equal(readCallToolResult({ content: [], isError }).isError, expected));
  }

  it('keeps its metadata', () =>
    assert.deepEqual(readCallToolResult({ content: [], _meta: { a: 1 } })._meta, { a: 1 }));
});

describe('the result of a prompt', () => {
  it('has its messages with their roles', () => {
    const messages = [
      { role: 'user', content: text },
      { role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
    ];
    assert.deepEqual(readGetPromptResult({ description: 'd', messages, _meta: { a: 1 } }), {
      description: 'd',
      messages,
      _meta: { a: 1 },
    });
  });

  it('has something to show where a message or its content is missing', () => {
    const { messages } = readGetPromptResult({ messages: [{ role: 'user' }, null] });
    const nothing = { role: 'user', content: { type: 'unknown', value: null } };
    assert.deepEqual(messages, [nothing, nothing]);
  });

  it('takes a message of an unknown role as the user’s', () => {
    const messages = [{ role: 'system', content: text }, { content: text }];
    const { messages: read } = readGetPromptResult({ messages });
    assert.deepEqual(
      read.map(({ role }) => role),
      ['user', 'user'],
    );
  });

  it('makes several messages of one whose content is a list', () => {
    const { messages } = readGetPromptResult({
      messages: [{ role: 'assistant', content: [text, { type: 'x' }] }],
    });
    assert.deepEqual(messages, [
      { role: 'assistant', content: text },
      { role: 'assistant', content: { type: 'unknown', value: { type: 'x' } } },
    ]);
  });

  it('keeps a message that is no message as unknown', () => {
    const { messages } = readGetPromptResult({ messages: [null, 'text', { role: 'user' }] });
    assert.equal(messages.length, 3);
    assert.ok(messages.every(({ content }) => content.type === 'unknown'));
  });

  for (const messages of [undefined, null, 5, {}]) {
    it(`is refused where its messages are ${JSON.stringify(messages)}, in what came instead`, () =>
      assert.throws(() => readGetPromptResult({ messages, a: 1 }), {
        message: /^The answer to prompts\/get has no list "messages"\. Instead came: \{.*"a":1\}$/,
      }));
  }

  for (const messages of [{ role: 'user', content: text }, 'hello'])
    it(`is read where its messages are ${JSON.stringify(messages)}, which is told`, () => {
      const { notes, note } = noting();
      const read = [{ role: 'user', content: text }];
      assert.deepEqual(readGetPromptResult({ messages }, note).messages, read);
      assert.match(notes.join(), /"messages" is not a list/);
    });
});

describe('the result of reading a resource', () => {
  it('keeps every document, text or bytes', () => {
    const contents = [
      { uri: 'a:1', text: '' },
      { uri: 'a:2', blob: 'AAAA', mimeType: 'image/png' },
    ];
    assert.deepEqual(readReadResourceResult({ contents, ttlMs: 5000, _meta: { a: 1 } }), {
      contents,
      ttlMs: 5000,
      _meta: { a: 1 },
    });
  });

  it('leaves out what has neither text nor bytes', () => {
    const { contents } = readReadResourceResult({
      contents: [{ uri: 'a:1' }, null, 'x', { uri: 'a:2', text: 5 }, { uri: 'a:3', text: 'x' }],
    });
    assert.deepEqual(contents, [{ uri: 'a:3', text: 'x' }]);
  });

  for (const contents of [undefined, null, 'x', {}])
    it(`is refused where its contents are ${JSON.stringify(contents)}, in what came instead`, () =>
      assert.throws(() => readReadResourceResult({ contents }), {
        message: /^The answer to resources\/read has no list "contents"/,
      }));

  it('quotes a bounded part of what came instead', () =>
    assert.throws(
      () => readReadResourceResult({ other: 'x'.repeat(100_000) }),
      ({ message }: Error) => message.length < 600,
    ));

  it('is read where it is one document in place of a list, which is told', () => {
    const { notes, note } = noting();
    const contents = { uri: 'a:1', text: 'x', _meta: [] };
    assert.deepEqual(readReadResourceResult({ contents }, note).contents, [
      { ...contents, _meta: {} },
    ]);
    assert.equal(notes.length, 2);
  });

  it('drops a media type that is none', () => {
    const { contents } = readReadResourceResult({
      contents: [{ uri: 'a:1', text: 'x', mimeType: 7 }],
    });
    assert.deepEqual(contents, [{ uri: 'a:1', text: 'x' }]);
  });
});

describe('the result of a completion', () => {
  const table: readonly (readonly [unknown, object])[] = [
    [
      { values: ['a', 'b'], total: 7, hasMore: true },
      { values: ['a', 'b'], total: 7, hasMore: true },
    ],
    [{ values: ['a', 5, null, 'b'] }, { values: ['a', 'b'] }],
    [{ values: 'a', total: '7', hasMore: 'yes' }, { values: [] }],
    [undefined, { values: [] }],
    [null, { values: [] }],
    ['a', { values: [] }],
  ];
  for (const [completion, expected] of table) {
    it(`of ${JSON.stringify(completion)} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(readCompletion({ completion }), expected));
  }
});
