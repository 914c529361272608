import assert from 'node:assert/strict';
import { Retries } from '../../../../src/chat/participant/conversation';

describe('a request that is sent again', () => {
  it('has what was attached, once', () => {
    const retries = new Retries<string>();
    retries.keep('@mcp a', ['picture']);
    retries.keep('@mcp b', ['file']);
    assert.deepEqual(retries.begin('@mcp a'), ['picture']);
    assert.deepEqual(retries.take('@mcp b'), []);
    assert.deepEqual(retries.take('@mcp a'), ['picture']);
    assert.deepEqual(retries.take('@mcp a'), []);
    assert.deepEqual(retries.begin('@mcp a'), ['picture']);
  });

  it('is not one that a user types anew', () => {
    const retries = new Retries<string>();
    retries.keep('@mcp a', ['picture']);
    assert.deepEqual(retries.take('@mcp a'), []);
  });

  it('is told from one of which nothing is known', () => {
    const retries = new Retries<string>();
    retries.keep('@mcp a', []);
    for (let count = 0; count < 20; count += 1) retries.keep(`@mcp ${count}`, ['file']);
    assert.equal(retries.begin('@mcp a'), undefined);
    assert.deepEqual(retries.begin('@mcp 0'), ['file']);
  });
});
