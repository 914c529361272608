import assert from 'node:assert/strict';
import { AnswerText } from '../../../src/requests/sampling/review/answerText';

/** Counts four characters as one token. */
const countTokens = (text: string) => Promise.resolve(Math.ceil(text.length / 4));

async function answer(
  pieces: readonly string[],
  bounds: { maxTokens?: number; stopSequences?: readonly string[] } = {},
) {
  const text = new AnswerText({ maxTokens: 1000, stopSequences: [], countTokens, ...bounds });
  let taken = 0;
  for (const piece of pieces) {
    taken += 1;
    if (!(await text.add(piece))) break;
  }
  await text.end();
  return { text: text.text, cut: text.cut, taken };
}

describe('the text of a model’s answer', () => {
  it('is whole where it keeps within the bounds', async () =>
    assert.deepEqual(await answer(['Hello', ' world']), {
      text: 'Hello world',
      cut: undefined,
      taken: 2,
    }));

  it('is cut to the tokens that were asked for, and not waited for any longer', async () => {
    const pieces = Array.from({ length: 1000 }, () => 'abcdefgh');
    const { text, cut, taken } = await answer(pieces, { maxTokens: 10 });
    assert.equal(text, 'abcdefgh'.repeat(5));
    assert.equal(cut, 'maxTokens');
    assert.ok(taken < 20, `${taken} pieces were taken`);
  });

  it('is cut although it comes in one piece, never inside a character', async () => {
    assert.deepEqual(await answer(['😀'.repeat(9)], { maxTokens: 1 }), {
      text: '😀😀',
      cut: 'maxTokens',
      taken: 1,
    });
    const odd = await answer([`x${'😀'.repeat(9)}`], { maxTokens: 1 });
    assert.equal(odd.text, 'x😀');
  });

  it('may have exactly as many tokens as were asked for', async () =>
    assert.equal((await answer(['abcdefgh'], { maxTokens: 2 })).cut, undefined));

  for (const pieces of [['one STOP two'], ['one S', 'TOP two'], ['one ', 'S', 'T', 'O', 'P']])
    it(`ends before a stop sequence in ${JSON.stringify(pieces)}`, async () => {
      const { text, cut } = await answer([...pieces, ' more'], { stopSequences: ['STOP'] });
      assert.equal(text, 'one ');
      assert.equal(cut, 'stopSequence');
    });

  it('ends at the first of several stop sequences', async () =>
    assert.equal((await answer(['a, b. c'], { stopSequences: ['.', ','] })).text, 'a'));

  it('shares the tokens that were asked for with what is said beside it', async () => {
    const text = new AnswerText({ maxTokens: 10, stopSequences: [], countTokens });
    await text.add('abcdefgh');
    assert.ok(await text.makeRoom(5));
    assert.equal(await text.tokens(), 7);
    await text.add('x'.repeat(100));
    await text.end();
    assert.equal(text.text.length, 20);
    assert.equal(text.cut, 'maxTokens');
    assert.equal(await text.tokens(), 10);
  });

  it('ends where there is no room for what is said beside it', async () => {
    const text = new AnswerText({ maxTokens: 10, stopSequences: [], countTokens });
    await text.add('abcdefgh');
    assert.ok(!(await text.makeRoom(9)));
    assert.equal(text.cut, 'maxTokens');
    assert.ok(!(await text.add('more')));
    assert.equal(text.text, 'abcdefgh');
    assert.equal(await text.tokens(), 2);
  });

  it('is not counted anew for every piece', async () => {
    let counted = 0;
    const text = new AnswerText({
      maxTokens: 10,
      stopSequences: [],
      countTokens: () => {
        counted += 1;
        return Promise.resolve(1);
      },
    });
    for (let i = 0; i < 640; i += 1) await text.add('x');
    assert.equal(counted, 10);
  });
});
