import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import { UserError } from '../../../base/errors';
import { formatBytes } from '../../../base/text/text';
import type { AdministratorFiles } from '../../platform';
import { thisSystem } from '../system';
import { unfollowed } from './fileAccess';

/** At most so many bytes of an administrator's rules are read. */
export const maxAdministratorBytes = 1_000_000;

/** Where only an administrator can write, on each system: any user may make folders in `%ProgramData%`. */
const folders: Readonly<Record<string, string>> = {
  win32: 'C:\\Program Files\\MCP Workbench',
  darwin: '/Library/Application Support/MCP Workbench',
};

/** Opens the administrator's files of this machine; the arguments stand for it in tests. */
export function createAdministratorFiles(
  folder = folders[thisSystem()] ?? '/etc/mcp-workbench',
  administrator = 0,
): AdministratorFiles {
  const spare = randomUUID().slice(0, 8);
  const paths = thisSystem() === 'win32' ? win32 : posix;
  const path = paths.join(folder, 'policy.json');
  /** Windows has no owner that could be compared: what protects the folder there is its access list. */
  const mustBeTheirs = (what: string, { uid, mode }: Stats) => {
    if (thisSystem() === 'win32' || (uid === administrator && (mode & 0o022) === 0)) return;
    throw new UserError((t) => t('Others than an administrator can write {0}.', what));
  };
  return {
    path,
    read() {
      let file: number;
      try {
        // Without this, a pipe that nobody writes to would be waited for.
        file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      try {
        const stats = fstatSync(file);
        if (!stats.isFile()) throw new UserError((t) => t('{0} is not a file.', path));
        mustBeTheirs(path, stats);
        mustBeTheirs(folder, statSync(folder));
        if (stats.size > maxAdministratorBytes)
          throw new UserError((t) =>
            t('{0} is larger than {1}.', path, formatBytes(maxAdministratorBytes)),
          );
        return new TextDecoder().decode(readFileSync(file));
      } finally {
        closeSync(file);
      }
    },
    async append(logFolder, line) {
      if (!paths.isAbsolute(logFolder))
        throw new UserError((t) => t('{0} is no folder of this system.', logFolder));
      const { name, uid } = whoIs();
      // Whoever may write to the folder can have taken the name, which must not keep the calls from being logged.
      const at = (own: string) => appendOwn(paths.join(logFolder, `${own}.jsonl`), line, uid);
      await at(name).catch(() => at(`${name}-${spare}`));
    },
  };
}

/** Returns the account; not every one in a container has a name. */
function whoIs(): { readonly name: string; readonly uid: number | undefined } {
  const uid = process.getuid?.();
  try {
    return { name: userInfo().username, uid };
  } catch {
    return { name: String(uid), uid };
  }
}

/** Appends a line to a file of the user's own; rejects where a link, or a file of somebody else, has its name. */
async function appendOwn(target: string, line: string, uid: number | undefined): Promise<void> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = await open(target, O_APPEND | O_CREAT | O_WRONLY | unfollowed(), 0o600);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.nlink > 1 || (uid !== undefined && stats.uid !== uid))
      throw new UserError((t) => t('{0} belongs to somebody else.', target));
    await file.appendFile(line);
  } finally {
    await file.close();
  }
}
