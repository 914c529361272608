import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Message } from '../../../src/contracts/modelMessages';
import { readRequestSheet, requestSheet } from '../../../src/requests/sampling/review/requestSheet';
import type { SamplingDraft } from '../../../src/requests/sampling/review/samplingDraft';

const t = (message: string, ...args: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');

const text = (value: string) => ({ kind: 'text', text: value }) as const;
const image = { kind: 'data', mimeType: 'image/png', base64: 'AAAA' } as const;

const draft: SamplingDraft = {
  systemPrompt: 'You are terse.\n\nAlways.',
  messages: [
    { role: 'user', parts: [text('Weather?\n'), image, text('1 User\nSystem prompt')] },
    {
      role: 'assistant',
      parts: [{ kind: 'call', id: 'c', name: 'get', input: { city: 'Paris' } }],
    },
    { role: 'user', parts: [{ kind: 'answer', id: 'c', content: [text('18°C'), image] }] },
  ],
  tools: [{ name: 'get', description: 'Gets it', inputSchema: { type: 'object' } }],
  toolMode: 'auto',
  maxTokens: 100,
  temperature: 0.5,
  stopSequences: ['END'],
};

const shown = (of = draft) => requestSheet(of, ['demo asks', '⚠ note'], t).text;
const read = (edited: string, of = draft) => readRequestSheet(edited, of, t);

/** What reading gives after one edit of the shown text. */
function edit(from: string | RegExp, to: string): SamplingDraft {
  const before = shown();
  const after = before.replace(from, to);
  assert.notEqual(after, before);
  const result = read(after);
  assert.ok('draft' in result, 'problem' in result ? result.problem : '');
  return result.draft;
}

describe('the sheet of a request', () => {
  it('shows all of it, and where media stands', () => {
    const { text: sheet, media } = requestSheet(draft, ['demo asks'], t);
    assert.equal(
      sheet,
      `demo asks

Limits
  {
    "maxTokens": 100,
    "temperature": 0.5,
    "stopSequences": [
      "END"
    ]
  }

System prompt
  You are terse.

  Always.

1 User
  Weather?


1 User · image/png, 3 B · part 2

1 User · part 3
  1 User
  System prompt

2 Assistant · calls get
  {
    "city": "Paris"
  }

3 User · result of the call c
  18°C
  [image/png, 3 B]

Tool get
  {
    "description": "Gets it",
    "inputSchema": {
      "type": "object"
    }
  }
`,
    );
    assert.deepEqual(
      media.map(({ line }) => sheet.split('\n')[line]),
      ['1 User · image/png, 3 B · part 2'],
    );
  });

  it('gives back exactly what was shown where nothing was edited, whatever it holds', () => {
    assert.deepEqual(read(shown()), { draft });
    assert.deepEqual(read(shown().replaceAll('\n', '\r\n')), { draft });
    const unit = fc.constantFrom('\n', ' ', '\t', '1', ' User', 'Limits', '\u202E', '\r', '·', 'x');
    const value = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), value, (texts, systemPrompt) => {
        const messages = texts.map((each): Message => ({ role: 'user', parts: [text(each)] }));
        const { systemPrompt: _, ...plain } = { ...draft, messages, tools: [] };
        const any: SamplingDraft = systemPrompt ? { ...plain, systemPrompt } : plain;
        assert.deepEqual(read(shown(any), any), { draft: any });
      }),
      { numRuns: 100 },
    );
  });

  it('takes edited texts, prompts, calls, results, tools and limits', () => {
    assert.equal(edit('You are terse.', 'You are kind.').systemPrompt, 'You are kind.\n\nAlways.');
    assert.deepEqual(edit('Weather?\n', 'Rain?\n').messages[0]?.parts[0], text('Rain?'));
    assert.deepEqual(edit('"Paris"', '"Oslo"').messages[1]?.parts[0], {
      kind: 'call',
      id: 'c',
      name: 'get',
      input: { city: 'Oslo' },
    });
    assert.deepEqual(edit('18°C', '20°C').messages[2]?.parts[0], {
      kind: 'answer',
      id: 'c',
      content: [text('20°C\n[image/png, 3 B]')],
    });
    assert.equal(edit('Gets it', 'Has it').tools[0]?.description, 'Has it');
    assert.equal(edit('100', '50').maxTokens, 50);
    assert.equal(edit('\n    "temperature": 0.5,', '').temperature, undefined);
  });

  it('takes out what was deleted, and takes in what was written', () => {
    assert.equal(edit(/System prompt\n( {2}.*\n|\n)+/, '').systemPrompt, undefined);
    assert.deepEqual(edit(/1 User · image.*\n/, '').messages[0]?.parts.length, 2);
    assert.deepEqual(edit(/Tool get\n[^]*/, '').tools, []);
    assert.deepEqual(edit(/Tool get\n/, '4 User\n  And\n  more\n\nTool get\n').messages[3], {
      role: 'user',
      parts: [text('And\nmore')],
    });
  });

  it('never lets a hidden character through that the person edited around', () => {
    const hidden: SamplingDraft = {
      ...draft,
      messages: [{ role: 'user', parts: [text('good\u{E0041} dog')] }],
    };
    const result = read(shown(hidden).replace('dog', 'cat'), hidden);
    assert.deepEqual('draft' in result && result.draft.messages[0]?.parts, [
      text('good⟨U+E0041⟩ cat'),
    ]);
  });

  for (const [from, to, problem] of [
    ['  Weather?', 'Weather?', /^Line 1\d: “Weather\?” is not a heading\. Indent texts/],
    ['"maxTokens": 100', '"maxTokens": 0', /Line 4: these are no limits/],
    ['"maxTokens": 100', '"maxTokens": ', /these are no limits/],
    ['"END"', '7', /these are no limits/],
    ['"city": "Paris"', 'Paris', /what a tool is called with must be a JSON object/],
    ['"description": "Gets it",', '', /a tool needs a "description" and an "inputSchema"/],
    [/1 User\n[^]*(?=Tool get)/, '', /There is no message left to send/],
    [/3 User[^]*(?=Tool get)/, '', /Tool result missing in request/],
  ] as const)
    it(`says what is wrong where ${String(from)} became “${to}”`, () => {
      const before = shown();
      const after = before.replace(from, to);
      assert.notEqual(after, before);
      const result = read(after);
      assert.match('problem' in result ? result.problem : 'no problem', problem);
    });
});
