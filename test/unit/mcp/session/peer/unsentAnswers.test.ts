import assert from 'node:assert/strict';
import { deferred } from '../../../../../src/base/async';
import { inEnglish } from '../../../../../src/base/translate';
import type { ServerRequestHandlers } from '../../../../../src/mcp/protocol/serverRequests';
import { maxUnsentAnswers, maxUnsentBytes } from '../../../../../src/mcp/session/peer/frames';
import { settled } from '../../../../support/fakes/fakeClock';
import type { ScriptedTransport } from '../../../../support/fakes/scriptedTransport';
import { legacyServer, openScripted } from '../../scriptedSession';

/** Opens a session with a server that accepts no answers until `take` is called, but answers requests. */
async function open(hasStreams: boolean, requests: ServerRequestHandlers = {}) {
  const transport = legacyServer({ scripts: { work: () => ({ done: true }) } }, hasStreams);
  const taking = deferred<void>();
  const send = transport.send.bind(transport);
  let begun = 0;
  transport.send = async (...args) => {
    const isAnswer = !('method' in args[0]);
    if (isAnswer) begun += 1;
    if (isAnswer) await taking.promise;
    return send(...args);
  };
  const session = await openScripted(transport, { requests });
  const problems = () => session.faults.shown(inEnglish).problems;
  return { transport, session, problems, begun: () => begun, take: () => taking.resolve() };
}

/** Makes the server ask once for each of these ids, all in one turn. */
function ask(transport: ScriptedTransport, ids: readonly (number | string)[], method = 'ping') {
  transport.receive(...ids.map((id) => ({ id, method })));
}

const count = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);
const dropped = [
  'The server did not take the answers to its requests fast enough. Requests were dropped.',
];

describe('answers that a server does not take', () => {
  for (const [way, hasStreams] of [
    ['stdio', false],
    ['HTTP', true],
  ] as const) {
    for (const method of ['ping', 'unknown/method'])
      it(`are bounded in number, and a request after that gets none (${method} over ${way})`, async () => {
        const { transport, session, problems, begun, take } = await open(hasStreams);
        ask(transport, count(1, maxUnsentAnswers), method);
        await settled();
        assert.deepEqual([begun(), problems()], [maxUnsentAnswers, undefined]);
        ask(transport, count(1001, 10_000), method);
        await settled();
        assert.deepEqual([begun(), problems()], [maxUnsentAnswers, dropped]);
        assert.deepEqual(await session.request('work', {}), { done: true });
        take();
        await settled();
        ask(transport, ['again']);
        await settled();
        assert.equal(transport.sent.at(-1)?.id, 'again');
      });

    it(`are bounded in number where all is asked in one turn (${way})`, async () => {
      const { transport, problems, begun } = await open(hasStreams);
      ask(transport, count(1, 10_000));
      await settled();
      assert.deepEqual([begun(), problems()], [maxUnsentAnswers, dropped]);
    });

    it(`are bounded in their bytes together, but for one alone (${way})`, async () => {
      const { transport, begun, take } = await open(hasStreams);
      const third = maxUnsentBytes / 3;
      ask(
        transport,
        ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(third)),
      );
      await settled();
      assert.equal(begun(), 2);
      take();
      await settled();
      ask(transport, ['e'.repeat(maxUnsentBytes + 1)]);
      await settled();
      assert.equal(begun(), 3);
    });
  }

  it('ask a user nothing whose answer could not be sent', async () => {
    let asked = 0;
    const { transport } = await open(false, {
      listRoots: () => {
        asked += 1;
        return Promise.resolve([]);
      },
    });
    ask(transport, count(1, maxUnsentAnswers));
    await settled();
    ask(transport, count(1001, 10), 'roots/list');
    await settled();
    assert.equal(asked, 0);
  });
});
