import assert from 'node:assert/strict';
import { rehearseHandshake } from '../../../../../src/mcp/session/handshake/rehearse';

describe('a handshake with nobody', () => {
  it('comes to its end, as often as it is wanted', async () => {
    await assert.doesNotReject(Promise.all([rehearseHandshake(), rehearseHandshake()]));
  });
});
