import assert from 'node:assert/strict';
import { ownRuntime } from '../../../../src/mcp/node/system';

describe('what runs files of JavaScript', () => {
  it('is this program, as it is', () =>
    assert.deepEqual(ownRuntime({ node: '24.0.0' }), { command: process.execPath, env: {} }));

  it('is told to do so where it is the editor', () =>
    assert.deepEqual(ownRuntime({ node: '24.0.0', electron: '41.0.0' }).env, {
      ELECTRON_RUN_AS_NODE: '1',
    }));
});
