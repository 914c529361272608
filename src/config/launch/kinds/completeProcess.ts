import { errorMessage, UserError } from '../../../base/errors';
import { inEnglish, type Translate } from '../../../base/translate';
import type { StdioServerConfig } from '../../../mcp/serverConfig';
import type { Launcher, LaunchSurroundings } from '../launchSurroundings';
import { foldersToLeaveOut, refuseWorkspaceParts } from '../workspaceParts';

/** The surroundings that a launch is completed in. */
export interface LaunchPlace {
  readonly surroundings: Pick<
    LaunchSurroundings,
    'programs' | 'inheritance' | 'isTrusted' | 'folders' | 't'
  >;
  /** Returns the folder that relative paths refer to, given the user's home folder. */
  readonly base: (home: string) => string;
  /** True for a text with an input that has no value yet. */
  readonly isOpen: (text: string | undefined) => boolean;
}

/**
 * Makes every path absolute, finds the program and reads the file of variables, unless they depend on an input; rejects
 * with a `UserError` if that fails.
 */
export async function completeProcess(
  config: StdioServerConfig,
  { surroundings, base, isOpen }: LaunchPlace,
): Promise<StdioServerConfig> {
  const { programs, inheritance, t = inEnglish } = surroundings;
  if (!programs) throw new UserError(t('This window cannot start processes.'));
  const from = base(programs.home);
  const { command, cwd, envFile } = config;
  const based: StdioServerConfig = {
    ...config,
    inheritEnvironment: config.inheritEnvironment ?? inheritance,
    cwd: cwd !== undefined && isOpen(cwd) ? cwd : programs.resolve(from, cwd ?? ''),
    ...(envFile !== undefined && {
      envFile: isOpen(envFile) ? envFile : programs.resolve(from, envFile),
    }),
  };
  const foldersLeftOut = await foldersToLeaveOut(based, surroundings, programs, isOpen);
  const placed = foldersLeftOut.length > 0 ? { ...based, foldersLeftOut } : based;
  const located =
    isOpen(command) || isOpen(cwd)
      ? placed
      : { ...placed, command: await programs.locate(placed, t) };
  // Before anything of it is read; its values are looked at once they are all there.
  await refuseWorkspaceParts(located, surroundings, programs, isOpen);
  const confinement = located.sandbox && (await programs.confine(located));
  const confined = confinement ? { ...located, confinement } : located;
  return isOpen(envFile) ? confined : withEnvFile(confined, programs, t);
}

async function withEnvFile(
  config: StdioServerConfig,
  { readVariables }: Launcher,
  t: Translate,
): Promise<StdioServerConfig> {
  const { envFile, env } = config;
  if (envFile === undefined) return config;
  try {
    return { ...config, env: { ...(await readVariables(envFile)), ...env } };
  } catch (error) {
    throw new UserError(
      t('The file of environment variables cannot be read: {0}', errorMessage(error, t)),
      { cause: error },
    );
  }
}
