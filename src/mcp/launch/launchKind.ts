import type { Backoff } from '../../base/pace/backoff';
import type { Translate } from '../../base/translate';
import type { Finding } from '../doctor/finding';
import type { Programs } from '../platform';
import type {
  ConfinementLevel,
  HttpServerConfig,
  ServerConfig,
  StdioServerConfig,
} from '../serverConfig';
import type { OpenTransport, ServerTransport, TransportContext } from '../session/serverTransport';

/** What a value reads as: a configuration, or what is wrong with it in a whole sentence. */
export type Parsed<C extends ServerConfig = ServerConfig> =
  { readonly config: C } | { readonly problem: string };

/** What this machine has to open transports with. */
export interface Openers {
  /** Starts processes; undefined where that cannot be. */
  readonly process?:
    | ((config: StdioServerConfig, context: TransportContext) => ReturnType<OpenTransport>)
    | undefined;
  /** When a lost stream is opened again. */
  readonly reconnection?: Backoff | undefined;
}

/** What a diagnosis of a launch goes by. */
export interface Examination {
  readonly programs: Pick<Programs, 'check'> | undefined;
  /** Asks an address once. */
  readonly checkAddress: (config: HttpServerConfig, t: Translate) => Promise<readonly Finding[]>;
  /** True while the server runs, so that it can be reached. */
  readonly isUp: boolean;
  readonly t: Translate;
}

/** What the core knows of one kind of launch: how it is shown, opened and diagnosed; beside it stands how it is read. */
export interface LaunchKind<C extends ServerConfig> {
  /** True where a server is a process of this machine, with a program, a folder and an end of its own. */
  readonly isProcess: boolean;
  /** The command line part by part, each quoted where a shell would need it, or the address. */
  line(config: C): readonly string[];
  /** What would run or answer, as the sentence of a failure names it. */
  target(config: C): string;
  /** What identifies it and can be shown: values of variables and headers are not in it. */
  show(config: C): Readonly<Record<string, unknown>>;
  /** Whether the user can sign in to it; where the configuration has a header for that, it takes its place. */
  signIn(config: C): 'none' | 'header' | 'possible';
  /** How far it is confined; undefined where its configuration wants no such thing. */
  confinement(config: C): ConfinementLevel | undefined;
  /** As another client starts it: what confines it, and what it does not inherit, is part of what it is told to run. */
  handOver(config: C, programs: Pick<Programs, 'handOver'> | undefined, t: Translate): Promise<C>;
  open(
    config: C,
    context: TransportContext,
    openers: Openers,
  ): Promise<readonly (() => ServerTransport)[]>;
  diagnose(config: C, examination: Examination): Promise<readonly Finding[]>;
}
