import type { AuthorizationUi } from '../../src/mcp/auth/authorizationUi';
import type { TokenStore } from '../../src/mcp/auth/tokenStore';
import { listenForCallback } from '../../src/mcp/node/loopbackCallback';

/** A person who agrees to everything, and whose browser is `fetch`. */
export const agreeableUi: AuthorizationUi = {
  async prepare() {
    const callback = await listenForCallback({ done: 'Done', unexpected: 'Unexpected' });
    return {
      redirectUrl: callback.redirectUrl,
      async visit(url, state, signal) {
        const answer = callback.wait(state, signal);
        const page = await fetch(url, { signal });
        await page.text();
        return answer;
      },
      dispose: () => callback.dispose(),
    };
  },
};

/** A store that lasts as long as the process. */
export function createMemoryStore(): TokenStore & { readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    get: async (key) => texts.get(key),
    set: async (key, value) => void texts.set(key, value),
    delete: async (key) => void texts.delete(key),
  };
}
