import type { Limiter } from '../../base/async';
import type { Logger } from '../../base/log';
import type { Translate } from '../../base/translate';
import type { Authorization } from '../auth/authorization';
import type { ClientRequests } from '../protocol/clientRequests';
import type { Implementation } from '../protocol/types';
import type { ServerConfig, ServerDefinition } from '../serverConfig';
import type { OpenTransport, ReadyDebuggerFor } from '../session/serverTransport';
import type { TrafficRecorder } from '../traffic/trafficRecorder';
import type { RestartBounds } from './restartPolicy';
import type { ServerMemory } from './memory/serverMemory';

/** What a connection needs from its surroundings. */
export interface ConnectionDeps {
  readonly client: Implementation;
  readonly requests: ClientRequests;
  readonly openTransport: OpenTransport;
  /** The debuggers of the editor, where it has some. */
  readonly debuggerFor?: ReadyDebuggerFor | undefined;
  /** Makes the configuration ready to launch (trust, variables), or says why it may not be. */
  readonly prepare: (
    definition: ServerDefinition,
    signal: AbortSignal,
  ) => Promise<{ readonly config: ServerConfig } | { readonly refused: string }>;
  /**
   * The fingerprint of the launch as it would be now, for decisions to be bound to; that of the
   * configuration as it is written, if left out. Never rejects.
   */
  readonly launchFingerprint?: ((definition: ServerDefinition) => Promise<string>) | undefined;
  /** Runs a start as soon as not too many others run. */
  readonly limiter: Limiter;
  /** When a server that crashed is started again. */
  readonly restarts?: RestartBounds | undefined;
  readonly memory: ServerMemory;
  /** The addresses of the folders that its variables may stand for; none, if left out. */
  readonly folders?: readonly string[] | undefined;
  /** The sign-in of this server; without it a server that wants one cannot be used. */
  readonly authorization?: Authorization | undefined;
  readonly log: Logger;
  /** Words what the user is told; in English, if left out. */
  readonly t?: Translate | undefined;
  /** Takes secrets out of what a server wrote beside the protocol; nothing is taken out without it. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Says whether every message shall be written to the log, at level trace. */
  readonly tracing: () => boolean;
  /** Keeps the latest messages and lines on stderr; nothing is kept without it. */
  readonly traffic?: TrafficRecorder | undefined;
}
