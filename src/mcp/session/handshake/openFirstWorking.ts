import { httpStatus } from '../../protocol/errorFacts';
import { openSession, type SessionOptions } from '../openSession';
import type { Session } from '../session';
import { DebuggerMissingError, type ServerTransport } from '../../transport/serverTransport';

/**
 * Opens a session over the first of these ways that the server speaks; `onTransport` gets each transport before
 * it is tried, to close it if the signal aborts. Rejects with the error of the last way that was tried.
 */
export async function openFirstWorking(
  ways: readonly (() => ServerTransport)[],
  options: Omit<SessionOptions, 'transport'>,
  onTransport: (transport: ServerTransport) => void,
): Promise<Session> {
  const { log, signal } = options;
  for (const [index, openTransport] of ways.entries()) {
    const transport = openTransport();
    // Nothing else knows the transport yet, and a debugger may be ready for it.
    if (signal.aborted) await transport.close();
    signal.throwIfAborted();
    onTransport(transport);
    try {
      return await openSession({ ...options, transport });
    } catch (error) {
      const isLast = index === ways.length - 1;
      if (!isLast && error instanceof DebuggerMissingError)
        log.warn('No debugger attached. The server starts without one.');
      else if (!isLast && isTransportUnknown(error))
        log.info(`The server does not speak this transport (HTTP ${httpStatus(error)}).`);
      else throw error;
    }
  }
  throw new Error('There is no way to reach the server.');
}

/** True for a status that, in answer to `initialize`, means HTTP+SSE (backwards compatibility of transports). */
function isTransportUnknown(error: unknown): boolean {
  return [400, 404, 405].includes(httpStatus(error) ?? 0);
}
