import { UserError } from '../../base/errors';
import type { Translate } from '../../base/translate';
import type { Environment, Programs } from '../../mcp/platform';
import type { Inheritance } from '../../mcp/serverConfig';

/** What a launch needs of the machine that it is for. */
export type Launcher = Omit<Programs, 'system' | 'check' | 'runtime' | 'handOver' | 'readText'>;

/** What a launch depends on beside its configuration: the machine and the window. */
export interface LaunchSurroundings {
  readonly env: Environment;
  /** Undefined where no process can be started. */
  readonly programs: Launcher | undefined;
  readonly folders: readonly {
    readonly uri: string;
    readonly name: string;
    readonly path: string;
  }[];
  /** False where nothing may come from the workspace. */
  readonly isTrusted: boolean;
  /** What servers inherit that do not say so themselves. */
  readonly inheritance: Inheritance;
  readonly markKey: string;
  /** Words what is wrong with a launch; in English, if left out. */
  readonly t?: Translate | undefined;
}

/** A launch would use what belongs to a workspace that is not trusted. */
export class UntrustedWorkspaceError extends UserError {
  /** What would come from there: a variable, or a path. */
  readonly part: string;

  constructor(part: string) {
    super((t) => t('This workspace is not trusted, and {0} is part of it.', part));
    this.part = part;
  }
}
