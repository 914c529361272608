import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import {
  readWrittenAnswer,
  withBlock,
  withCall,
} from '../../../src/requests/sampling/review/writtenAnswer';

const text = { type: 'text', text: 'Paris' };
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const call = { type: 'tool_use', id: '1', name: 'weather', input: {} };
const answer = (fields: object = {}) => ({
  role: 'assistant',
  content: text,
  model: 'written-by-hand',
  stopReason: 'endTurn',
  ...fields,
});
const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};
const weather = { name: 'weather', inputSchema };
const bounds = { tools: [weather], several: true };
const read = (written: object | string, of = bounds) =>
  readWrittenAnswer(typeof written === 'string' ? written : JSON.stringify(written), of, inEnglish);

describe('an answer that is written in place of a model', () => {
  const usable: readonly [what: string, written: object][] = [
    ['a text', answer()],
    ['an image', answer({ content: image })],
    ['a sound', answer({ content: { ...image, type: 'audio' } })],
    ['a call of a tool of the server', answer({ content: call, stopReason: 'toolUse' })],
    ['several blocks', answer({ content: [text, image, call] })],
    ['a reason of its own, in the role of the user', answer({ role: 'user', stopReason: 'why' })],
    ['no reason', answer({ stopReason: undefined })],
  ];
  for (const [what, written] of usable)
    it(`goes out as it is with ${what}`, () =>
      assert.deepEqual(read(written), { written: JSON.parse(JSON.stringify(written)) as object }));

  const one = { ...bounds, several: false };
  const wrong: readonly [what: string, written: object | string, problem: RegExp, of?: object][] = [
    ['no JSON', '{', /not a JSON object/],
    ['a number that would be another', '{"a": 12345678901234567890}', /12345678901234567890/],
    ['another role', answer({ role: 'system' }), /"role" must be/],
    ['no model', answer({ model: '' }), /"model" must be/],
    ['a reason that is no text', answer({ stopReason: 1 }), /"stopReason" must be/],
    ['nothing in it', answer({ content: [] }), /must not be empty/],
    ['several blocks for a server that knows one', answer({ content: [text] }), /one block/, one],
    ['a block of no type', answer({ content: {} }), /known type: text, image, audio, tool_use/],
    ['a text without text', answer({ content: { type: 'text' } }), /needs a "text"/],
    ['an image that is no base64', answer({ content: { ...image, data: '?' } }), /must be base64/],
    ['an image of no type', answer({ content: { ...image, mimeType: 1 } }), /needs "data"/],
    [
      'a call of a tool that the server does not have',
      answer({ content: { ...call, name: 'other' } }),
      /one of the tools: weather/,
    ],
    [
      'a call where there are no tools',
      answer({ content: call }),
      /no tools/,
      { ...bounds, tools: [] },
    ],
  ];
  for (const [what, written, problem, of] of wrong)
    it(`is not taken with ${what}`, () => {
      const result = read(written, { ...bounds, ...of });
      assert.match('problem' in result ? result.problem : '', problem);
    });

  const cases: readonly [what: string, content: unknown, several: boolean, now: unknown][] = [
    ['in place of the empty text', { type: 'text', text: '' }, true, image],
    ['behind what is written', text, true, [text, image]],
    ['in place of it, where only one block fits', text, false, image],
    ['behind several', [text, call], true, [text, call, image]],
  ];
  for (const [what, content, several, now] of cases)
    it(`takes an image ${what}`, () => {
      const written = withBlock(JSON.stringify(answer({ content })), image, several);
      assert.deepEqual(JSON.parse(written), answer({ content: now }));
    });

  it('takes a call of a tool with what its schema requires, and says that it stopped for that', () => {
    const written = withCall(
      JSON.stringify(answer({ content: { ...text, text: '' } })),
      weather,
      true,
    );
    const once = { ...call, id: 'call_1', input: { city: '' } };
    assert.deepEqual(JSON.parse(written), answer({ content: once, stopReason: 'toolUse' }));
    const { content } = JSON.parse(withCall(written, weather, true)) as { content: unknown };
    assert.deepEqual(content, [once, { ...once, id: 'call_2' }]);
  });
});
