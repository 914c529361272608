import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import type { DocumentAnswer, DocumentQuestion } from '../../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { askForm } from '../../../../src/ui/steps/schemaForm';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../../support/host/shownPicks';
import { poll } from '../../../support/poll';
import { schemaCheck } from '../../../support/schemaChecks';

/** Documents that are answered by the test. */
function documents() {
  const asked: DocumentQuestion[] = [];
  let answer = deferred<DocumentAnswer>();
  const input = {
    ask: (question: DocumentQuestion) => {
      asked.push(question);
      answer = deferred<DocumentAnswer>();
      return answer.promise;
    },
  } as unknown as DocumentInput;
  const next = async (count: number) => {
    await poll('a document', 5000, () => Promise.resolve(asked.length >= count || undefined));
    const question = asked[count - 1];
    assert.ok(question);
    return question;
  };
  return {
    input,
    next,
    end: (choice: string | undefined, text: string) => answer.resolve({ choice, text }),
  };
}

describe('values that do not fit into a line', function () {
  this.timeout(30_000);
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const open = (property: object, required = true, input = documents().input) => {
    const schema = {
      type: 'object',
      properties: { it: property },
      required: required ? ['it'] : [],
    };
    return askForm({ title: 'Tool', schema, given: {}, input, schemas: schemaCheck() });
  };
  const shows = (step: ShownPick, label: string) =>
    poll(label, 5000, () => Promise.resolve(step.labels.includes(label) || undefined));
  const add = async (step: ShownPick, text: string) => {
    step.pick.value = text;
    const first = () => step.pick.items[0]?.description === 'add to the list' || undefined;
    await poll('the row that adds', 5000, () => Promise.resolve(first()));
    step.accept();
    await poll('an empty box', 5000, () => Promise.resolve(step.pick.value === '' || undefined));
  };

  describe('a list', () => {
    const texts = { type: 'array', items: { type: 'string' } };

    it('is asked item by item, and ends with Enter in the empty box', async () => {
      const answered = open(texts);
      const step = await picks.next(/: it$/);
      assert.match(step.pick.prompt ?? '', /^it \(required\) · a list, one item after another/);
      await add(step, 'one');
      await add(step, 'two words');
      assert.deepEqual(step.labels, ['Continue with 2 Items', 'one', 'two words']);
      step.choose('Continue with 2 Items');
      assert.deepEqual((await answered).values, { it: ['one', 'two words'] });
    });

    for (const [what, property, typed, items] of [
      ['several lines', texts, 'a\nb', ['a', 'b']],
      ['a JSON array', texts, '["a","b,c"]', ['a', 'b,c']],
      ['numbers', { type: 'array', items: { type: 'number' } }, '1\n2.5', [1, 2.5]],
    ] as const)
      it(`takes ${what} at once`, async () => {
        const answered = open(property);
        const step = await picks.next(/: it$/);
        await add(step, typed);
        step.choose('Continue with 2 Items');
        assert.deepEqual((await answered).values, { it: items });
      });

    it('says what is no item, and keeps it in the box', async () => {
      const answered = open({ type: 'array', items: { type: 'integer' } });
      const step = await picks.next(/: it$/);
      await step.enter('1.5');
      await step.says(/^Enter a whole number\.$/);
      assert.equal(step.pick.value, '1.5');
      await add(step, '3');
      step.choose('Continue with 1 Item');
      assert.deepEqual((await answered).values, { it: [3] });
    });

    for (const [limits, shown] of [
      [{ minimum: -9007199254740991, maximum: 9007199254740991 }, 'a whole number'],
      [{ minimum: 1, maximum: 9007199254740991 }, 'a whole number (1…)'],
      [{ minimum: 1, maximum: 5 }, 'a whole number (1…5)'],
    ] as const)
      it(`says of a whole number from ${limits.minimum} to ${limits.maximum} what limits it`, async () => {
        const answered = open({ type: 'integer', ...limits });
        const step = await picks.next(/: it$/);
        assert.ok(`${step.pick.prompt} · `.includes(`${shown} · `), step.pick.prompt);
        await step.enter('3');
        assert.deepEqual((await answered).values, { it: 3 });
      });

    it('lets an item be taken out, and be corrected in the box, whatever it is', async () => {
      const answered = open(texts);
      const step = await picks.next(/: it$/);
      await add(step, '["one","two\\nlines","three"]');
      step.pressRow('one', 'Remove');
      await shows(step, 'Continue with 2 Items');
      step.choose('two lines');
      assert.equal(step.pick.value, '["two\\nlines"]');
      await add(step, step.pick.value);
      step.choose('Continue with 2 Items');
      assert.deepEqual((await answered).values, { it: ['three', 'two\nlines'] });
    });

    it('ends only when it is valid, and is left out where that is possible', async () => {
      const bounded = open({ ...texts, minItems: 2 });
      const step = await picks.next(/: it$/);
      await add(step, 'one');
      step.choose('Continue with 1 Item');
      await step.says(/At least 2/);
      await add(step, 'two');
      step.choose('Continue with 2 Items');
      assert.deepEqual((await bounded).values, { it: ['one', 'two'] });
      const optional = open(texts, false);
      (await picks.next(/: it$/)).choose('Skip');
      assert.deepEqual((await optional).values, {});
    });

    it('has rows for a bounded number of items', async () => {
      const answered = open(texts);
      const step = await picks.next(/: it$/);
      await add(step, JSON.stringify(Array.from({ length: 5000 }, (_, at) => `item ${at}`)));
      assert.ok(step.labels.length < 220);
      assert.ok(step.labels.includes('4800 more'));
      step.choose('Continue with 5000 Items');
      assert.equal(((await answered).values['it'] as unknown[]).length, 5000);
    });
  });

  describe('an object', () => {
    const point = {
      type: 'object',
      properties: { x: { type: 'number', description: 'From the left' } },
      required: ['x'],
    };
    const toUse = '{ "it": { "x": 4 /* here */ } }';

    it('is filled in in an editor, which the first row opens with a skeleton', async () => {
      const { input, next, end } = documents();
      const answered = open(point, true, input);
      const step = await picks.next(/: it$/);
      assert.equal(step.labels[0], 'Write in an Editor…');
      step.choose('Write in an Editor…');
      const question = await next(1);
      assert.match(question.text, /\/\/ From the left\n {4}"x": null/);
      const { offset = 0, length = 0 } = question.selected ?? {};
      assert.equal(question.text.slice(offset, offset + length), 'null');
      assert.deepEqual(question.schema?.['required'], ['it']);
      for (const [text, problem] of [
        ['{', /not a JSON object/],
        ['{}', /"it" is missing/],
        [question.text, /x/],
        [toUse, undefined],
      ] as const) {
        const said = await question.check?.(text, 'use');
        if (problem === undefined) assert.equal(said, undefined);
        else assert.match(said ?? '', problem);
      }
      end('use', toUse);
      assert.deepEqual((await answered).values, { it: { x: 4 } });
    });

    it('keeps what was written where the document is closed', async () => {
      const { input, next, end } = documents();
      const answered = open(point, true, input);
      const step = await picks.next(/: it$/);
      step.choose('Write in an Editor…');
      await next(1);
      const shown = step.whenShown();
      end(undefined, '{ "it": { "x": half');
      await shown;
      step.choose('Write in an Editor…');
      assert.equal((await next(2)).text, '{ "it": { "x": half');
      end('use', toUse);
      assert.deepEqual((await answered).values, { it: { x: 4 } });
    });

    it('can be typed as JSON all the same', async () => {
      const answered = open({ type: 'array', items: point });
      const step = await picks.next(/: it$/);
      await step.enter('[{"x":1}]');
      assert.deepEqual((await answered).values, { it: [{ x: 1 }] });
    });
  });
});
