import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJsonLines } from '../../../../src/mcp/node/nodeFiles';

describe('A file of JSON lines', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-lines-'));
    path = join(folder, 'deep', 'log.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps lines in the order in which they were given', async () => {
    const lines = openJsonLines(path, 1e6);
    await Promise.all(Array.from({ length: 50 }, (_, i) => lines.append({ i })));
    assert.deepEqual(
      (await lines.read()).values,
      Array.from({ length: 50 }, (_, i) => ({ i })),
    );
  });

  it('is on disk when the promise says so', async () => {
    await openJsonLines(path, 1e6).append({ text: 'a\nb' });
    assert.equal(await readFile(path, 'utf8'), '{"text":"a\\nb"}\n');
  });

  it('reads nothing where there is no file', async () => {
    assert.deepEqual(await openJsonLines(path, 1e6).read(), { values: [], broken: 0 });
  });

  it('puts a file aside that has grown too large, and lets the oldest go', async () => {
    const lines = openJsonLines(path, 10);
    for (let i = 0; i < 20; i += 1) await lines.append(`${i}-xxxxxxxxxx`);
    assert.deepEqual(
      (await lines.read()).values,
      [15, 16, 17, 18, 19].map((i) => `${i}-xxxxxxxxxx`),
    );
  });

  it('rejects when the line cannot be written', async () => {
    await appendFile(join(folder, 'deep'), '');
    await assert.rejects(openJsonLines(path, 10).append(1));
  });
});
