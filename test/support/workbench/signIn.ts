import { deferred } from '../../../src/base/async';
import { CancelledError } from '../../../src/base/errors';
import { Emitter } from '../../../src/base/event';
import type {
  AuthorizationUi,
  PrepareVisit,
  SignInPage,
} from '../../../src/mcp/auth/authorizationUi';
import type { TokenStore } from '../../../src/mcp/auth/tokens/credentials';
import { listenForCallback } from '../../../src/mcp/node/nodePlatform';

/** A user whose browser is `fetch`, and what the two were shown. */
export interface FakeUser extends AuthorizationUi {
  /** Replaced by tests of what an authorization server accepts. */
  ways: readonly PrepareVisit[];
  /** The pages that were opened. */
  readonly visited: URL[];
  /** These pages with what was said of them. */
  readonly shown: SignInPage[];
  /** What the browser shows at the end of each visit. */
  readonly pages: Promise<string>[];
  /** How many callbacks are open. */
  waiting: number;
  /** True if the user declines from now on. */
  declines: boolean;
  /** Resolves when the user agrees on the page that was opened. */
  agree: () => Promise<unknown>;
  /** Changes the parameters that the browser brings back. */
  tamper: (answer: URLSearchParams) => void;
}

/** Creates a user who agrees to everything. */
export function createUser(): FakeUser {
  const user: FakeUser = {
    visited: [],
    shown: [],
    pages: [],
    waiting: 0,
    declines: false,
    agree: async () => {},
    tamper: () => {},
    ways: [() => visitByLoopback()],
    toPort: (port) => () => visitByLoopback(port),
    showAgain: () => {},
  };
  return user;

  async function visitByLoopback(port?: number): ReturnType<PrepareVisit> {
    const texts = { done: 'Done', failed: 'Failed', unexpected: 'Unexpected' };
    const callback = await listenForCallback(texts, port);
    user.waiting += 1;
    return {
      redirectUrl: callback.redirectUrl,
      succeed: () => callback.succeed(),
      async visit(page, signal) {
        const { url, state } = page;
        if (user.declines) throw new CancelledError();
        user.visited.push(url);
        user.shown.push(page);
        const waiting = callback.wait(state, signal);
        const shown = user
          .agree()
          .then(() => fetch(url, { signal }))
          .then((response) => response.text());
        user.pages.push(shown);
        const answer = await Promise.race([waiting, shown.then(() => waiting)]);
        user.tamper(answer);
        return answer;
      },
      dispose() {
        user.waiting -= 1;
        callback.dispose();
      },
    };
  }
}

/** Has a user hesitate on the next page: `opened` resolves once it is there, and `agree` has them agree. */
export function hesitate(user: FakeUser): {
  readonly opened: Promise<void>;
  readonly agree: () => void;
} {
  const [opened, agreed] = [deferred<void>(), deferred<void>()];
  user.agree = () => {
    opened.resolve();
    return agreed.promise;
  };
  return { opened: opened.promise, agree: () => agreed.resolve() };
}

/** Creates a token store that lasts as long as the process. */
export function createMemoryStore(): TokenStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const deleted = new Emitter<string>();
  return {
    texts,
    get: async (key) => texts.get(key),
    set: async (key, value) => void texts.set(key, value),
    async delete(key) {
      texts.delete(key);
      deleted.fire(key);
    },
    onDidDelete: (watched, listener) =>
      deleted.event((key) => void (key === watched && listener())),
  };
}
