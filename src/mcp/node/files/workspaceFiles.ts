import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { UserError } from '../../../base/errors';
import type { LocalizableMessage } from '../../../base/translate';
import type { WorkspaceFiles } from '../../platform';
import type { FileUri } from '../../../base/uri/fileAddress';
import { isPathInside, readSmallBytes, readSmallFile, realPath, unfollowed } from './fileAccess';
import { hasCode } from '../system';
import { isHeld, whenFree } from './privateFiles';

/** The files of this machine in folders whose content others have a say in, such as a repository. */
export const workspaceFiles: WorkspaceFiles = {
  check: async (folder, path) => {
    await findTarget(folder, path);
  },
  async read(folder, path, maxBytes) {
    const target = await findTarget(folder, path, notRead);
    return ifThere(readSmallFile(target, maxBytes));
  },
  write: (folder, path, content) => writeAt(folder, path, content, constants.O_TRUNC),
  async remove(folder, path) {
    const target = await findTarget(folder, path);
    await whenFree(() => rm(target, { force: true }));
  },
};

/** Reads the bytes of a file; `undefined` if it does not exist. Rejects as the methods of {@link workspaceFiles} do. */
export async function readBytesBelow(
  folder: FileUri,
  path: readonly string[],
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return ifThere(readSmallBytes(await findTarget(folder, path, notRead), maxBytes));
}

function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  });
}

/** Writes at the end of a file. Rejects as the methods of {@link workspaceFiles} do. */
export function appendBelow(folder: FileUri, path: readonly string[], text: string): Promise<void> {
  return writeAt(folder, path, text, constants.O_APPEND);
}

/**
 * Finds the first part of a path below `folder` that is a link out of it, or to nothing: what is written
 * there would end up elsewhere. `undefined` if there is none.
 */
export async function findEscape(
  folder: string,
  segments: readonly string[],
): Promise<string | undefined> {
  const { escape } = await follow(folder, segments);
  return escape;
}

async function writeAt(
  folder: FileUri,
  path: readonly string[],
  content: string | Uint8Array,
  how: number,
): Promise<void> {
  await mkdir(dirname(await findTarget(folder, path)), { recursive: true });
  // Once more: another program may have put a link there meanwhile.
  const target = await findTarget(folder, path);
  const { O_WRONLY, O_CREAT } = constants;
  const file = await whenFree(() => open(target, O_WRONLY | O_CREAT | unfollowed() | how)).catch(
    (error: unknown) => {
      throw isHeld(error) ? new UserError(notSaved(inUse(path)), { cause: error }) : error;
    },
  );
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** Returns the file at a path below a folder, which need not exist; rejects with a `UserError` if it is elsewhere. */
async function findTarget(
  { fsPath }: FileUri,
  path: readonly string[],
  refused: (problem: LocalizableMessage) => LocalizableMessage = notSaved,
): Promise<string> {
  const shown = path.join('/');
  const refuse = (problem: LocalizableMessage) => new UserError(refused(problem));
  if (path.length === 0 || !path.every((one) => isSegment(one)))
    throw refuse((t) => t('{0} is not a path in the folder.', shown));
  const { at, escape, covert, last } = await follow(fsPath, path);
  if (escape !== undefined)
    throw refuse((t) => t('{0} is a link that leads out of the folder.', escape));
  if (covert !== undefined)
    throw refuse((t) => t('{0} is a link that leads to configuration of the folder.', covert));
  if (last?.isSymbolicLink())
    throw refuse((t) => t('{0} is a link. Remove it, or choose another name.', shown));
  if (last && !last.isFile()) throw refuse((t) => t('{0} is not a file.', shown));
  return at;
}

function inUse(path: readonly string[]): LocalizableMessage {
  return (t) =>
    t(
      '{0} is read-only, or open in another program. Close it there and try again.',
      path.join('/'),
    );
}

function notSaved(problem: LocalizableMessage): LocalizableMessage {
  return (t) => t('Nothing was saved: {0}', problem(t));
}

function notRead(problem: LocalizableMessage): LocalizableMessage {
  return (t) => t('Nothing was read: {0}', problem(t));
}

/**
 * Follows a path, and the links on its way that stay below the folder, or below the repository that the way has come to:
 * a folder of many of them, such as the home folder, is open to none of its repositories.
 */
async function follow(folder: string, segments: readonly string[]) {
  let root = await realPath(folder);
  let at = root;
  let last: Awaited<ReturnType<typeof lstat>> | undefined;
  for (const [index, segment] of segments.entries()) {
    if (await lstat(join(at, '.git')).catch(() => undefined)) root = at;
    const next = join(at, segment);
    last = await lstat(next).catch(() => undefined);
    // There are no links below a folder that does not exist yet.
    if (!last) return { at: join(next, ...segments.slice(index + 1)) };
    at = next;
    if (!last.isSymbolicLink()) continue;
    const target = await realpath(next).catch(() => undefined);
    if (target === undefined || !isPathInside(root, target)) return { at, escape: next, last };
    if (leadsToConfiguration(relative(root, target), segments.slice(0, index + 1)))
      return { at, covert: next, last };
    if (index < segments.length - 1) at = target;
  }
  return { at, last };
}

/**
 * True if a link leads to what Git keeps, or from a plain name to a folder whose name begins with a dot: what is written
 * there, an editor or an agent may run or follow. Links between such folders, as for skills, are common.
 */
function leadsToConfiguration(target: string, written: readonly string[]): boolean {
  const steps = target.split(sep).map((step) => step.toLowerCase());
  const isHidden = (step: string) => step.startsWith('.');
  return steps.includes('.git') || (steps.some(isHidden) && !written.some(isHidden));
}

/**
 * True for one step of a path, which leads down. Windows leaves out dots and spaces at its end, so that `.. ` leads up,
 * and what follows a colon is another stream of the file.
 */
export function isSegment(text: string, separator: string = sep): boolean {
  if (['', '.', '..'].includes(text) || /[/\0]/.test(text)) return false;
  return separator === '/' || !/[\\:]|[. ]$/.test(text);
}
