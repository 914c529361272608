import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors';
import { sendRequest } from '../../../../src/mcp/http/pageFetch';

describe('a request of a page', () => {
  const { fetch } = globalThis;
  const url = 'https://example.com/mcp';
  const inPage = (origin: string | undefined, isThere: boolean) => {
    Object.assign(globalThis, {
      origin,
      fetch: (_url: string, init?: RequestInit) =>
        init?.mode === 'no-cors' && isThere
          ? Promise.resolve(new Response())
          : Promise.reject(new TypeError('Failed to fetch')),
    });
  };
  afterEach(() => {
    Object.assign(globalThis, { fetch });
    Reflect.deleteProperty(globalThis, 'origin');
  });

  for (const [origin, allowed] of [
    ['https://editor.example', 'https://editor.example'],
    ['null', '*'],
  ] as const)
    it(`of ${origin} that the server does not allow says what it must allow`, async () => {
      inPage(origin, true);
      await assert.rejects(sendRequest(url, { method: 'POST' }), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, /^https:\/\/example\.com does not allow web pages/);
        assert.ok(error.message.includes(`Access-Control-Allow-Origin: ${allowed},`));
        return true;
      });
    });

  it('fails as it did where no server answers, and where there is no page', async () => {
    inPage('https://editor.example', false);
    await assert.rejects(sendRequest(url), /^TypeError: Failed to fetch/);
    inPage(undefined, true);
    await assert.rejects(sendRequest(url), /^TypeError: Failed to fetch/);
  });

  it('fails as it did where it was withdrawn', async () => {
    inPage('https://editor.example', true);
    const signal = AbortSignal.abort();
    await assert.rejects(sendRequest(url, { signal }), /^TypeError: Failed to fetch/);
  });
});
