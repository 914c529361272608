import type { Limiter } from '../../base/async';
import type { Logger } from '../../base/log';
import type { Translate } from '../../base/translate';
import type { Authorization } from '../auth/authorization';
import type { ServerRequestHandlers } from '../protocol/serverRequests';
import type { Implementation } from '../protocol/types';
import type { ServerConfig, ServerDefinition } from '../serverConfig';
import type {
  OpenTransport,
  ReadyDebuggerFor,
  ServerTransport,
} from '../transport/serverTransport';
import type { FollowRequest } from '../session/peer/requestSpans';
import type { TrafficNotes } from '../traffic/trafficRecorder';
import type { Obstacle, StartRefusal } from '../serverState';
import type { ServerMemory } from '../lists/catalog';
import type { RestartBounds } from '../lifecycle';

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

/** Shows a start as waiting for the user until `answer` settles. */
export type WhileAsking = <T>(answer: Promise<T>) => Promise<T>;

/** A launch that is ready, or why there is none. */
export type Prepared = { readonly config: ServerConfig } | StartRefusal;

/** Makes configurations ready to launch. */
export interface LaunchPreparer {
  /** Fills in what a configuration leaves open (trust, variables), or says why it must not be launched. */
  readonly prepare: (
    definition: ServerDefinition,
    signal: AbortSignal,
    whileAsking: WhileAsking,
  ) => Promise<Prepared>;
  /**
   * Computes the fingerprint of the launch as it would be now, which decisions are bound to; if
   * omitted, that of the configuration as written is used. Never rejects.
   */
  readonly launchFingerprint?: (definition: ServerDefinition) => Promise<string>;
}

/** The dependencies of a connection. */
export interface ConnectionDeps {
  readonly client: Implementation;
  readonly requests: ServerRequestHandlers;
  readonly openTransport: OpenTransport;
  /** How long a process has to end after its input, in milliseconds; a short time if omitted. */
  readonly afterEndMs?: number | undefined;
  /** Prepares one of the editor's debuggers, if it has any. */
  readonly debuggerFor?: ReadyDebuggerFor | undefined;
  /** Waits for the server that this one replaces, which may still hold a port or a lock. */
  readonly predecessor?: (() => Promise<unknown> | undefined) | undefined;
  readonly launches: LaunchPreparer;
  /** What keeps the server from ever starting in this window, if anything does. */
  readonly obstacle?: Obstacle | undefined;
  /** Runs a start once few enough others are running. */
  readonly limiter: Limiter;
  /** When a crashed server is restarted. */
  readonly restarts?: RestartBounds | undefined;
  readonly memory: ServerMemory;
  /** The URIs of the folders that its variables may stand for; no folders if omitted. */
  readonly folders?: readonly string[] | undefined;
  /** The sign-in to this server; if omitted, a server that requires one cannot be used. */
  readonly authorization?: Authorization | undefined;
  readonly log: Logger;
  /** Translates what the user is told; English if omitted. */
  readonly t?: Translate | undefined;
  /** Removes secrets from what a server wrote outside of the protocol; if omitted, nothing is removed. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Returns true if every message is to be logged, at level trace. */
  readonly tracing: () => boolean;
  /** Follows each request, for traces; if omitted, there are none. */
  readonly follow?: FollowRequest | undefined;
  /** Records the latest messages and stderr lines; if omitted, nothing is recorded. */
  readonly traffic?: TrafficNotes | undefined;
}
