import type { ServerConfig } from '../serverConfig';
import type { ServerTransport } from '../transport/serverTransport';

/** What is known about the last attempt to connect to a server; any of it may contain secrets. */
export interface Attempt extends Pick<
  ServerTransport,
  'ending' | 'stderrTail' | 'unexpectedOutput' | 'neededSignal'
> {
  /** The launched configuration with variables replaced; absent before the first attempt and after a refused one. */
  readonly config?: ServerConfig;
  /** The error that the attempt failed with. */
  readonly error?: unknown;
}
