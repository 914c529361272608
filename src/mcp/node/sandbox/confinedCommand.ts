import type { StdioServerConfig } from '../../serverConfig';
import type { Environment } from '../../platform';
import { bubblewrapArgs } from './bubblewrap';
import { findGuarded } from './guarded';
import { seatbeltProfile } from './seatbelt';
import { findServices, withoutServices } from './services';

/** The command that is started for a program, and the variables that it gets. */
export interface Started<V> {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, V>>;
  /** The paths that an empty folder takes while the program runs. */
  readonly keptFree?: readonly string[];
  /** True if there was too much to guard in what the program may write. */
  readonly isCut?: boolean;
}

/**
 * Returns the command to start for a program: the program itself, or the tool that confines it. `whole` is the
 * environment that the program gets, `own` the one that tells which services run here.
 */
export async function confinedCommand<V extends string | null>(
  command: string,
  { args, cwd, env: configured, confinement }: StdioServerConfig,
  whole: Readonly<Record<string, V>>,
  own: Environment,
): Promise<Started<V>> {
  if (!confinement) return { command, args, env: whole };
  const env = withoutServices(whole, configured);
  const guarded = await findGuarded(confinement);
  const services = await findServices(confinement, own);
  const surroundings = { guarded, services };
  const { isCut } = guarded;
  switch (confinement.tool) {
    case 'bwrap': {
      const names = Object.keys(env).filter((name) => decidesLoading.test(name));
      const others = Object.entries(env).filter(([name]) => !names.includes(name));
      const set = names.flatMap((name) => {
        const value = env[name];
        return typeof value === 'string' ? ['--setenv', name, value] : ['--unsetenv', name];
      });
      return {
        command: confinement.program,
        args: [...set, ...(await bubblewrapArgs(confinement, surroundings, command, args, cwd))],
        env: Object.fromEntries(others),
        keptFree: guarded.missing,
        isCut,
      };
    }
    case 'sandbox-exec':
      return {
        command: confinement.program,
        args: ['-p', seatbeltProfile(confinement, surroundings), command, ...args],
        env,
        isCut,
      };
  }
}

/** Variables whose values would affect what is loaded into the tool itself, before it confines anything. */
const decidesLoading = /^(?:LD_\w+|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|MALLOC_\w+)$/;
