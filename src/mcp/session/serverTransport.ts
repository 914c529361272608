import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/log';
import type { Translate } from '../../base/translate';
import type { Authorization } from '../auth/authorization';
import type { ServerConfig, ServerDefinition } from '../serverConfig';

/** A transport that is not started yet, and what can be said about its end. */
export interface ServerTransport {
  readonly channel: Transport;
  /** Called when the server's own messages come again after a break in which some may be lost. */
  onResumed?: (() => void) | undefined;
  /** Called when the server's own messages can no longer be heard, and when they can again. */
  onListening?: ((listening: boolean) => void) | undefined;
  /** Ends the connection and what runs behind it; a second call forces it. */
  close(): Promise<void>;
  /** Why it ended, in words that follow the name of the server, as far as known. */
  readonly ending?: string | undefined;
  /** The last lines that the server wrote beside the protocol. */
  readonly stderrTail?: string | undefined;
  /** The first thing that the server sent that is not the protocol. */
  readonly unexpectedOutput?: string | undefined;
  /** True after a close for which the end of its input was not enough. */
  readonly neededSignal?: boolean | undefined;
}

/** What a transport of a server is opened with. */
export interface TransportContext {
  readonly definition: ServerDefinition;
  readonly log: Logger;
  /** The longest message that is taken, in bytes. */
  readonly maxMessageBytes: number;
  /** Takes each line that the server writes to stderr, as it is. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Words how it ended and what it cannot do; in English, if left out. */
  readonly t?: Translate | undefined;
  /** The sign-in of the server, where it can have one. */
  readonly authorization?: Authorization | undefined;
}

/**
 * The ways to reach a server, the preferred first; a later one is tried where the server refuses
 * the one before as unknown to it.
 */
export type OpenTransport = (
  config: ServerConfig,
  context: TransportContext,
) => Promise<readonly (() => ServerTransport)[]>;
