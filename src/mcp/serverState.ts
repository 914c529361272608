import type { Implementation, ServerCapabilities } from './protocol/types';
import type { ConfinementLevel } from './serverConfig';

/** What a server and this client agreed on when they connected. */
export interface ServerInfo {
  /** The negotiated protocol revision, such as `2025-11-25`. */
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  /** Absent for a stateless server that does not name itself. */
  readonly implementation?: Implementation;
  /** The server's words to the model about how to use it. */
  readonly instructions?: string;
}

/** What comes in of the changes that a server was asked to announce. */
export type Listening = 'all' | 'some' | 'none';

/** The one state of a server, that every view switches on. */
export type ServerState =
  | { readonly kind: 'stopped' }
  /** `unexpectedOutput` is the beginning of what it wrote first that is no message; it may still answer. */
  | { readonly kind: 'starting'; readonly unexpectedOutput?: string }
  /**
   * `notificationsLost` while changes do not come in: the stream of the server's own messages cannot be opened, or
   * brings less.
   * `problems` says in a sentence each what the server does that the protocol does not know.
   */
  | {
      readonly kind: 'running';
      readonly info: ServerInfo;
      readonly notificationsLost?: 'some' | 'all';
      readonly problems?: readonly string[];
      /** How far it is confined, where it should be. */
      readonly confinement?: ConfinementLevel;
    }
  /**
   * `message` is one sentence, and `short` says the same for where the end of it may be cut; `detail` the last lines
   * of stderr or the like; `retryAt` epoch ms.
   */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly short?: string;
      readonly detail?: string;
      readonly retryAt?: number;
    }
  /** The server wants a sign-in at `issuer` before it talks; `problem` is the sentence that the last one failed with. */
  | { readonly kind: 'needsSignIn'; readonly issuer?: string; readonly problem?: string };

/** The state of a server that could not be started, or went down by itself. */
export type FailedState = Extract<ServerState, { readonly kind: 'failed' }>;
