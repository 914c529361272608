import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/protocol/types';
import { reviewValues } from '../../../../src/ui/steps/formReview';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { askForm } from '../../../../src/ui/steps/schemaForm';
import { defaultsOf, readFields } from '../../../../src/ui/steps/schemaFields';
import { watchPicks } from '../../../support/host/shownPicks';
import { schemaCheck } from '../../../support/schemaChecks';

const colors = {
  type: 'array',
  items: { type: 'string', enum: ['red', 'green', 'blue'] },
  default: ['red', 'blue'],
};
const begins = { begun: {}, problem: undefined };
const recipient = { intro: '', submit: 'Send', decline: 'Decline', warning: () => undefined };

describe('the review of a form', function () {
  this.timeout(60_000);

  const forms: readonly [
    what: string,
    properties: JsonObject,
    given: JsonObject,
    byEnter: string,
  ][] = [
    ['has its defaults', { colors, name: { type: 'string', default: 'Ada' } }, {}, 'Decline'],
    ['has a field like what all objects have', { constructor: {} }, {}, 'Decline'],
    ['has other values than its defaults', { colors }, { colors: ['red'] }, 'Send'],
    ['has a value where there is no default', { constructor: {} }, { constructor: 1 }, 'Send'],
  ];
  for (const [what, properties, given, byEnter] of forms)
    it(`takes Enter as ${byEnter} where it ${what}`, async () => {
      const picks = watchPicks();
      try {
        const fields = readFields({ type: 'object', properties });
        // Values come from drafts and documents, too.
        const values = structuredClone({ ...defaultsOf(fields), ...given });
        const frame = { title: 'demo', actions: [] };
        const chosen = reviewValues({ ...recipient, frame, fields, values, ...begins });
        const shown = await picks.next(/^demo/);
        assert.deepEqual(
          shown.pick.activeItems.map(({ label }) => label),
          [byEnter],
        );
        await shown.leave();
        await chosen;
      } finally {
        picks.dispose();
      }
    });

  const list = { type: 'array', items: { type: 'string' } };
  const entered: readonly [what: string, property: JsonObject, given?: JsonObject][] = [
    ['a list that may be empty', list],
    ['several choices, of which none is taken', { ...colors, default: undefined }],
    ['several choices in another order, twice', { ...colors, default: ['blue', 'red', 'blue'] }],
    ['choices that are not offered', { ...colors, default: ['red', 'pink'] }],
    ['a text whose default is a number', { type: 'string', default: 5 }],
    ['a number whose default is a text', { type: 'number', default: '7' }],
    ['anything, with a default that is JSON', { default: '{ "all": true }' }],
    ['a text that was kept from before', { type: 'string' }, { it: 'not for you' }],
    ['a choice that was kept from before', { enum: ['a', 'b'] }, { it: 'b' }],
    ['a list that was kept from before', list, { it: ['a'] }],
  ];
  for (const [what, property, given = {}] of entered)
    it(`declines where Enter alone led through ${what}`, async () => {
      const picks = watchPicks();
      try {
        const properties = { it: JSON.parse(JSON.stringify(property)) as JsonObject };
        const schema = { type: 'object', properties, required: ['it'] };
        const input = {} as DocumentInput;
        const form = { title: 'demo', schema, given, input, giving: recipient };
        const answered = askForm({ ...form, schemas: schemaCheck() });
        (await picks.next(/: it$/)).accept();
        const review = await picks.next(/Your answer$/);
        assert.deepEqual(
          review.pick.activeItems.map(({ label }) => label),
          ['Decline'],
        );
        review.accept();
        assert.equal((await answered).declined, true);
      } finally {
        picks.dispose();
      }
    });
});
