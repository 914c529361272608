import { asRecord } from '../base/json';

/** No more globs of one server are watched. */
export const maxGlobs = 50;
/** No longer glob is, in UTF-16 units. */
export const maxGlobLength = 1000;

/** That a server is being worked on. */
export interface Development {
  /** The files whose changes restart it, as globs from its folder; one that begins with `!` leaves files out. */
  readonly watch: readonly string[];
}

/** Reads `dev` of a server's entry as VS Code writes it; nothing where no file is watched. */
export function readDevelopment(value: unknown): Development | undefined {
  const { watch } = asRecord(asRecord(value)['dev']);
  const globs = (Array.isArray(watch) ? watch : [watch])
    .filter((glob) => typeof glob === 'string')
    .filter(isGlob)
    .slice(0, maxGlobs);
  return globs.some((glob) => !glob.startsWith('!')) ? { watch: globs } : undefined;
}

/** True for what can be watched as a glob. */
export function isGlob(glob: string): boolean {
  return glob.replace(/^!/, '').trim() !== '' && glob.length <= maxGlobLength;
}
