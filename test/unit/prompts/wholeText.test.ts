import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import { askArguments } from '../../../src/prompts/arguments/askArguments';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { askForm } from '../../../src/ui/steps/schemaForm';
import { schemaCheck } from '../../support/schemaChecks';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks, type ShownPick } from '../../support/host/shownPicks';
import { fakeServer } from '../../support/fakes/fakeServer';

/** Collects documents instead of showing them; they stay open until `close` is called. */
function readingInput() {
  const asked: DocumentQuestion[] = [];
  const closed = deferred<void>();
  const ask = (question: DocumentQuestion) => {
    asked.push(question);
    return closed.promise;
  };
  return { asked, input: { ask } as unknown as DocumentInput, close: () => closed.resolve() };
}

const questions = newQuestions();

/** Presses Escape in a step, which may belong to a question. */
function leave({ pick }: ShownPick): void {
  if (questions.view) questions.view.escape();
  else pick.hide();
}

/** Forms that ask for a value with this description. */
const forms: Readonly<
  Record<string, (description: string, input: DocumentInput) => Promise<unknown>>
> = {
  'an argument of a prompt': (description, input) => {
    const prompt = { name: 'p', arguments: [{ name: 'value', description }] };
    const chosen = { target: 'chat' } as const;
    const context = { given: {}, last: {}, editor: undefined, input, questions, chosen };
    return askArguments({ server: fakeServer(), prompt }, context);
  },
  'an argument of a tool': (description, input) => askOne({ type: 'string', description }, input),
  'a choice for a tool': (description, input) => askOne({ enum: ['a', 'b'], description }, input),
};

function askOne(value: object, input: DocumentInput): Promise<unknown> {
  const schema = { type: 'object', properties: { value } };
  return askForm({ title: 'Tool', schema, given: {}, input, schemas: schemaCheck() });
}

describe('the description of', function () {
  this.timeout(30_000);
  for (const [what, ask] of Object.entries(forms)) {
    it(`${what} that has no room below the box is read in an editor, for which the step makes room`, async () => {
      const picks = watchPicks();
      const { asked, input, close } = readingInput();
      try {
        const description = `${'long '.repeat(100)}\u202Eend`;
        const ended = ask(description, input);
        const step = await picks.next(/value/);
        assert.match(
          step.pick.prompt ?? '',
          /… \(cut: “Show in Editor” has all of it\)(?: · Then: Send to @mcp)?$/,
        );
        const hidden = new Promise<void>((resolve) => step.pick.onDidHide(() => resolve()));
        step.press('Show in Editor');
        await hidden;
        assert.match(asked[0]?.text ?? '', /^(?:long ){100}⟨U\+202E⟩end/);
        assert.equal(asked[0]?.signal?.aborted, false);
        const shown = step.whenShown();
        close();
        await shown;
        leave(step);
        await ended;
        assert.equal(asked[0]?.signal?.aborted, true);
      } finally {
        picks.dispose();
      }
    });

    it(`${what} that has room there stands there alone, as a line that can be read`, async () => {
      const picks = watchPicks();
      try {
        const ended = ask('short', readingInput().input);
        const step = await picks.next(/value/);
        assert.match(step.pick.prompt ?? '', /^value \((?:required|optional)\) · short/i);
        assert.ok(!step.buttons.includes('Show in Editor'));
        leave(step);
        await ended;
      } finally {
        picks.dispose();
      }
    });
  }
});
