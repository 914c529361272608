import assert from 'node:assert/strict';
import { maxCallsAtOnce } from '../../../../src/chat/participant/toolLoop';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';
import { openChat } from '../../../support/host/openChat';

describe('calls that a model wants at once', () => {
  for (const [wanted, made] of [
    [1, 1],
    [maxCallsAtOnce, maxCallsAtOnce],
    [maxCallsAtOnce + 5, maxCallsAtOnce],
  ] as const)
    it(`are made up to a number, and the model is told of the rest: ${wanted}`, async () => {
      let calls = 0;
      const { ask } = openChat({
        servers: [fakeServer({ tools: [tool({ name: 'look' })] })],
        rounds: [Array.from({ length: wanted }, () => ({ call: 'demo__look' })), ['Done.']],
        run: (asked) => {
          calls += 1;
          return Promise.resolve({
            kind: 'result',
            result: { content: [{ type: 'text', text: 'seen' }], isError: false },
            arguments: asked.arguments,
            edited: false,
            problems: [],
          });
        },
      });
      const { told } = await ask('Look');
      assert.equal(calls, made);
      const left = told.match(/Not called: no more than 50 calls are taken at once\./g) ?? [];
      assert.equal(left.length, wanted - made);
    });
});
