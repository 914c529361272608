import { open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLimiter } from '../../base/async';
import { parseEach } from '../../base/bytes/jsonRecords';
import type { JsonLines } from '../platform';
import { makePrivateFolder, privateFile } from './files/privateFiles';
import { hasCode } from './files/hasCode';
import { whenFree } from './files/heldFiles';

const keptRotations = 4;

/** Opens the file at `path`, which need not exist; it is put aside once it has grown to `maxBytes`. */
export function openJsonLines(path: string, maxBytes: number): JsonLines {
  const oneAtATime = createLimiter(1);
  const rotated = (number: number) => (number === 0 ? path : `${path}.${number}`);
  const rotate = async () => {
    for (let number = keptRotations - 1; number >= 0; number -= 1)
      await whenFree(() => rename(rotated(number), rotated(number + 1))).catch(ignoreMissing);
  };
  let isPrivate = false;
  const openPrivately = async () => {
    if (!isPrivate) await makePrivateFolder(dirname(path));
    isPrivate = true;
    return whenFree(() => open(path, 'a+', privateFile.mode));
  };
  const appendLine = async (line: string) => {
    const file = await openPrivately();
    try {
      const { size, isCut } = await readEnd(file);
      if (size >= maxBytes) return false;
      // An unfinished line that a killed process left must not spoil this one.
      await file.appendFile(isCut ? `\n${line}` : line);
      await file.sync();
      return true;
    } finally {
      await file.close();
    }
  };
  return {
    append: (value) =>
      oneAtATime(async () => {
        const line = `${JSON.stringify(value)}\n`;
        try {
          while (!(await appendLine(line))) await rotate();
        } catch (error) {
          // Somebody may have deleted the folder: the next line makes it again.
          isPrivate = false;
          throw error;
        }
      }),
    async read() {
      const numbers = Array.from({ length: keptRotations + 1 }, (_, i) => keptRotations - i);
      const texts = await oneAtATime(() =>
        Promise.all(numbers.map((n) => readFile(rotated(n), 'utf8').catch(ignoreMissing))),
      );
      return parseEach(texts.flatMap((text) => (text ?? '').split('\n')).filter(Boolean));
    },
  };
}

/** Returns the size of a file, and whether its last line is unfinished. */
async function readEnd(
  file: FileHandle,
): Promise<{ readonly size: number; readonly isCut: boolean }> {
  const { size } = await file.stat();
  if (size === 0) return { size, isCut: false };
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return { size, isCut: buffer.toString() !== '\n' };
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}
