import type { LocalizableMessage, Translate } from '../../../base/translate';
import type { Confinement, ServerConfig } from '../../../mcp/serverConfig';
import type { LaunchText } from '../launchTexts';
import type { LaunchValues, Values } from '../launchValues';
import type { LaunchPlace } from './completeProcess';

const confinedBy =
  (tool: Confinement['tool']): LocalizableMessage =>
  (t) =>
    t('Command line, confined by {0}', tool);

/** Every heading of the text of a launch: the text is stored in English, and a heading found here is shown translated. */
export const launchHeadings = {
  server: (t) => t('MCP server'),
  place: (t) => t('Configured in'),
  warnings: (t) => t('Worth knowing'),
  commandLine: (t) => t('Command line'),
  bwrap: confinedBy('bwrap'),
  'sandbox-exec': confinedBy('sandbox-exec'),
  sandbox: (t) => t('Sandbox'),
  debugger: (t) => t('Debugger'),
  workingDirectory: (t) => t('Working directory'),
  variables: (t) => t('Environment variables it sets'),
  variablesFile: (t) => t('File of environment variables'),
  inheritedVariables: (t) => t('Environment variables it inherits'),
  address: (t) => t('Address'),
  sseAddress: (t) => t('Address (HTTP with server-sent events)'),
  socket: (t) => t('Socket of this machine'),
  headers: (t) => t('Headers it sends'),
  signIn: (t) => t('Sign-in'),
} satisfies Readonly<Record<string, LocalizableMessage>>;

/** The name of one of the {@link launchHeadings}. */
export type LaunchHeading = keyof typeof launchHeadings;

/** A part of a launch under its heading; not shown if it has no text. */
export interface LaunchPart {
  readonly heading: LaunchHeading;
  readonly text: string | undefined;
  /** True for a part that every launch of its kind has, so that the row of a list may leave it out. */
  readonly isUsual?: boolean;
}

/** The line of a launch, and its variables or headers: those that the user wrote, and those from a file of variables. */
export interface LaunchLine {
  /** The command line or address, as it is shown. */
  readonly line: string;
  readonly own: LaunchValues;
  readonly ofFile: LaunchValues;
  /** The key that the marks of hidden values are made with. */
  readonly markKey: string;
}

/** How one kind of launch gets its values, and what the user is told and decides about it. */
export interface LaunchRules<C extends ServerConfig> {
  /** Fills in what depends on the machine and the window. */
  complete(config: C, place: LaunchPlace): Promise<C>;
  /** Throws a `UserError` if its values make it something that its kind does not admit. */
  check?(config: C, t: Translate | undefined): void;
  /** Returns what of it is on this machine and could belong to a workspace; `undefined` if nothing is. */
  local(config: C): ServerConfig | undefined;
  /** Returns what tells the part of each of its texts that decides what runs, or where; empty if it decides nothing. */
  decides(config: C): (text: LaunchText) => string;
  /**
   * Returns what tells the program or address that gets the values of inputs from others: as it is written, and with what
   * a file of variables adds to that where it is `launched`.
   */
  recipient(written: C, launched?: C): unknown;
  /** Says that a value, which was entered for another launch, goes to this one. */
  sends(config: C, value: string, t: Translate): string;
  /** Returns the variables or headers that the launch sets. */
  values(config: C): Values;
  /** Describes what would run or be reached, part by part. */
  parts(config: C, written: C, shown: LaunchLine, t: Translate): readonly LaunchPart[];
  /** Returns what a decision about the launch is bound to, with `values` in place of its variables or headers. */
  bound(config: C, written: C, values: Values): Readonly<Record<string, unknown>>;
  /** Returns sentences about what is worth knowing, such as what makes it run something other than it names. */
  warnings(config: C, t: Translate): readonly string[];
  /** Returns what looks like a secret in the command line or address itself. */
  lineSecrets(config: C): readonly string[];
  /** Returns what else no log may show. */
  secrets(config: C): readonly string[];
  /** Returns the launch with each text as `keep` chooses: as it is now, or as it was written. */
  asWritten(config: C, written: C, keep: KeepWritten): C;
}

/** The choice between the current text and what was written. */
export interface KeepWritten {
  text(now: string, written: string | undefined): string;
  values<T extends string | null>(
    now: Readonly<Record<string, T>>,
    written: Readonly<Record<string, T>>,
  ): Readonly<Record<string, T>>;
}
