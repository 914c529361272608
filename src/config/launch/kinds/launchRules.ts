import type { Translate } from '../../../base/translate';
import type { ServerConfig } from '../../../mcp/serverConfig';
import type { LaunchValues, Values } from '../launchValues';
import type { Expand } from '../variables';
import type { LaunchPlace } from './completeProcess';

/** A part of a launch under its title; one without text is not shown. */
export interface LaunchPart {
  readonly title: string;
  readonly text: string | undefined;
  /** Every launch of the kind has it, and a row of a list says it or leaves it out. */
  readonly isUsual?: boolean;
}

/** What variables or headers of a launch a user wrote, and apart from them what a file of variables adds. */
export interface LaunchParts {
  /** The command line or address, as it is to be shown. */
  readonly line: string;
  readonly own: LaunchValues;
  readonly ofFile: LaunchValues;
  /** What the marks of hidden values are made with. */
  readonly markKey: string;
}

/** How one kind of launch gets its values, and what a user is told and decides about it. */
export interface LaunchRules<C extends ServerConfig> {
  /** Replaces the variables in every part. */
  expand(config: C, expand: Expand): Promise<C>;
  /** Fills in what the machine and the window decide. */
  complete(config: C, place: LaunchPlace): Promise<C>;
  /** The texts that decide what runs or where. */
  decisive(config: C): readonly string[];
  /** The variables or headers that it gives. */
  values(config: C): Values;
  /** What would run or be reached, part by part. */
  parts(config: C, written: C, parts: LaunchParts, t: Translate): readonly LaunchPart[];
  /** What of it a decision is bound to, where its values are bound as `values`. */
  bound(config: C, written: C, values: Values): Readonly<Record<string, unknown>>;
  /** Sentences about what makes it run or reach something else than it names. */
  warnings(config: C, t: Translate): readonly string[];
  /** What looks like a secret in the line itself. */
  lineSecrets(config: C): readonly string[];
  /** What else no log may show. */
  secrets(config: C): readonly string[];
  /** With `keep` for what is kept as it was written instead of what it stands for. */
  asWritten(config: C, written: C, keep: KeepWritten): C;
}

/** Chooses between what stands now and what was written. */
export interface KeepWritten {
  text(now: string, written: string | undefined): string;
  values<T extends string | null>(
    now: Readonly<Record<string, T>>,
    written: Readonly<Record<string, T>>,
  ): Readonly<Record<string, T>>;
}
