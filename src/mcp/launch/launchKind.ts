import type { Backoff } from '../../base/pace';
import type { Translate } from '../../base/translate';
import type { Fetch } from '../http/secureUrl';
import type { Finding, Programs } from '../platform';
import type {
  ConfinementLevel,
  DebugType,
  HttpServerConfig,
  ServerConfig,
  StdioServerConfig,
} from '../serverConfig';
import type {
  OpenTransport,
  ServerTransport,
  TransportContext,
} from '../transport/serverTransport';

/** The result of reading a value: a configuration, or a sentence that says what is wrong with it. */
export type Parsed<C extends ServerConfig = ServerConfig> =
  { readonly config: C } | { readonly problem: string };

/** What is available on this machine to open transports with. */
export interface Openers {
  /** Starts processes; `undefined` if that is impossible. */
  readonly process?:
    | ((config: StdioServerConfig, context: TransportContext) => ReturnType<OpenTransport>)
    | undefined;
  /** Returns what sends requests to a socket of this machine; `undefined` if that is impossible. */
  readonly fetchOverSocket?: Programs['fetchOverSocket'];
  /** When a lost stream is reopened. */
  readonly reconnection?: Backoff | undefined;
}

/** The dependencies of the diagnosis of a launch. */
export interface LaunchDiagnosisDeps {
  readonly programs: Pick<Programs, 'check' | 'fetchOverSocket'> | undefined;
  /** Sends one request to an address, or in another way to the one that stands for it. */
  readonly checkAddress: (
    config: HttpServerConfig,
    t: Translate,
    over?: { readonly url: string; readonly send: Fetch },
  ) => Promise<readonly Finding[]>;
  /** True if the server is running and can therefore be reached. */
  readonly isUp: boolean;
  readonly t: Translate;
}

/** How a debugger is attached to a process. */
export interface Debugging {
  /** True if the configuration wants it. */
  readonly isOn: boolean;
  /** The debuggers that may be attached: the one that the command needs, more if it does not tell, none if it is impossible. */
  readonly fitting: readonly DebugType[];
  /** Throws a `UserError` if what the configuration wants is impossible. */
  check(t: Translate): void;
}

/** What the core knows about a kind of launch: how it is shown, opened and diagnosed; its module also reads it. */
export interface LaunchKind<C extends ServerConfig> {
  /** True if a server is a process on this machine, with its own program, folder and end. */
  readonly isProcess: boolean;
  /** Returns the command line part by part, each quoted if a shell would need that, or the address. */
  line(config: C): readonly string[];
  /** Returns the name of what would run or answer, for sentences about failures. */
  target(config: C): string;
  /** Returns what identifies the launch and can be shown, without the values of variables and headers. */
  show(config: C): Readonly<Record<string, unknown>>;
  /** Returns whether the user can sign in; `header` if a configured header takes the place of a sign-in. */
  signIn(config: C): 'none' | 'header' | 'possible';
  /** Returns how far the server is confined; `undefined` if its configuration does not ask for that. */
  confinement(config: C): ConfinementLevel | undefined;
  /** Returns how a debugger is attached to the server; `undefined` if that is impossible. */
  debugging(config: C): Debugging | undefined;
  /** Returns the configuration for another client: its command confines the process and limits what it inherits. */
  handOver(config: C, programs: Pick<Programs, 'handOver'> | undefined, t: Translate): Promise<C>;
  open(
    config: C,
    context: TransportContext,
    openers: Openers,
  ): Promise<readonly (() => ServerTransport)[]>;
  diagnose(config: C, deps: LaunchDiagnosisDeps): Promise<readonly Finding[]>;
}
