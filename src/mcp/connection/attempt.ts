import type { ServerConfig } from '../serverConfig';
import type { ServerTransport } from '../session/serverTransport';

/** What is known of the last try to connect to a server; all of it may hold secrets. */
export interface Attempt extends Pick<
  ServerTransport,
  'ending' | 'stderrTail' | 'unexpectedOutput' | 'neededSignal'
> {
  /** What was launched, variables replaced; absent before the first try, and after one that was refused. */
  readonly config?: ServerConfig;
  /** What the try failed with. */
  readonly error?: unknown;
}
