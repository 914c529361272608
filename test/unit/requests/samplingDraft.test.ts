import assert from 'node:assert/strict';
import {
  RequestRefused,
  type CreateMessageRequest,
} from '../../../src/mcp/protocol/serverRequests';
import { deepJson, tooDeep } from '../../support/fakes/deepJson';
import { hasHidden } from '../../../src/base/text/text';
import { inEnglish } from '../../../src/base/translate';
import { readRequestSheet, requestSheet } from '../../../src/requests/sampling/review/requestSheet';
import { readSamplingDraft } from '../../../src/requests/sampling/review/samplingDraft';

const user = (...content: unknown[]) => ({ role: 'user' as const, content });
const assistant = (...content: unknown[]) => ({ role: 'assistant' as const, content });
const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string) => ({
  type: 'tool_use',
  id,
  name: 'get_weather',
  input: { city: 'Paris' },
});
const result = (toolUseId: string, ...content: unknown[]) => ({
  type: 'tool_result',
  toolUseId,
  content,
});

const read = (request: Partial<CreateMessageRequest>) =>
  readSamplingDraft({ messages: [], maxTokens: 100, ...request });

describe('a request for a model’s answer', () => {
  it('says of the result of a tool that is nested too deep that it is', () => {
    const answer = { ...result('1'), structuredContent: deepJson() };
    const { messages } = read({ messages: [assistant(use('1')), user(answer)] });
    assert.match(JSON.stringify(messages), tooDeep);
  });

  it('is refused where a call of a tool is nested too deep', () => {
    const call = { ...use('1'), input: { a: deepJson() } };
    assert.throws(() => read({ messages: [assistant(call), user(result('1'))] }), tooDeep);
  });

  const long = 'x'.repeat(1_000_001);
  const hidden = '\u200B'.repeat(130_000);
  const half = text('x'.repeat(600_000));
  const resultWith = (more: object) => ({
    messages: [assistant(use('1')), user({ ...result('1'), ...more })],
  });
  const toolWith = (more: object) => ({
    tools: [{ name: 'a', description: '', inputSchema: { type: 'object' }, ...more }],
  });
  for (const [what, request] of Object.entries<Partial<CreateMessageRequest>>({
    'a long message': { messages: [{ role: 'user', content: text(long) }] },
    'a message of hidden characters': { messages: [{ role: 'user', content: text(hidden) }] },
    'a long system prompt': { systemPrompt: long },
    'the long result of a tool': resultWith({ content: [text(long)] }),
    'results of a tool that are long together': resultWith({ content: [half, half] }),
    'a result with data of hidden characters': resultWith({ structuredContent: { hidden } }),
    'a call with hidden characters': {
      messages: [assistant({ ...use('1'), input: { hidden } }), user(result('1'))],
    },
    'a tool with a long description': toolWith({ description: long }),
    'a tool with a long schema': toolWith({ inputSchema: { type: 'object', title: long } }),
    'a tool with a schema that is nested deep': toolWith({
      inputSchema: { type: 'object', examples: [deepJson(140)] },
    }),
  }))
    it(`is refused with ${what}, which nobody could review in full`, () => {
      assert.throws(() => read(request), /to be shown in full/);
    });

  it('is read as the example of the protocol’s description has it', () => {
    const draft = read({
      messages: [{ role: 'user', content: text('当前目录下有哪些文件？') }],
      systemPrompt: '你是一名文件系统助手。',
      includeContext: 'thisServer',
    });
    assert.deepEqual(draft, {
      systemPrompt: '你是一名文件系统助手。',
      messages: [{ role: 'user', parts: [{ kind: 'text', text: '当前目录下有哪些文件？' }] }],
      tools: [],
      toolMode: 'auto',
      maxTokens: 100,
      stopSequences: [],
    });
  });

  for (const [what, block, part] of [
    ['a text', text('Hi'), { kind: 'text', text: 'Hi' }],
    [
      'an image',
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'data', mimeType: 'image/png', base64: 'AAAA' },
    ],
    [
      'a sound',
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { kind: 'data', mimeType: 'audio/wav', base64: 'AAAA' },
    ],
    [
      'a resource',
      { type: 'resource', resource: { uri: 'a:b', text: 'T' } },
      { kind: 'text', text: 'Resource a:b:\nT' },
    ],
    ['what is unknown', { type: 'new' }, { kind: 'text', text: '{\n  "type": "new"\n}' }],
  ] as const)
    it(`may hold ${what}`, () =>
      assert.deepEqual(read({ messages: [user(block)] }).messages[0]?.parts, [part]));

  it('may hold calls of tools with their results, and tools to call', () => {
    const draft = read({
      messages: [
        user(text('Weather?')),
        assistant(text('I look.'), use('1'), use('2')),
        user(result('1', text('18°C')), { ...result('2'), isError: true }),
      ],
      tools: [{ name: 'get_weather', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
    });
    assert.deepEqual(draft.messages[1]?.parts[1], {
      kind: 'call',
      id: '1',
      name: 'get_weather',
      input: { city: 'Paris' },
    });
    assert.deepEqual(draft.messages[2]?.parts, [
      { kind: 'answer', id: '1', content: [{ kind: 'text', text: '18°C' }] },
      { kind: 'answer', id: '2', content: [{ kind: 'text', text: 'The tool reported an error:' }] },
    ]);
    assert.deepEqual(draft.tools, [
      { name: 'get_weather', description: '', inputSchema: { type: 'object' } },
    ]);
    assert.equal(draft.toolMode, 'required');
  });

  const evil = 'a\u{E0041}\u200Bb\u202E';
  const places: Readonly<Record<string, Partial<CreateMessageRequest>>> = {
    'a text': { messages: [user(text(evil))] },
    'the instructions': { systemPrompt: evil },
    'a document': { messages: [user({ type: 'resource', resource: { uri: 'a:b', text: evil } })] },
    'a link': { messages: [user({ type: 'resource_link', uri: 'a:b', name: evil })] },
    'something unknown': { messages: [user({ type: evil })] },
    'what a tool is called with': {
      messages: [assistant({ ...use('1'), input: { [evil]: [{ a: evil }] } }), user(result('1'))],
    },
    'the result of a tool': resultWith({ content: [text(evil)] }),
    'the data of a tool': resultWith({ structuredContent: { [evil]: evil } }),
    'the description of a tool': toolWith({ description: evil }),
    'the schema of a tool': toolWith({
      inputSchema: { type: 'object', title: evil, properties: { title: { description: evil } } },
    }),
  };
  for (const [where, request] of Object.entries(places))
    it(`has what is hidden in it visible, so that a model gets what was reviewed: ${where}`, () => {
      const draft = read({ messages: [user(text('Hi'))], ...request });
      const sheet = requestSheet(draft, [], inEnglish).text;
      for (const all of [JSON.stringify(draft), sheet]) {
        assert.ok(all.includes('a⟨U+E0041⟩⟨U+200B⟩b⟨U+202E⟩'), all);
        assert.ok(!hasHidden(all), all);
      }
      assert.deepEqual(readRequestSheet(sheet, draft, inEnglish), { draft });
    });

  for (const [what, name] of [
    ['hidden characters', evil],
    ['two lines', 'get\nweather'],
    ['more than fits', 'a'.repeat(129)],
  ] as const)
    it(`is refused with the name of a tool that no review shows in full: ${what}`, () => {
      const called = { messages: [assistant({ ...use('1'), name }), user(result('1'))] };
      for (const request of [toolWith({ name }), called])
        assert.throws(() => read(request), /The name of a tool is too long/);
    });

  for (const [what, id] of [
    ['hidden characters', evil],
    ['two lines', '1\n2'],
    ['more than fits', 'a'.repeat(10_001)],
  ] as const)
    it(`is refused with the id of a call that is not one plain line: ${what}`, () => {
      for (const [call, answer] of [
        [id, id],
        ['1', id],
      ] as const)
        assert.throws(
          () => read({ messages: [assistant(use(call)), user(result(answer))] }),
          /The id of a call is too long/,
        );
    });

  it('takes ids as long as models make them', () => {
    const id = `call_1__thought__${'aB+/='.repeat(1900)}`;
    const { messages } = read({ messages: [assistant(use(id)), user(result(id))] });
    const ids = messages.flatMap(({ parts }) => parts.map((part) => 'id' in part && part.id));
    assert.deepEqual(ids, [id, id]);
  });

  for (const [what, schema] of Object.entries({
    'the name of a property': { properties: { [evil]: {} } },
    'the name of what is required': { required: [evil] },
    'a value': { properties: { a: { enum: [evil] } } },
    'the only value': { properties: { a: { const: evil } } },
    'the value if there is none': { properties: { a: { default: { [evil]: 1 } } } },
    'a pattern': { properties: { a: { pattern: evil } } },
  }))
    it(`is refused with a tool whose calls would have to repeat what is hidden: ${what}`, () => {
      const request = toolWith({ inputSchema: { type: 'object', ...schema } });
      assert.throws(() => read(request), /A name or a value in the schema of a tool/);
    });

  it('leaves what the calls of a tool must repeat as it is', () => {
    const inputSchema = { properties: { a: { enum: ['👩\u200D💻', '\u0007'] } }, required: ['a'] };
    assert.deepEqual(read(toolWith({ inputSchema })).tools[0]?.inputSchema, inputSchema);
  });

  for (const [request, message] of [
    [{ messages: [assistant(use('1')), user(result('2'))] }, /Tool result missing in request/],
    [{ messages: [assistant(use('1'))] }, /Tool result missing in request/],
    [
      { messages: [assistant(use('1')), user(result('1'), text('and'))] },
      /Tool results mixed with other content/,
    ],
    [{ messages: [{ role: 'system', content: text('x') }] }, /role "user" or "assistant"/],
    [{ messages: [null] }, /role/],
    [{ messages: [user({ type: 'image', mimeType: 'a/b', data: '?' })] }, /not valid base64/],
    [{ maxTokens: 0 }, /"maxTokens"/],
    [{ maxTokens: Number.NaN }, /"maxTokens"/],
    [{ tools: [{}] }, /A tool has no name/],
  ] as const)
    it(`is refused as invalid: ${JSON.stringify(request)}`, () =>
      assert.throws(
        () => read(request as unknown as CreateMessageRequest),
        (error) =>
          error instanceof RequestRefused && error.code === -32602 && message.test(error.message),
      ));

  it('loses only what cannot be meant', () => {
    const draft = read({
      stopSequences: ['END', '', 7] as string[],
      temperature: 'hot' as never,
      systemPrompt: 7 as never,
      tools: 'none' as never,
    });
    assert.deepEqual(draft.stopSequences, ['END']);
    assert.equal(draft.temperature, undefined);
    assert.equal(draft.systemPrompt, undefined);
    assert.deepEqual(draft.tools, []);
  });
});
