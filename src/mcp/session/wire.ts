import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/log';
import type { Authorization } from '../auth/authorization';
import type { ServerConfig, ServerDefinition } from '../serverConfig';

/** A transport that is not started yet, and what can be said about its end. */
export interface Wire {
  readonly transport: Transport;
  /** Called when the server's own messages come again after a break in which some may be lost. */
  onResumed?: (() => void) | undefined;
  /** Called when the server's own messages can no longer be heard, and when they can again. */
  onHearing?: ((hears: boolean) => void) | undefined;
  /** Ends the connection and what runs behind it; a second call forces it. */
  close(): Promise<void>;
  /** Why it ended, in words that follow the name of the server, as far as known. */
  readonly ending?: string | undefined;
  /** The last lines that the server wrote beside the protocol. */
  readonly stderrTail?: string | undefined;
  /** The first thing that the server sent that is not the protocol. */
  readonly garbage?: string | undefined;
}

/** What a wire of a server is opened with. */
export interface WireContext {
  readonly definition: ServerDefinition;
  readonly log: Logger;
  /** The longest message that is taken, in bytes. */
  readonly maxMessageBytes: number;
  /** The sign-in of the server, where it can have one. */
  readonly authorization?: Authorization | undefined;
}

/**
 * The ways to reach a server, the preferred first; a later one is tried where the server refuses
 * the one before as unknown to it.
 */
export type OpenWire = (
  config: ServerConfig,
  context: WireContext,
) => Promise<readonly (() => Wire)[]>;
