import { httpStatus } from '../../protocol/errorFacts';
import { openSession, type Session, type SessionOptions } from '../session';
import type { Wire } from '../wire';

/**
 * Opens a session over the first of these ways that the server speaks; `onWire` is given each wire
 * before it is tried. Rejects with what the last one tried rejects with.
 */
export async function openFirstWorking(
  ways: readonly (() => Wire)[],
  options: Omit<SessionOptions, 'wire'>,
  onWire: (wire: Wire) => void,
): Promise<Session> {
  for (const [index, openWire] of ways.entries()) {
    const wire = openWire();
    onWire(wire);
    try {
      return await openSession({ ...options, wire });
    } catch (error) {
      if (index === ways.length - 1 || !isTransportUnknown(error)) throw error;
      options.log.info(`The server does not speak this transport (HTTP ${httpStatus(error)}).`);
    }
  }
  throw new Error('There is no way to reach the server.');
}

/** Such a status in answer to `initialize` means HTTP+SSE (backwards compatibility of transports). */
function isTransportUnknown(error: unknown): boolean {
  return [400, 404, 405].includes(httpStatus(error) ?? 0);
}
