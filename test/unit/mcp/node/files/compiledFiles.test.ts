import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledFiles } from '../../../../../src/mcp/node/files/compiledFiles';
import { thisSystem } from '../../../../../src/mcp/node/system';

/** A file with a function that is only compiled when it is called. */
const program = `
  const { twice } = require('./helper.js');
  exports.answer = () => twice(21);
  exports.places = [__dirname, __filename];
  exports.basename = require('node:path').basename;
  exports.called = exports.answer();`;
const helper = 'exports.twice = (n) => 2 * n;';

interface Program {
  readonly answer: () => number;
  readonly places: readonly string[];
  readonly basename: (path: string) => string;
}

describe('files that run from compiled code', () => {
  let root = '';
  let folder = '';
  let compiled = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mcp-workbench-compiled-'));
    folder = join(root, 'dist');
    compiled = join(root, 'storage', 'compiled');
    await mkdir(folder);
    await writeFile(join(folder, 'program.js'), program);
    await writeFile(join(folder, 'helper.js'), helper);
  });
  afterEach(() => rm(root, { recursive: true }));

  const inWindow = async (run: (files: CompiledFiles) => Promise<void> | void) => {
    const files = new CompiledFiles(join(root, 'storage'));
    try {
      await run(files);
    } finally {
      files.dispose();
    }
  };
  const load = (files: CompiledFiles) => files.load(folder, 'program.js') as Program;

  /** Runs the program in a window and returns the names of the files that had to be compiled for it. */
  const compiledByOneMore = async (answer = 42) => {
    const before = new Map<string, number>();
    for (const name of await readdir(compiled).catch(() => []))
      before.set(name, (await stat(join(compiled, name))).ino);
    await inWindow(async (files) => {
      assert.equal(load(files).answer(), answer);
      await files.save();
    });
    const fresh: string[] = [];
    for (const name of await readdir(compiled))
      if (before.get(name) !== (await stat(join(compiled, name))).ino) fresh.push(name);
    return fresh.toSorted();
  };

  it('have what a module has, and are run once', () =>
    inWindow((files) => {
      const loaded = load(files);
      assert.equal(loaded.answer(), 42);
      assert.deepEqual(loaded.places, [folder, join(folder, 'program.js')]);
      assert.equal(loaded.basename('/a/b'), 'b');
      assert.equal(load(files), loaded);
    }));

  it('are compiled by the first window alone, with those that they require', async () => {
    assert.deepEqual(await compiledByOneMore(), ['helper.js.bin', 'program.js.bin']);
    assert.deepEqual(await compiledByOneMore(), []);
  });

  it('are compiled anew where their text is another, of the same length too', async () => {
    await compiledByOneMore();
    await writeFile(join(folder, 'program.js'), program.replace('21', '12'));
    assert.deepEqual(await compiledByOneMore(24), ['program.js.bin']);
  });

  const damages: readonly [what: string, damage: (path: string) => Promise<void>][] = [
    ['gone', (path) => rm(path)],
    ['empty', (path) => truncate(path, 0)],
    ['cut within its sum', (path) => truncate(path, 2)],
    ['cut within its code', (path) => truncate(path, 200)],
    [
      'changed in one bit',
      (path) => {
        const bytes = readFileSync(path);
        bytes.writeUInt8(bytes.readUInt8(150) ^ 1, 150);
        return writeFile(path, bytes);
      },
    ],
    ['of another file', (path) => writeFile(path, readFileSync(join(compiled, 'helper.js.bin')))],
  ];
  for (const [what, damage] of damages)
    it(`are compiled anew where the saved code is ${what}`, async () => {
      await compiledByOneMore();
      await damage(join(compiled, 'program.js.bin'));
      assert.deepEqual(await compiledByOneMore(), ['program.js.bin']);
      assert.deepEqual(await compiledByOneMore(), []);
    });

  it('run where nothing can be saved', async () => {
    await writeFile(join(root, 'storage'), 'a file');
    await inWindow(async (files) => {
      assert.equal(load(files).answer(), 42);
      await assert.rejects(files.save());
    });
  });

  it('are tried again after they failed', () =>
    inWindow(async (files) => {
      await rm(join(folder, 'helper.js'));
      assert.throws(() => load(files), { code: 'ENOENT' });
      await writeFile(join(folder, 'helper.js'), helper);
      assert.equal(load(files).answer(), 42);
    }));

  it('are saved for nobody else to read', async function () {
    // Windows has no modes; the folder lies in the user's profile, which others cannot read.
    if (thisSystem() === 'win32') this.skip();
    await compiledByOneMore();
    assert.equal((await stat(join(compiled, 'program.js.bin'))).mode & 0o77, 0);
  });
});
