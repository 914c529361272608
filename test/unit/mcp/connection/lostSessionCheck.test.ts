import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event';
import type { Connection } from '../../../../src/mcp/connection/connection';
import { LostSessionCheck } from '../../../../src/mcp/connection/lostSessionCheck';
import { ConnectionLostError } from '../../../../src/mcp/protocol/rpcError';
import type { Session } from '../../../../src/mcp/session/session';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';
import { recordingLogger } from '../testServers';

/** More requests than any check makes in a turn; those beyond stay open, so that a check without end fails a test. */
const tooMany = 20;

/** A session whose transport is closed: each request fails at once, which is told as the session tells it. */
function closedSession() {
  const failed = new Emitter<unknown>();
  let requests = 0;
  const request = async (): Promise<never> => {
    requests += 1;
    await (requests < tooMany ? undefined : new Promise(() => {}));
    const error = new ConnectionLostError('The connection is closed.');
    failed.fire(error);
    throw error;
  };
  const session = { era: 'legacy', isHttp: true, request } as unknown as Session;
  return { session, onFailure: failed.event, requests: () => requests };
}

describe('the check of a session that may be lost', () => {
  useFakeClock();

  it('asks nothing of a session that ends while it asks', async () => {
    const { session, onFailure, requests } = closedSession();
    const connection = { session: session as Session | undefined };
    const check = new LostSessionCheck(connection as Connection, recordingLogger().log);
    onFailure((error) => void check.doubt(session, error));
    const asked = check.ask(session);
    connection.session = undefined;
    check.dispose();
    await asked;
    await settled();
    assert.equal(requests(), 1);
    await check.ask(session);
    assert.equal(requests(), 1);
  });
});
