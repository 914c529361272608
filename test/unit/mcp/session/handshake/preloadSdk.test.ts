import assert from 'node:assert/strict';
import { preloadSdk } from '../../../../../src/mcp/session/handshake/preloadSdk';

describe('a handshake with nobody', () => {
  it('comes to its end, as often as it is wanted', async () => {
    await assert.doesNotReject(Promise.all([preloadSdk(), preloadSdk()]));
  });
});
