import assert from 'node:assert/strict';
import { byUser } from '../../../../src/ui/questions/question';
import { confirm, maxConfirmedLines } from '../../../../src/ui/steps/confirm';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks } from '../../../support/host/shownPicks';

describe('what is to be confirmed', () => {
  const about = Array.from({ length: maxConfirmedLines + 5 }, (_, at) => `file ${at}\u202E.txt`);
  const ask = () =>
    confirm(newQuestions(), byUser(), { question: 'Replace them?', about, yes: 'Replace' });

  it('has a bounded number of lines, says how many more there are, and shows hidden characters', async () => {
    const picks = watchPicks();
    const answer = ask();
    const shown = await picks.next(/^Replace them\?$/);
    assert.equal(shown.labels.length, maxConfirmedLines + 3);
    assert.deepEqual(shown.labels.slice(maxConfirmedLines), ['and 5 more', 'Cancel', 'Replace']);
    assert.match(shown.labels[0] ?? '', /U\+202E/);
    shown.choose('Cancel');
    assert.equal(await answer, false);
    picks.dispose();
  });

  it('is done only where its own row is taken', async () => {
    const picks = watchPicks();
    const answer = ask();
    (await picks.next(/^Replace them\?$/)).choose('Replace');
    assert.equal(await answer, true);
    picks.dispose();
  });
});
