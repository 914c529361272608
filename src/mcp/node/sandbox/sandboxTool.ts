import { execFile } from 'node:child_process';
import type { Confinement } from '../../serverConfig';
import { findCommand } from '../commands/findCommand';
import type { System } from '../system';
import { baseFlags, baseMounts } from './bubblewrap';
import { seatbeltProfile } from './seatbelt';

/** A program of the machine that confines others, and its path. */
export type SandboxTool = Pick<Confinement, 'tool' | 'program'>;

/** How long a tool may take to do nothing, in milliseconds; a slower one is not used. */
const tryMs = 5_000;

/** Only folders in which the system itself puts programs: a tool elsewhere could be anybody's. */
const folders = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin';

/** Finds the tool of a machine that confines processes, and tries it once; `undefined` if none is there or works. */
export async function findSandboxTool(system: System): Promise<SandboxTool | undefined> {
  const env = { PATH: folders };
  if (system === 'linux') {
    const program = await findCommand('bwrap', env, { system });
    // Many containers and some systems let nobody create the namespaces that it needs.
    const attempt = [...baseFlags, '--unshare-net', '--ro-bind', '/', '/', ...baseMounts, '--'];
    return program !== undefined && (await works(program, [...attempt, program, '--version']))
      ? { tool: 'bwrap', program }
      : undefined;
  }
  if (system !== 'darwin') return undefined;
  const program = await findCommand('sandbox-exec', env, { system });
  const tmp = ['/tmp'];
  const profile = seatbeltProfile(
    { writable: tmp, readOnly: tmp, hidden: tmp, hasNetwork: true },
    {
      guarded: { whole: tmp, links: tmp, parents: tmp, missing: tmp, isCut: false },
      services: tmp,
    },
  );
  return program !== undefined && (await works(program, ['-p', profile, '/usr/bin/true']))
    ? { tool: 'sandbox-exec', program }
    : undefined;
}

function works(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: tryMs, killSignal: 'SIGKILL', env: {}, cwd: '/' } as const;
    execFile(program, args, options, (error) => resolve(error === null));
  });
}
