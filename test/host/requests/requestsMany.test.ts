import assert from 'node:assert/strict';
import { poll } from '../../support/poll';
import { eras, useAskingServers, type Asking, type Era } from './askingServers';

const count = 100;

describe('a hundred questions of servers at once', function () {
  this.timeout(120_000);
  const asks = useAskingServers({ prefix: 'floods', areHeld: true });

  /** Asks many questions: each in its own request or, in 2026, in its own call. */
  const askMany = (era: Era): readonly Asking[] =>
    era === '2025'
      ? [asks.call(era, 'ask_many', { count })]
      : Array.from({ length: count }, () => asks.call(era, 'ask_name'));

  /** Waits for the notification that the server is paused, after all questions have arrived. */
  const paused = async (era: Era) => {
    await poll('all questions', 20_000, async () => {
      const questions = (await asks.said(era, 'server')).filter(
        ({ method, result }) =>
          method === 'elicitation/create' || Object(result)['resultType'] === 'input_required',
      );
      return questions.length === count || undefined;
    });
    // This answer shows that all messages before it were read.
    await asks.call(era, 'echo').text;
    return asks.notice(
      `"${asks.nameOf(era)}" asked more than 20 questions a minute and was paused`,
    );
  };

  for (const era of eras) {
    describe(era, () => {
      const name = asks.nameOf(era);
      const next = () => asks.picks.next(new RegExp(`^${name} asks`));

      it('pause the server, with a notice, and are declined all at once', async () => {
        const asked = askMany(era);
        (await paused(era)).press('Decline All');
        const answers = await asks.untilAnswers(era, count);
        assert.equal(answers.length, count);
        for (const { result } of answers) assert.deepEqual(result, { action: 'decline' });
        await Promise.all(asked.map(({ text }) => text));
        assert.deepEqual(asks.picks.open, []);
      });

      it('are asked one at a time, with a count, once the server may go on', async () => {
        const asked = askMany(era);
        (await paused(era)).press('Resume');
        const first = await next();
        const all = `Decline All ${count} from ${name}`;
        await poll('all to wait', 20_000, () =>
          Promise.resolve(first.buttons.includes(all) || undefined),
        );
        assert.match(first.title, new RegExp(`^${name} asks \\(1 of ${count}\\)`));
        assert.equal(asks.picks.open.length, 1);
        first.press('Decline');
        const second = await next();
        assert.match(second.title, new RegExp(`^${name} asks \\(1 of ${count - 1}\\)`));
        second.press(`Decline All ${count - 1} from ${name}`);
        const answers = await asks.untilAnswers(era, count);
        for (const { result } of answers) assert.deepEqual(result, { action: 'decline' });
        await Promise.all(asked.map(({ text }) => text));
        assert.deepEqual(asks.picks.open, []);
      });
    });
  }

  it('of two servers: those of the other one stay', async () => {
    const one = asks.call('2025', 'ask_many', { count: 3 });
    const first = await asks.picks.next(/^floods2025 asks/);
    const other = asks.call('2026', 'ask_name');
    await poll('all to wait', 20_000, () =>
      Promise.resolve(first.title.includes('(1 of 4)') || undefined),
    );
    first.press(`Decline All 3 from ${asks.nameOf('2025')}`);
    const left = await asks.picks.next(/^floods2026 asks/);
    left.press('Decline');
    await Promise.all([one.text, other.text]);
  });
});
