import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { requestInBrief } from '../../../src/requests/sampling/review/requestNotes';
import { argumentPicks } from '../../../src/ui/rows/argumentRows';
import type { ModelMessage } from '../../../src/contracts/modelMessages';
import { readRequestSheet, requestSheet } from '../../../src/requests/sampling/review/requestSheet';
import type { SamplingDraft } from '../../../src/requests/sampling/review/samplingDraft';

const t = (message: string, ...args: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');

const text = (value: string) => ({ kind: 'text', text: value }) as const;
const image = { kind: 'data', mimeType: 'image/png', base64: 'AAAA' } as const;

const draft: SamplingDraft = {
  systemPrompt: 'You are terse.\n\nAlways.',
  messages: [
    { role: 'user', parts: [text('Weather?\n'), image, text('1 user\nsystemPrompt')] },
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

/** Returns what is read after one edit of the shown text. */
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

limits
  {
    "maxTokens": 100,
    "temperature": 0.5,
    "stopSequences": [
      "END"
    ]
  }

systemPrompt
  You are terse.

  Always.

1 user
  Weather?


1.2 user · image/png, 3 B

1.3 user
  1 user
  systemPrompt

2 assistant · calls get
  {
    "city": "Paris"
  }

3 user · result of the call c
  18°C
  [image/png, 3 B]

tool 1 · get
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
      ['1.2 user · image/png, 3 B'],
    );
  });

  it('gives back exactly what was shown where nothing was edited, whatever it holds', () => {
    assert.deepEqual(read(shown()), { draft });
    assert.deepEqual(read(shown().replaceAll('\n', '\r\n')), { draft });
    const unit = fc.constantFrom('\n', ' ', '\t', '1', ' user', 'limits', '\u202E', '\r', '·', 'x');
    const value = fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), value, (texts, systemPrompt) => {
        const messages = texts.map((each): ModelMessage => ({ role: 'user', parts: [text(each)] }));
        const { systemPrompt: _, ...plain } = { ...draft, messages, tools: [] };
        const any: SamplingDraft = systemPrompt ? { ...plain, systemPrompt } : plain;
        assert.deepEqual(read(shown(any), any), { draft: any });
      }),
      { numRuns: 100 },
    );
  });

  it('is read back alike in every language, whatever stands behind a heading', () => {
    const sheet = requestSheet(draft, [], (message) => `译 ${message.length}`).text;
    assert.notEqual(sheet, requestSheet(draft, [], t).text);
    assert.deepEqual(read(sheet), { draft });
    assert.deepEqual(read(sheet.replaceAll(/ · .*$/gm, ' · x')), { draft });
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
    assert.equal(edit(/systemPrompt\n( {2}.*\n|\n)+/, '').systemPrompt, undefined);
    assert.deepEqual(edit(/1.2 user · image.*\n/, '').messages[0]?.parts.length, 2);
    assert.deepEqual(edit(/tool 1 · get\n[^]*/, '').tools, []);
    assert.deepEqual(
      edit(/tool 1 · get\n/, '4 user\n  And\n  more\n\ntool 1 · get\n').messages[3],
      {
        role: 'user',
        parts: [text('And\nmore')],
      },
    );
  });

  it('never lets a hidden character through that the user edited around', () => {
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
    ['"maxTokens": 100', '"maxTokens": 0', /Line 4: limits: "maxTokens" must be a number/],
    ['"maxTokens": 100', '"maxTokens": ', /limits: enter a JSON object/],
    ['"END"', '7', /"stopSequences" must be a list of texts/],
    ['"city": "Paris"', 'Paris', /what a tool is called with must be a JSON object/],
    ['"description": "Gets it",', '', /a tool needs a "description" and an "inputSchema"/],
    [/1 user\n[^]*(?=tool 1)/, '', /There is no message left to send/],
    [/^3 user[^]*(?=tool 1)/m, '', /Tool result missing in request/],
  ] as const)
    it(`says what is wrong where ${String(from)} became “${to}”`, () => {
      const before = shown();
      const after = before.replace(from, to);
      assert.notEqual(after, before);
      const result = read(after);
      assert.match('problem' in result ? result.problem : 'no problem', problem);
    });
});

describe('a request in brief', () => {
  const request = { messages: [], maxTokens: 100, modelPreferences: { costPriority: 0.2 } };
  const rows = (of: SamplingDraft) =>
    argumentPicks(requestInBrief(request, of), 9, 'The request').map(({ label }) => label);

  it('has what matters in a few rows: each message, the system prompt, the tools and the limits', () => {
    assert.deepEqual(requestInBrief(request, draft), {
      '1 user': ['Weather?\n', '[image/png, 3 B]', '1 user\nsystemPrompt'],
      '2 assistant': 'get {\n  "city": "Paris"\n}',
      '3 user': '18°C\n[image/png, 3 B]',
      systemPrompt: draft.systemPrompt,
      tools: ['get'],
      modelPreferences: { costPriority: 0.2 },
      limits: { maxTokens: 100, temperature: 0.5, stopSequences: ['END'] },
    });
  });

  it('has no more rows for a long conversation, of which it shows both ends and nothing hidden', () => {
    const messages: readonly ModelMessage[] = Array.from({ length: 50 }, (_, index) => ({
      role: 'user',
      parts: [text(`${index}\u200b${'$(x)'.repeat(500)}`)],
    }));
    const shownRows = rows({ ...draft, messages });
    assert.ok(shownRows.length <= 10, shownRows.join('\n'));
    assert.match(
      shownRows.join('\n'),
      /^messages: \[\{"1 user":"0⟨U\+200B⟩.* … .*"\}\]\nsystemPrompt/s,
    );
    assert.equal(shownRows.join('').includes('$('), false);
  });
});
