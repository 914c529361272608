import assert from 'node:assert/strict';
import { maxResourceLength, readOwn } from '../../../../src/apps/panel/appHandlers';
import { fakeServer } from '../../../support/fakes/fakeServer';

describe('a resource', () => {
  const { signal } = new AbortController();
  const read = (text: string, blob: string) => {
    const contents = [
      { uri: 'a:b', text },
      { uri: 'a:c', blob },
    ];
    const server = fakeServer();
    server.answer = async () => ({ contents });
    return readOwn(server, 'a:b', signal);
  };

  it('is given to an app as far as it is not too large', async () => {
    const half = 'A'.repeat(maxResourceLength / 2);
    assert.equal((await read(half, half)).contents.length, 2);
    await assert.rejects(read(half, `${half}A`), /larger than 20000000 characters/);
  });
});
