import assert from 'node:assert/strict';
import type { Role } from '../../../../src/mcp/protocol/types';
import { chatTurns } from '../../../../src/prompts/delivery/deliverPrompt';
import { promptParts } from '../../../../src/prompts/preview/promptParts';
import { draft, everyContent, message, png, say } from '../drafts';

type Turn = readonly [Role, string];

const orders: readonly (readonly [
  string,
  readonly Turn[],
  readonly (readonly [string, string])[],
  string,
])[] = [
  ['one question', [['user', 'a']], [], 'a'],
  [
    'a question, an answer, a question',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'c'],
    ],
    [['a', 'b']],
    'c',
  ],
  [
    'an answer first',
    [
      ['assistant', 'a'],
      ['user', 'b'],
    ],
    [['', 'a']],
    'b',
  ],
  ['an answer alone', [['assistant', 'a']], [['', 'a']], ''],
  [
    'an answer last',
    [
      ['user', 'a'],
      ['assistant', 'b'],
    ],
    [['a', 'b']],
    '',
  ],
  [
    'the same role twice',
    [
      ['user', 'a'],
      ['user', 'b'],
    ],
    [],
    'a\n\nb',
  ],
  [
    'two answers in a row',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['assistant', 'c'],
      ['user', 'd'],
    ],
    [['a', 'b\n\nc']],
    'd',
  ],
  [
    'several exchanges',
    [
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'c'],
      ['assistant', 'd'],
      ['user', 'e'],
    ],
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    'e',
  ],
];

describe('a prompt as turns of a chat', () => {
  for (const [name, turns, previous, query] of orders)
    it(`keeps the order of ${name}`, () => {
      const result = chatTurns(promptParts(draft(turns.map(([role, text]) => say(role, text)))));
      assert.deepEqual(
        result.previous.map(({ request, response }) => [request, response]),
        previous,
      );
      assert.equal(result.query, query);
    });

  it('attaches what is no text and names what cannot be carried', () => {
    const result = chatTurns(promptParts(draft(everyContent)));
    assert.deepEqual(
      result.files.map(({ name }) => name),
      ['image-2.png', 'audio-3.wav', 'a.py', 'blob.zip'],
    );
    assert.deepEqual(result.links, ['docs://readme']);
    assert.equal(result.leftOut.length, 1);
  });

  it('attaches an image of an earlier turn too', () => {
    const image = message({ type: 'image', data: png, mimeType: 'image/png' });
    const result = chatTurns(promptParts(draft([image, say('assistant', 'a'), say('user', 'b')])));
    assert.equal(result.files.length, 1);
    assert.deepEqual(result.previous, [{ request: '', response: 'a' }]);
  });
});
