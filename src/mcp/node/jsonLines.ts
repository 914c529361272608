import { appendFile, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLimiter } from '../../base/async';
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
        const size = await stat(path).then((file) => file.size, ignoreMissing);
        if (size !== undefined && size >= maxBytes) await rotate();
        await appendFile(path, `${JSON.stringify(value)}\n`, {
          ...privateFile,
          flush: true,
        });
      }),
    async read() {
      const numbers = Array.from({ length: keptRotations + 1 }, (_, i) => keptRotations - i);
      const texts = await oneAtATime(() =>
        Promise.all(numbers.map((n) => readFile(rotated(n), 'utf8').catch(ignoreMissing))),
      );
      return texts.flatMap((text) => (text ?? '').split('\n')).flatMap(parseLine);
    },
  };
}

function parseLine(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}
