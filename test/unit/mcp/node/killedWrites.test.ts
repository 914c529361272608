import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/log';
import { createFileMemory, openJsonLines } from '../../../../src/mcp/node/nodeFiles';
import type { RememberedServer } from '../../../../src/mcp/lists/catalog';
import type { ServerConfig } from '../../../../src/mcp/serverConfig';
import { leftPackages, newPackage } from '../../../../src/prompts/palette/companionExtension';

/** So long ago that nothing from that time can still be being written. */
const longAgo = new Date(2020, 1, 1);

describe('what a process that was killed while writing left', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-killed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('loses one line of a log at most, says so, and takes no later line with it, wherever it is cut', async () => {
    const path = join(folder, 'log.jsonl');
    const values = [{ id: 1, text: 'grün' }, { id: 2, text: '日本\n語' }, { id: 3 }];
    const lines = values.map((value) => Buffer.from(JSON.stringify(value)));
    const whole = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
    const next = { id: 4, text: 'later' };
    for (let length = 0; length <= whole.length; length += 1) {
      await writeFile(path, whole.subarray(0, length));
      let end = 0;
      // A line is complete even if only its line break is missing.
      const kept = lines.filter((line) => (end += line.length + 1) - 1 <= length).length;
      const starts = lines.slice(0, kept).reduce((sum, line) => sum + line.length + 1, 0);
      const broken = length > starts ? 1 : 0;
      const log = openJsonLines(path, 1e6);
      const left = values.slice(0, kept);
      assert.deepEqual(await log.read(), { values: left, broken }, `cut at ${length}`);
      await log.append(next);
      await log.append(next);
      const after = { values: [...left, next, next], broken };
      assert.deepEqual(await log.read(), after, `continued at ${length}`);
    }
  });

  const config: ServerConfig = { type: 'stdio', command: 'serve', args: [], env: {} };
  const remembered: RememberedServer = {
    snapshot: {
      tools: [{ name: 'größe', inputSchema: { type: 'object' } }],
      prompts: [],
      resources: [],
      resourceTemplates: [],
      skills: [],
    },
    era: 'legacy',
    savedAt: 1_700_000_000_000,
  };

  it('is no list of a server that is remembered, is said, and is replaced, wherever it is cut', async () => {
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
    const memory = createFileMemory(folder, log);
    await memory.save(config, remembered);
    const [name = ''] = await readdir(folder);
    const whole = await readFile(join(folder, name));
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(join(folder, name), whole.subarray(0, length));
      assert.equal(await memory.load(config), undefined, `cut at ${length}`);
      assert.equal(warnings.length, length + 1, `cut at ${length}`);
    }
    assert.match(warnings[0] ?? '', /are damaged, and are loaded again/);
    await memory.save(config, remembered);
    assert.deepEqual(await memory.load(config), remembered);
  });

  it('is never read in place of the whole file beside it, and goes once that is written again', async () => {
    const memory = createFileMemory(folder, silentLogger);
    await memory.save(config, remembered);
    const [name = ''] = await readdir(folder);
    const left = (pid: number) => `${name}.${pid}.${crypto.randomUUID()}`;
    const [old, fresh] = [left(1), left(2)];
    const others = [`${name}.bak`, `other.json.3.${crypto.randomUUID()}`];
    for (const file of [old, fresh, ...others]) await writeFile(join(folder, file), '{"version":1');
    for (const file of [old, ...others]) await utimes(join(folder, file), longAgo, longAgo);
    assert.deepEqual(await memory.load(config), remembered);
    await memory.save(config, { ...remembered, era: 'modern' });
    // A file that was just started may belong to another window that is still writing it.
    assert.deepEqual((await readdir(folder)).toSorted(), [name, fresh, ...others].toSorted());
    assert.equal((await memory.load(config))?.era, 'modern');
  });

  it('is a package of the generated extension, whole or not, once no window can be installing it', () => {
    const now = longAgo.getTime();
    const minute = 60_000;
    const unfinished = (name: string) => `${name}.77.${crypto.randomUUID()}`;
    const [old, young] = [now - 11 * minute, now - 9 * minute].map((time) => newPackage(time).file);
    assert.ok(old && young);
    const others = ['audit.jsonl', 'prompts.vsix', young, unfinished(young), 'lists'];
    const gone = [old, unfinished(old)];
    assert.deepEqual(leftPackages([...others, ...gone], now), gone);
  });
});
