import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { acceptChange } from '../../../../src/config/share/acceptChange';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { byUser } from '../../../../src/ui/questions/question';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks } from '../../../support/host/shownPicks';

describe('a change to a file that somebody else may have written', () => {
  const change = {
    uri: vscode.Uri.file('/w/mcp.json'),
    before: '{}',
    after: '{ "a": 1 }',
    title: 'Export',
    yes: 'Write',
    notes: ['It has a secret.'],
  };

  for (const times of [0, 1, 2])
    it(`is not written by Enter after it was seen so many times: ${times}`, async () => {
      const picks = watchPicks();
      let views = 0;
      const input = { ask: () => Promise.resolve(void (views += 1)) } as unknown as DocumentInput;
      const server = { id: 'one', name: 'one' };
      const info = { kind: 'form', server, what: 'a change', asked: byUser() } as const;
      try {
        const answered = newQuestions().ask(
          { info, ask: (context) => acceptChange(change, input, context) },
          new AbortController().signal,
        );
        for (let seen = 0; seen < times; seen += 1)
          (await picks.next(/Export/)).choose('Show Changes…');
        const question = await picks.next(/Export/);
        assert.equal(question.labels[0], 'Show Changes…');
        assert.equal(question.labels.includes('Write'), times > 0);
        question.accept();
        const again = await picks.next(/Export/);
        assert.equal(views, times + 1);
        again.choose('Write');
        const outcome = await answered;
        assert.equal(outcome.kind === 'answered' && outcome.answer, true);
      } finally {
        picks.dispose();
      }
    });
});
