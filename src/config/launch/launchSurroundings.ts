import { UserError } from '../../base/errors';
import type { Translate } from '../../base/translate';
import type { Environment, Programs } from '../../mcp/platform';
import type { Inheritance } from '../../mcp/serverConfig';

/** What a launch needs from the machine that it is for. */
export type Launcher = Omit<Programs, 'system' | 'check' | 'runtime' | 'handOver' | 'readText'>;

/** What a launch depends on besides its configuration: the machine and the window. */
export interface LaunchSurroundings {
  readonly env: Environment;
  /** Undefined if no process can be started. */
  readonly programs: Launcher | undefined;
  readonly folders: readonly {
    readonly uri: string;
    readonly name: string;
    readonly path: string;
  }[];
  /** False if nothing may come from the workspace. */
  readonly isTrusted: boolean;
  /** What servers inherit if their configuration does not say. */
  readonly inheritance: Inheritance;
  readonly markKey: string;
  /** Translates what is wrong with a launch; English, if left out. */
  readonly t?: Translate | undefined;
}

/** The error for a launch that would use part of a workspace that is not trusted. */
export class UntrustedWorkspaceError extends UserError {
  /** What would come from the workspace: a variable or a path. */
  readonly part: string;

  constructor(part: string) {
    super((t) => t('This workspace is not trusted, and {0} is part of it.', part));
    this.part = part;
  }
}
