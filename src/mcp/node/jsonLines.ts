import { appendFile, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLimiter } from '../../base/async';
import { parseEach } from '../../base/bytes/jsonRecords';
import type { JsonLines } from '../platform';
import { makePrivateFolder, privateFile } from './files/privateFiles';
import { hasCode } from './files/hasCode';

const keptRotations = 4;

/** Opens the file at `path`, which need not exist; it is put aside when it has grown above `maxBytes`. */
export function openJsonLines(path: string, maxBytes: number): JsonLines {
  const oneAtATime = createLimiter(1);
  const rotated = (number: number) => (number === 0 ? path : `${path}.${number}`);
  const rotate = async () => {
    for (let number = keptRotations - 1; number >= 0; number -= 1)
      await rename(rotated(number), rotated(number + 1)).catch(ignoreMissing);
  };
  return {
    append: (value) =>
      oneAtATime(async () => {
        await makePrivateFolder(dirname(path));
        const { size, isCut } = await readEnd(path);
        if (size >= maxBytes) await rotate();
        // What a killed process left without an end must not take this line with it.
        const start = isCut && size < maxBytes ? '\n' : '';
        await appendFile(path, `${start}${JSON.stringify(value)}\n`, {
          ...privateFile,
          flush: true,
        });
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

/** How large a file is, and whether its last line has no end; a missing file is empty. */
async function readEnd(path: string): Promise<{ readonly size: number; readonly isCut: boolean }> {
  const file = await open(path).catch(ignoreMissing);
  if (!file) return { size: 0, isCut: false };
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return { size, isCut: size > 0 && buffer.toString() !== '\n' };
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}
