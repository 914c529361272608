import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';

/** Files that nobody but the user who wrote them can read. */
export const privateFile = { mode: 0o600 } as const;

/** Such a file that can be run. */
export const privateProgram = { mode: 0o700 } as const;

/** Makes a folder, with those above it, that nobody else can look into; one that is there becomes such. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** Writes a private file in one step, in place of one that is there. */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  options: typeof privateFile | typeof privateProgram = privateFile,
): Promise<void> {
  const beside = `${path}.${process.pid}.${randomUUID()}`;
  await writeFile(beside, content, options);
  await rename(beside, path);
}
