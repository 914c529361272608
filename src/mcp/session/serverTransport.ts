import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/log';
import type { Translate } from '../../base/translate';
import type { Authorization } from '../auth/authorization';
import type { DebugType, ServerConfig, ServerDefinition } from '../serverConfig';
import type { DeadlineHold } from './lane/deadlineHold';

/** A transport that is not started yet, and what can be said about its end. */
export interface ServerTransport {
  readonly channel: Transport;
  /** Where what runs behind it can be halted: stops the deadlines meanwhile. Its start then has none. */
  readonly hold?: DeadlineHold | undefined;
  /** Called when the server's own messages come again after a break in which some may be lost. */
  onResumed?: (() => void) | undefined;
  /** Called when the server's own messages can no longer be heard, and when they can again. */
  onListening?: ((listening: boolean) => void) | undefined;
  /** Called when the server has sent the first thing that is not the protocol. */
  onUnexpectedOutput?: (() => void) | undefined;
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

/** No debugger attached to a process that waits for one: the next way to the server, without one, is tried. */
export class DebuggerMissingError extends Error {
  override readonly name = 'DebuggerMissingError';
}

/** A debugger of the editor that is ready for one start of a server. */
export interface ReadyDebugger {
  /** Attaches it to what begins to listen at a port of this machine; resolves with whether it is. Never rejects. */
  attach(port: number): Promise<boolean>;
  /** Lets go of the server; nothing is attached any more after that. */
  detach(): void;
}

/** Readies a debugger for a server, which holds its deadlines while it is halted; undefined where there is none of the type. */
export type ReadyDebuggerFor = (
  server: Pick<ServerDefinition, 'id' | 'name'>,
  type: DebugType,
  hold: DeadlineHold,
) => Promise<ReadyDebugger | undefined>;

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
  /** Without it a server that wants a debugger starts without one. */
  readonly debuggerFor?: ReadyDebuggerFor | undefined;
}

/**
 * The ways to reach a server, the preferred first; a later one is tried where the server refuses
 * the one before as unknown to it.
 */
export type OpenTransport = (
  config: ServerConfig,
  context: TransportContext,
) => Promise<readonly (() => ServerTransport)[]>;
