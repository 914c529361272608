import { canonicalJson, isRecord } from '../base/json';
import type { Revision } from './protocol/revisions';
import type { ClientAbility } from './protocol/serverRequests';

/** The tools of a server that its configuration allows to be called, by name. */
export interface ToolFilter {
  /** If present, only these can be called. */
  readonly only?: readonly string[];
  readonly never: readonly string[];
}

/**
 * Reads `tools`, `disabledTools` and `excludeTools` of a server's configuration as other applications write them;
 * `undefined` if they restrict nothing. What allows more there, such as `autoApprove`, is not a permission here.
 */
export function readToolFilter(value: unknown): ToolFilter | undefined {
  if (!isRecord(value)) return undefined;
  const only = names(value['tools']);
  const never = [value['disabledTools'], value['excludeTools']].flatMap((one) => names(one) ?? []);
  const isOpen = only === undefined || only.includes('*');
  if (isOpen && never.length === 0) return undefined;
  return { ...(!isOpen && { only }), never };
}

/** True if the configuration allows the tool to be called. */
export function letsToolBeCalled(filter: ToolFilter | undefined, name: string): boolean {
  if (!filter) return true;
  return !filter.never.includes(name) && (filter.only?.includes(name) ?? true);
}

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

/** How to sign in to a server if that does not work automatically; every field may contain variables. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The permissions to ask for, separated by spaces. */
  readonly scopes?: string;
  /** The only authorization server that `clientId` and its credentials are meant for. */
  readonly issuer?: string;
  /** How tokens are obtained without a user; if absent, the user signs in with the browser. */
  readonly grantType?: 'client_credentials' | 'jwt_bearer';
  /** The proof of `clientId` in place of a secret: a private key (PEM) and its JWS algorithm. */
  readonly privateKey?: string;
  readonly algorithm?: string;
  /** The signed statement of who runs this that is exchanged for tokens (`jwt_bearer`, RFC 7523). */
  readonly assertion?: string;
  /** The name of the identity provider in the user's settings that decides who may use the server. */
  readonly provider?: string;
  /** The port of this machine that the browser comes back to, in digits; any free one if absent. */
  readonly callbackPort?: string;
}

/** What a process inherits of the editor's environment: what programs need, all but the editor's own variables, or nothing. */
export const inheritances = ['safe', 'all', 'none'] as const;

/** One of {@link inheritances}. */
export type Inheritance = (typeof inheritances)[number];

/** The debuggers that can be attached to a process, as VS Code and the extension of Bun name them. */
export const debugTypes = ['node', 'debugpy', 'bun'] as const;

/** One of {@link debugTypes}. */
export type DebugType = (typeof debugTypes)[number];

/** How a server that runs as one of our processes is launched. */
export interface StdioServerConfig {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment; `null` removes a name. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** A file of `NAME=value` lines; `env` wins over it. */
  readonly envFile?: string;
  readonly inheritEnvironment?: Inheritance;
  /** Folders that are left out of what it inherits, as they are written in the variables that hold folders. */
  readonly foldersLeftOut?: readonly string[];
  /** The kind of debugger that the process listens for; the port is chosen at each start. */
  readonly debug?: DebugType;
  /** How the entry wants the process confined. */
  readonly sandbox?: SandboxRules;
  /** How the machine confines the process; without it, even one with `sandbox` runs unconfined, so a start must check. */
  readonly confinement?: Confinement;
}

/** What an entry wants its process confined to, in VS Code's terms; paths and sites as they are written. */
export interface SandboxRules {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  /** Keys that are not understood; they may be the ones that matter. */
  readonly unknown: readonly string[];
}

/** What a process is confined to, and by which tool; paths are absolute, with links resolved. */
export interface Confinement {
  readonly tool: 'bwrap' | 'sandbox-exec';
  /** The path of the tool. */
  readonly program: string;
  /** Everything that can be written, except what is `readOnly`. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** What cannot even be read. */
  readonly hidden: readonly string[];
  /** True if the process can reach the network at all. */
  readonly hasNetwork: boolean;
  /** True if the process can create configuration in a new folder, and what is `readOnly` but does not exist yet. */
  readonly letsCreate: boolean;
  /** The rules that cannot be enforced, as they are written. */
  readonly unkept: readonly string[];
}

/** How much of the confinement that a process should have is enforced. */
export type ConfinementLevel = 'whole' | 'part' | 'none';

/** How a server at a URL is reached; `sse` is the HTTP+SSE transport of 2024-11-05. */
export interface HttpServerConfig {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthConfig;
}

/** How a server is reached, checked and with every optional part filled in. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** A server that no file has an entry of: the demo that comes with the extension, or a recording that is served. */
export type UnwrittenKind = 'demo' | 'recording';

/** A configured server: `id` is unique and stable, `name` is what the user called it. */
export interface ServerDefinition {
  readonly id: string;
  readonly name: string;
  readonly config: ServerConfig;
  readonly limits: ServerLimits;
  /** The only revision to speak; if absent, the latest that the server speaks, too. */
  readonly revision?: Revision;
  /** What this client shall neither declare to it nor do. */
  readonly without?: readonly ClientAbility[];
  /** The tools that its configuration allows to be called, if not all. */
  readonly toolFilter?: ToolFilter;
  /** Where the definition is: a label for users, and the file and 0-based line if it is in one. */
  readonly source: {
    readonly label: string;
    readonly uri?: string;
    readonly line?: number;
    /** The address of the workspace whose settings have the definition, if it is not in a file. */
    readonly workspace?: string;
    /** Set if no file has the server's entry. */
    readonly unwritten?: UnwrittenKind;
  };
  /** The workspace folder that variables and relative paths refer to, as a `file:` URI. */
  readonly folder?: string;
}

/** How long a request may take, in milliseconds. */
export interface Deadlines {
  /** Without an answer or progress. */
  readonly request: number;
  /** In total, no matter how much progress is reported. */
  readonly ceiling: number;
}

/** The limits of one server. */
export interface ServerLimits {
  readonly deadlines: Deadlines & { readonly initialize: number };
  /** The longest message that is accepted, in bytes. */
  readonly maxMessageBytes: number;
}

/** The longest message of a server that is configured without a limit, in bytes. */
const defaultMessageBytes = 64 * 1_048_576;

/** The limits of a server that is configured without any. */
export const defaultLimits: ServerLimits = {
  deadlines: { initialize: 60_000, request: 60_000, ceiling: 15 * 60_000 },
  maxMessageBytes: defaultMessageBytes,
};

/** True if both would launch or reach the same server in the same way. */
export function sameConfig(a: ServerConfig, b: ServerConfig): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** True if both define the same server; where they are written does not matter. */
export function sameDefinition(a: ServerDefinition, b: ServerDefinition): boolean {
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.folder === b.folder &&
    sameConfig(a.config, b.config) &&
    canonicalJson([a.limits, a.toolFilter, a.revision, a.without]) ===
      canonicalJson([b.limits, b.toolFilter, b.revision, b.without])
  );
}
