import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { Environment, Programs } from '../../mcp/platform';
import type { Inheritance } from '../../mcp/serverConfig';

/** What a launch needs from the machine that it is for. */
export type Launcher = Omit<
  Programs,
  'system' | 'check' | 'runtime' | 'handOver' | 'readText' | 'fetchOverSocket'
>;

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

/** The longest part of a workspace that is shown, in UTF-16 units. */
const longestPart = 200;

/** The error for a launch that would use part of a workspace that is not trusted. */
export class UntrustedWorkspaceError extends UserError {
  /**
   * @param part what would come from the workspace: a variable or a path; left out if there are too many to tell
   * @param isInherited true for a variable that the process would inherit
   */
  constructor(part?: string, isInherited = false) {
    super((t) =>
      part !== undefined && isInherited
        ? t(
            '{0}, which it inherits from the editor, names something in a workspace that is not trusted. Set or remove it in its "env".',
            plainLabel(part, longestPart),
          )
        : part === undefined
          ? t(
              'It names too many paths to tell whether one belongs to this workspace, which is not trusted.',
            )
          : t(
              'It uses {0}, which belongs to a workspace that is not trusted.',
              plainLabel(part, longestPart),
            ),
    );
  }
}
