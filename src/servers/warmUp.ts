import { Timer } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { Logger } from '../base/log';
import type { Platform } from '../mcp/platform';
import type { Servers } from '../mcp/server';
import { preloadSdk } from '../mcp/session/handshake/preloadSdk';

/** How long a window that has just opened is left alone, in milliseconds. */
const restMs = 1000;

/**
 * Loads ahead of time what the first start of a server would wait for: the code that speaks the protocol, and what the
 * user's login shell says. It starts no server, and does nothing in a window without servers.
 */
export function warmUp(
  servers: Pick<Servers, 'all' | 'onDidChange'>,
  platform: Pick<Platform, 'learnEnvironment'>,
  { log, load = preloadSdk }: { readonly log: Logger; readonly load?: () => Promise<unknown> },
): Disposable {
  const store = new DisposableStore();
  let isPlanned = false;
  const timer = store.add(
    new Timer(() => {
      Promise.all([load(), platform.learnEnvironment()]).catch((error: unknown) =>
        // Whatever is wrong, the first server that needs it says so.
        log.debug(`Not ready before the first start: ${errorMessage(error)}`),
      );
    }),
  );
  const plan = () => {
    if (isPlanned || servers.all.length === 0) return;
    isPlanned = true;
    timer.start(restMs);
  };
  plan();
  store.add(servers.onDidChange(plan));
  return store;
}
