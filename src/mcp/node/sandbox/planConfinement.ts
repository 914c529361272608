import { tmpdir } from 'node:os';
import { basename, posix } from 'node:path';
import type { Confinement, StdioServerConfig } from '../../serverConfig';
import { isPathInside, realPath } from '../files/fileAccess';
import { execFile } from 'node:child_process';
import { findCommand } from '../commands/findCommand';
import type { System } from '../system';
import { baseFlags, baseMounts } from './bubblewrap';
import { seatbeltProfile } from './seatbelt';

/** A program of the machine that confines others, and its path. */
export type SandboxTool = Pick<Confinement, 'tool' | 'program'>;

/** How long a tool may take to do nothing, in milliseconds; a slower one is not used. */
const tryMs = 5_000;

/** Only folders in which the system itself puts programs: a tool elsewhere could be anybody's. */
export const systemFolders = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin';

/** Finds the tool of a machine that confines processes, and tries it once; `undefined` if none is there or works. */
export async function findSandboxTool(system: System): Promise<SandboxTool | undefined> {
  const env = { PATH: systemFolders };
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

const anySite = '*';

/** The folders below the user's home folder in which some programs unpack what they run. */
const packageFolders: Readonly<Record<string, string>> = { npx: '.npm', npm: '.npm' };

/** Plans how a tool enforces the rules of a process, as far as it can; `undefined` if there are none. */
export async function planConfinement(
  { command, cwd, sandbox }: StdioServerConfig,
  { tool, program }: SandboxTool,
  home: string,
): Promise<Confinement | undefined> {
  if (!sandbox) return undefined;
  const { allowWrite, denyWrite, denyRead, allowedDomains, deniedDomains, unknown } = sandbox;
  const resolve = (path: string) =>
    realPath(
      posix.resolve(
        cwd ?? home,
        path.replace(/^~(?=\/|$)/, () => home),
      ),
    );
  const realOf = async (paths: readonly string[]) => [
    ...new Set(await Promise.all(paths.filter((path) => !isPattern(path)).map(resolve))),
  ];
  const ownHome = await realPath(home);
  const folder = cwd === undefined ? undefined : await realPath(cwd);
  const packages = packageFolders[basename(command)];
  const writable = await realOf([
    // Running in the home folder, or above it, does not entitle a server to all of that.
    ...(folder !== undefined && !isPathInside(folder, ownHome) ? [folder] : []),
    ...(packages === undefined ? [] : [posix.join(home, packages)]),
    ...(tool === 'sandbox-exec' ? [tmpdir()] : []),
    ...allowWrite,
  ]);
  const hasNetwork = allowedDomains.length > 0;
  const isOpen = allowedDomains.includes(anySite);
  return {
    tool,
    program,
    writable,
    readOnly: await realOf(denyWrite),
    hidden: await realOf(denyRead),
    hasNetwork,
    // bubblewrap can keep no name free in a folder that the process makes itself. What is there now may be gone at the
    // next start, so this does not depend on it: the question would be asked again and again.
    letsCreate: tool === 'bwrap' && writable.length > 0,
    unkept: [
      ...patterns('filesystem.allowWrite', allowWrite),
      ...patterns('filesystem.denyWrite', denyWrite),
      ...patterns('filesystem.denyRead', denyRead),
      ...(hasNetwork && !isOpen ? [told('network.allowedDomains', allowedDomains)] : []),
      ...(hasNetwork && deniedDomains.length > 0
        ? [told('network.deniedDomains', deniedDomains)]
        : []),
      ...unknown,
    ],
  };
}

function isPattern(path: string): boolean {
  return /[*?[\]{}]/.test(path);
}

function patterns(key: string, paths: readonly string[]): readonly string[] {
  const found = paths.filter(isPattern);
  return found.length > 0 ? [told(key, found)] : [];
}

function told(key: string, values: readonly string[]): string {
  return `${key}: ${values.join(', ')}`;
}
