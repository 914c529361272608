import type { EventEmitter } from 'node:events';

const event = 'uncaughtException';

/** Returns true if code below `directory` threw the error, as far as its stack says. */
export function isThrownBelow(directory: string, error: unknown): boolean {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const innermost = frames.find((line) => /^\s*at .*[\\/]/.test(line) && !/\bnode:/.test(line));
  return innermost?.includes(directory) ?? false;
}

/**
 * Resolves as `run` does, and until then keeps uncaught errors that `isForeign` from what it has listen to them. All
 * extensions of an editor share one process, and mocha takes each uncaught error for a failure of the test that runs.
 */
export async function keepForeignErrors<Result>(
  isForeign: (error: unknown) => boolean,
  run: () => Promise<Result>,
  host: EventEmitter = process,
): Promise<Result> {
  const before = new Set(host.listeners(event));
  // The extension host puts functions of its own in the place of listeners, so they are found by what was added.
  const added = () => host.listeners(event).filter((listener) => !before.has(listener));
  const result = run();
  for (const listener of added()) {
    host.removeListener(event, listener as () => void);
    host.on(event, (error: unknown) => {
      if (!isForeign(error)) Reflect.apply(listener, host, [error]);
    });
  }
  try {
    return await result;
  } finally {
    // A run of mocha that has ended would throw them on.
    for (const listener of added()) host.removeListener(event, listener as () => void);
  }
}
