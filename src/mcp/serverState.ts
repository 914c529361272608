import type { Implementation, ServerCapabilities } from './protocol/types';
import type { ConfinementLevel } from './serverConfig';

/** What a server and this client agreed on when they connected. */
export interface ServerInfo {
  /** The negotiated protocol revision, such as `2025-11-25`. */
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  /** Absent for a stateless server that does not name itself. */
  readonly implementation?: Implementation;
  /** What the server tells the model about how to use it. */
  readonly instructions?: string;
}

/** How many of the changes that a server was asked to announce can be received. */
export type Listening = 'all' | 'some' | 'none';

/** The state of a server, on which every view switches. */
export type ServerState =
  | { readonly kind: 'stopped' }
  /** `unexpectedOutput` is the beginning of the first output that is not a message; the server may still answer. */
  | { readonly kind: 'starting'; readonly unexpectedOutput?: string }
  /**
   * `notificationsLost` is set while changes are not received: the stream of the server's own messages cannot be
   * opened, or carries fewer.
   * `problems` says in a sentence each what the server does that the protocol does not allow.
   */
  | {
      readonly kind: 'running';
      readonly info: ServerInfo;
      readonly notificationsLost?: 'some' | 'all';
      readonly problems?: readonly string[];
      /** How far the server is confined, if it should be. */
      readonly confinement?: ConfinementLevel;
    }
  /**
   * `message` is one sentence, and `short` says the same for places that may cut off its end; `detail` has the last
   * lines of stderr or the like; `retryAt` is in epoch ms.
   */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly short?: string;
      readonly detail?: string;
      readonly retryAt?: number;
    }
  /** The server requires a sign-in at `issuer`; `problem` says in a sentence why the last one failed. */
  | { readonly kind: 'needsSignIn'; readonly issuer?: string; readonly problem?: string };

/** The state of a server that could not be started, or that ended by itself. */
export type FailedState = Extract<ServerState, { readonly kind: 'failed' }>;
