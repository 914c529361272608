import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { Disposable } from '../../../base/disposable';
import { makePrivateFolder, writePrivateFile } from './privateFiles';

/** How long after a file was run its code is saved, in milliseconds: by then, the functions that a start needs are compiled. */
const saveAfterMs = 5000;

/** The size of the CRC of text and code, which comes before the code. */
const sumBytes = 4;

type RunModule = (
  exports: object,
  require: (name: string) => unknown,
  module: object,
  file: string,
  folder: string,
) => void;

/**
 * Runs CommonJS files from the code that V8 compiled in an earlier window, because compiling takes most of the time of
 * loading a large file. Saved code is used only if it is complete and was made from exactly the same text.
 */
export class CompiledFiles implements Disposable {
  readonly #folder: string;
  readonly #exports = new Map<string, object>();
  readonly #unsaved = new Map<string, () => Buffer>();
  #timer: NodeJS.Timeout | undefined;

  /** `storage` is the folder that the editor gives the extension; it may not exist yet. */
  constructor(storage: string) {
    this.#folder = join(storage, 'compiled');
  }

  /** Returns the exports of a file. Files beside it that it requires run in the same way; Node loads the rest. */
  load(folder: string, name: string): object {
    const file = join(folder, name);
    const known = this.#exports.get(file);
    if (known) return known;
    const ofNode = createRequire(file);
    const require = (wanted: string): unknown =>
      wanted.startsWith('./') ? this.load(folder, wanted) : ofNode(wanted);
    const module = { exports: {} };
    const run = this.#compile(file).runInThisContext() as RunModule;
    run(module.exports, require, module, file, folder);
    this.#exports.set(file, module.exports);
    return module.exports;
  }

  /** Saves the code that had to be compiled; this happens automatically some seconds after it was run. */
  async save(): Promise<void> {
    const unsaved = [...this.#unsaved];
    this.#unsaved.clear();
    if (unsaved.length > 0) await makePrivateFolder(this.#folder);
    for (const [path, toBytes] of unsaved) await writePrivateFile(path, toBytes());
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #compile(file: string): Script {
    const text = readFileSync(file);
    const path = join(this.#folder, `${basename(file)}.bin`);
    const cachedData = readCode(path, text);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${textOf(text)}\n})`,
      { filename: file, ...(cachedData && { cachedData }) },
    );
    if (!cachedData || script.cachedDataRejected)
      this.#saveLater(path, () => toSaved(text, script.createCachedData()));
    return script;
  }

  #saveLater(path: string, toBytes: () => Buffer): void {
    this.#unsaved.set(path, toBytes);
    clearTimeout(this.#timer);
    // What cannot be saved is compiled again in the next window.
    this.#timer = setTimeout(() => void this.save().catch(() => {}), saveAfterMs);
  }
}

/** The same text as `toString` returns; of what consists of ASCII alone, as our code does, in a third of the time. */
const textOf = (text: Buffer) => (isAscii(text) ? text.toString('latin1') : text.toString());

const sumOf = (text: Buffer, code: Buffer) => crc32(code, crc32(text));

function toSaved(text: Buffer, code: Buffer): Buffer {
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32BE(sumOf(text, code));
  return Buffer.concat([sum, code]);
}

/** Reads the code that was saved for a text; `undefined` if it is missing, cut off or from another text. */
function readCode(path: string, text: Buffer): Buffer | undefined {
  try {
    const saved = readFileSync(path);
    const code = saved.subarray(sumBytes);
    return sumOf(text, code) === saved.readUInt32BE() ? code : undefined;
  } catch {
    return undefined;
  }
}
