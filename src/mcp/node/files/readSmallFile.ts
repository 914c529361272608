import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { UserError } from '../../../base/errors';

/** Reads a text file; rejects for what is no file, such as a device or a pipe, or larger than `maxBytes`. */
export async function readSmallFile(path: string, maxBytes: number): Promise<string> {
  // Without this a pipe would be waited for that nobody writes to.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new UserError(`${path} is not a file.`);
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxBytes)
      throw new UserError(`${path} is larger than ${String(maxBytes)} bytes.`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
