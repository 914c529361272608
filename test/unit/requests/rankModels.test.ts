import assert from 'node:assert/strict';
import { rankModels, type RankOptions } from '../../../src/requests/sampling/rankModels';

const t = (message: string, ...args: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');

const model = (id: string, maxInputTokens = 100_000, name = id) => ({
  id,
  name,
  vendor: 'maker',
  family: id,
  maxInputTokens,
});

const models = [
  model('gpt-5'),
  model('claude-opus-4.5', 200_000, 'Claude Opus 4.5'),
  model('claude-haiku-4-5', 200_000, 'Claude Haiku 4.5'),
  model('gemini-2.5-flash'),
];

const rank = (
  preferences: Parameters<typeof rankModels>[1],
  options: Partial<RankOptions> = {},
  of = models,
) => rankModels(of, preferences, { tokens: 10, t, ...options });

describe('the models for a request of a server', () => {
  for (const [what, preferences, first, reason] of [
    ['nothing', {}, 'gpt-5', 'in the editor’s order'],
    ['a hint', { hints: [{ name: 'haiku' }] }, 'claude-haiku-4-5', 'the server suggests “haiku”'],
    [
      'the first of two hints',
      { hints: [{ name: 'gemini' }, { name: 'claude' }] },
      'gemini-2.5-flash',
      'the server suggests “gemini”',
    ],
    [
      'a second hint where the first is unknown',
      { hints: [{ name: 'llama' }, {}, { name: 'opus' }] },
      'claude-opus-4.5',
      'the server suggests “opus”',
    ],
    [
      'a hint that is written otherwise',
      { hints: [{ name: 'Claude_Haiku 4.5' }] },
      'claude-haiku-4-5',
      'the server suggests “Claude_Haiku 4.5”',
    ],
    [
      'a hint, over priorities',
      { hints: [{ name: 'opus' }], costPriority: 1, speedPriority: 1 },
      'claude-opus-4.5',
      'the server suggests “opus”',
    ],
    [
      'priorities, within a hint',
      { hints: [{ name: 'claude' }], speedPriority: 1 },
      'claude-haiku-4-5',
      'the server suggests “claude”',
    ],
    [
      'cost',
      { costPriority: 0.8 },
      'claude-haiku-4-5',
      'a small model by its name; the server wants: cheap',
    ],
    [
      'intelligence, and a little speed',
      { intelligencePriority: 0.9, speedPriority: 0.1 },
      'claude-opus-4.5',
      'a large model by its name; the server wants: capable, fast',
    ],
    ['a hint of nothing but marks', { hints: [{ name: '--' }] }, 'gpt-5', 'in the editor’s order'],
  ] as const)
    it(`begin with ${first} where the server wants ${what}`, () => {
      const [best] = rank(preferences);
      assert.equal(best?.model.id, first);
      assert.equal(best.reason, reason);
    });

  it('begin with what the user chose before, whatever the server wants', () => {
    const [best] = rank({ hints: [{ name: 'opus' }] }, { chosen: 'gpt-5' });
    assert.equal(best?.model.id, 'gpt-5');
    assert.equal(best.reason, 'you chose it for this server');
  });

  it('end with those that the request is too long for, even if they were chosen', () => {
    const ids = rank({ hints: [{ name: 'gpt' }] }, { tokens: 150_000, chosen: 'gpt-5' });
    assert.deepEqual(
      ids.map(({ model: { id } }) => id),
      ['claude-opus-4.5', 'claude-haiku-4-5', 'gpt-5', 'gemini-2.5-flash'],
    );
    assert.equal(ids[2]?.reason, 'the request is too long for it');
  });

  it('need no reason where there is only one', () =>
    assert.equal(rank({}, {}, [model('demo')])[0]?.reason, 'the only model there is'));

  it('are all there, and none where there is none', () => {
    assert.equal(rank({ costPriority: 1 }).length, models.length);
    assert.deepEqual(rank({ costPriority: 1 }, {}, []), []);
  });

  it('keep the editor’s order among equals, and odd priorities change nothing', () => {
    const odd = { costPriority: Number.NaN, speedPriority: -1, intelligencePriority: 'x' as never };
    assert.deepEqual(
      rank(odd).map(({ model: { id } }) => id),
      models.map(({ id }) => id),
    );
  });
});
