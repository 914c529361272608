import type { Limiter } from '../../base/async';
import type { ServerConfig, ServerDefinition } from '../serverConfig';
import type {
  OpenTransport,
  ServerTransport,
  TransportContext,
} from '../transport/serverTransport';
import type { SessionOptions } from '../session/openSession';
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
export type Prepared = PreparedLaunch | StartRefusal;

/** What may be started; its fingerprint is that of {@link LaunchPreparer.launchFingerprint} for what it was made of. */
export interface PreparedLaunch {
  readonly config: ServerConfig;
  readonly launchFingerprint?: string;
}

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
export interface ConnectionDeps
  extends
    Pick<SessionOptions, 'client' | 'requests' | 'log' | 'tracing' | 'follow' | 'traffic'>,
    Pick<TransportContext, 'afterEndMs' | 'debuggerFor' | 'authorization' | 't'> {
  readonly openTransport: OpenTransport;
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
  /** Removes what else is kept of what the server with an id said, and what the user allowed for its account. */
  readonly forget?: ((serverId: string) => Promise<void>) | undefined;
  /** The URIs of the folders that its variables may stand for; no folders if omitted. */
  readonly folders?: readonly string[] | undefined;
  /** Removes secrets from what a server wrote outside of the protocol; if omitted, nothing is removed. */
  readonly mask?: ((text: string) => string) | undefined;
}
