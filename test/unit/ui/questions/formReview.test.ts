import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/protocol/types';
import { reviewValues } from '../../../../src/ui/steps/formReview';
import { defaultsOf, readFields } from '../../../../src/ui/steps/schemaFields';
import { watchPicks } from '../../../support/host/shownPicks';

const colors = {
  type: 'array',
  items: { type: 'string', enum: ['red', 'green', 'blue'] },
  default: ['red', 'blue'],
};
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
        const chosen = reviewValues({ ...recipient, frame, fields, values, problem: undefined });
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
});
