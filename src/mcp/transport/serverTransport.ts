import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/log';
import type { LocalizableMessage, Translate } from '../../base/translate';
import type { Authorization } from '../auth/authorization';
import type { NoteHttp } from '../traffic/httpExchange';
import type { DebugType, ServerConfig, ServerDefinition } from '../serverConfig';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/event';

/** Stops the deadlines of all requests to a server while something keeps it from answering, as a debugger does. */
export class DeadlineHold {
  private holders = 0;
  private readonly changed = new Emitter<boolean>();
  /** Fires with true when deadlines are held, and with false when they no longer are. */
  readonly onDidChange = this.changed.event;

  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Holds deadlines until the returned disposable, and those of all other holders, are disposed. */
  hold(): Disposable {
    this.holders += 1;
    if (this.holders === 1) this.changed.fire(true);
    return toDisposable(() => {
      this.holders -= 1;
      if (this.holders === 0) this.changed.fire(false);
    });
  }
}

/** A transport that is not started yet, and what can be said about its end. */
export interface ServerTransport {
  readonly channel: Transport;
  /** Stops the deadlines while what runs behind the transport is halted, if it can be; its start then has none. */
  readonly hold?: DeadlineHold | undefined;
  /** Called when the server's own messages arrive again after a break in which some may have been lost. */
  onResumed?: (() => void) | undefined;
  /** Called when the server's own messages can no longer be received, and when they can again. */
  onListening?: ((listening: boolean) => void) | undefined;
  /** Called with a sentence for each thing that the protocol does not allow, each time anew. */
  onFault?: ((sentence: LocalizableMessage) => void) | undefined;
  /** Called when the server has sent the first output that is not part of the protocol. */
  onUnexpectedOutput?: (() => void) | undefined;
  /** Closes the connection and ends what runs behind it; a second call forces the end. */
  close(): Promise<void>;
  /** Resolves to a transport in place of one that did not start as what is to confine it was outdated by then. */
  again?: (() => Promise<ServerTransport | undefined>) | undefined;
  /** Why it ended, in words that follow the name of the server, if known. */
  readonly ending?: string | undefined;
  /** The last lines that the server wrote outside of the protocol. */
  readonly stderrTail?: string | undefined;
  /** The first output of the server that is not part of the protocol. */
  readonly unexpectedOutput?: string | undefined;
  /** True after a close for which ending the server's input was not enough. */
  readonly neededSignal?: boolean | undefined;
}

/** An error: no debugger attached to a process that waits for one. The next way to the server, without one, is tried. */
export class DebuggerMissingError extends Error {
  override readonly name = 'DebuggerMissingError';
}

/** Where a process waits for its debugger. */
export interface DebugPlace {
  /** Of this machine. */
  readonly port: number;
  /** What is to be known at a port to which any web page can connect, for a debugger that looks at nothing else. */
  readonly path: string;
}

/** A debugger of the editor that is ready for one start of a server. */
export interface ReadyDebugger {
  /** Attaches it to what begins to listen on this machine; resolves with true if it attached. Never rejects. */
  attach(place: DebugPlace): Promise<boolean>;
  /** Detaches it from the server; a debugger that is still attaching is stopped, too. */
  detach(): void;
}

/** Prepares a debugger for a server, whose deadlines it holds while the server is halted; `undefined` if none has the type. */
export type ReadyDebuggerFor = (
  server: Pick<ServerDefinition, 'id' | 'name'>,
  type: DebugType,
  hold: DeadlineHold,
) => Promise<ReadyDebugger | undefined>;

/** What is needed to open a transport to a server. */
export interface TransportContext {
  readonly definition: ServerDefinition;
  readonly log: Logger;
  /** The longest message that is accepted, in bytes. */
  readonly maxMessageBytes: number;
  /** Takes each line that the server writes to stderr, as it is but for colors. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Takes each request over HTTP, once its answer begins or it is known that there is none. */
  readonly onHttp?: NoteHttp | undefined;
  /** Translates how the server ended and what it cannot do; in English, if left out. */
  readonly t?: Translate | undefined;
  /** The sign-in of the server, if it can have one. */
  readonly authorization?: Authorization | undefined;
  /** How long a process has to end after its input, in milliseconds, before it gets a signal. */
  readonly afterEndMs?: number | undefined;
  /** Prepares debuggers; if absent, a server that wants one starts without it. */
  readonly debuggerFor?: ReadyDebuggerFor | undefined;
}

/**
 * Returns the ways to reach a server, the preferred one first; a later one is tried if the server does
 * not know the one before, or if that waited for a debugger and none attached.
 */
export type OpenTransport = (
  config: ServerConfig,
  context: TransportContext,
) => Promise<readonly (() => ServerTransport)[]>;
