import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neverAborted } from '../../../../src/base/async';
import { askDraft, draftText } from '../../../../src/apps/consent/askDraft';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import type { DocumentQuestion } from '../../../../src/ui/documents/askedDocument';
import type { Questions } from '../../../../src/ui/questions/questions';
import { fakeServer } from '../../../support/fakes/fakeServer';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks } from '../../../support/host/shownPicks';

describe('the draft of an app', () => {
  const drafts: readonly (readonly [string, string])[] = [
    ['#file', '# file'],
    ['##file', '## file'],
    ['#@/clear it', '#@/ clear it'],
    ['say @agent and\n//clear', 'say @ agent and\n// clear'],
    ['## A heading', '## A heading'],
    ['a#b, me@a.example, https://a.example/b', 'a#b, me@a.example, https://a.example/b'],
    ['ends with ##', 'ends with ##'],
  ];
  for (const [text, draft] of drafts)
    it(`holds no command, mention or variable: ${JSON.stringify(text)}`, () => {
      assert.equal(draftText(text), draft);
      // The chat recognizes these at the start of the text and after whitespace.
      assert.doesNotMatch(draftText(text), /(?:^|\s)[@#/][\p{L}\d_]/u);
    });
});

describe('the question about a message of an app', function () {
  this.timeout(60_000);

  const manyLines = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
  const longLine = 'word '.repeat(20_000);
  const messages: readonly (readonly [what: string, message: string, text: string])[] = [
    ['hidden characters', 'a\u200Bb\u202Ec', 'a⟨U+200B⟩b⟨U+202E⟩c'],
    ['many lines', manyLines, manyLines],
    ['a line that is cut', longLine, longLine],
    ['something hidden below', `${manyLines}\n\u{E0041}`, `${manyLines}\n⟨U+E0041⟩`],
  ];
  for (const [what, message, text] of messages)
    it(`lets the user read what it copies, with ${what}`, async () => {
      const picks = watchPicks();
      const read: string[] = [];
      const input = {
        ask: (question: DocumentQuestion) => {
          read.push(question.text);
          return Promise.resolve({ text: question.text, choice: 'back' });
        },
      } as unknown as DocumentInput;
      const questions = newQuestions() as unknown as Questions;
      const answer = askDraft(fakeServer(), message, { questions, input }, neverAborted());
      let shown = await picks.next(/wrote a message/);
      const labels = shown.pick.items.map(({ label }) => label);
      const all = labels.find((label) => label.startsWith('Show All ('));
      if (all === undefined) assert.ok(labels.includes(text));
      else {
        shown.choose(all);
        shown = await picks.next(/wrote a message/);
        assert.deepEqual(read, [text]);
      }
      shown.choose('Copy Message');
      assert.equal(await answer, true);
      assert.equal(await vscode.env.clipboard.readText(), text);
      picks.dispose();
    });
});
