import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/log';
import { type RememberedServer, rememberedEra } from '../../../../src/mcp/lists/catalog';
import { createFileMemory } from '../../../../src/mcp/node/nodeFiles';
import type { ServerConfig } from '../../../../src/mcp/serverConfig';

const launch: ServerConfig = { type: 'stdio', command: 'serve', args: ['x'], env: { KEY: 'k' } };
const config = { ...launch, name: 'a', place: 'file:///w' };
const day = 24 * 3600_000;

const remember = (more: Partial<RememberedServer> = {}): RememberedServer => ({
  snapshot: {
    tools: [{ name: 't', inputSchema: { type: 'object' } }],
    prompts: [{ name: 'p' }],
    resources: [{ uri: 'a:b', name: 'r' }],
    resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'x' }],
    skills: [],
  },
  era: 'legacy',
  savedAt: 1_700_000_000_000,
  ...more,
});

describe('what is remembered of servers', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-memory-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (path = folder) => createFileMemory(path, silentLogger);

  it('is gone once it is forgotten, whether there was anything', async () => {
    await open().save(config, remember());
    for (let times = 0; times < 2; times += 1) await open().forget(config);
    assert.deepEqual(await readdir(folder), []);
    await open(join(folder, 'none')).forget(config);
  });

  it('is gone of all launches of one server, and of no other one', async () => {
    const [mine, other, elsewhere] = [
      [config, { ...config, args: [] }, { ...config, without: ['roots'] }],
      { ...config, name: 'b' },
      { ...config, place: 'file:///v' },
    ];
    for (const key of [...mine, other, elsewhere]) await open().save(key, remember());
    await open().forget(config);
    for (const key of mine) assert.equal(await open().load(key), undefined);
    assert.ok((await open().load(other)) && (await open().load(elsewhere)));
  });

  it('is there in another session', async () => {
    await open().save(config, remember());
    assert.deepEqual(await open().load(config), remember());
  });

  it('is replaced by what is learned later', async () => {
    await open().save(config, remember());
    await open().save(config, remember({ era: 'modern' }));
    assert.equal((await open().load(config))?.era, 'modern');
    assert.equal((await readdir(folder)).length, 1);
  });

  it('belongs to one launch configuration alone, whatever the order of its keys', async () => {
    await open().save(config, remember());
    assert.equal(await open().load({ ...config, args: ['y'] }), undefined);
    assert.equal(await open().load({ ...config, env: { KEY: 'other' } }), undefined);
    const { type, command, args, env, name, place } = config;
    assert.ok(await open().load({ env, args, command, type, place, name }));
  });

  it('is nothing at first, also where there is no folder yet', async () => {
    const path = join(folder, 'deep', 'down');
    assert.equal(await open(path).load(config), undefined);
    await open(path).save(config, remember());
    assert.ok(await open(path).load(config));
  });

  it('names no secret of the configuration, in no file and no file’s name', async () => {
    await open().save({ ...config, env: { KEY: 'hunter2' } }, remember());
    const [name = ''] = await readdir(folder);
    assert.doesNotMatch(name + (await readFile(join(folder, name), 'utf8')), /hunter2/);
  });

  const broken: readonly (readonly [string, (whole: string) => string])[] = [
    ['empty', () => ''],
    ['cut', (whole) => whole.slice(0, whole.length / 2)],
    ['no JSON', () => 'hello'],
    ['another JSON', () => '[1]'],
    ['null', () => 'null'],
    ['of another version', (whole) => whole.replace('"version":1', '"version":0')],
    ['without a list', (whole) => whole.replace('"prompts":[', '"promptz":[')],
    [
      'with a list that is none',
      (whole) => whole.replace(/"tools":\[.*?\](?=,"prompts")/, '"tools":5'),
    ],
    ['of an unknown era', (whole) => whole.replace('legacy', 'stone age')],
    ['without a time', (whole) => whole.replace('"savedAt"', '"savedOn"')],
  ];
  for (const [name, change] of broken) {
    it(`is nothing where its file is ${name}`, async () => {
      await open().save(config, remember());
      const [file = ''] = await readdir(folder);
      const whole = await readFile(join(folder, file), 'utf8');
      const changed = change(whole);
      assert.notEqual(changed, whole);
      await writeFile(join(folder, file), changed);
      assert.equal(await open().load(config), undefined);
      await open().save(config, remember());
      assert.ok(await open().load(config), 'and can be learned again');
    });
  }

  it('is not kept where it is endless', async () => {
    const tools = [{ name: 'x'.repeat(17_000_000), inputSchema: {} }];
    const { snapshot } = remember();
    await open().save(config, remember({ snapshot: { ...snapshot, tools } }));
    assert.deepEqual(await readdir(folder), []);
  });

  it('is of the last two hundred servers, the oldest go', async () => {
    const names = Array.from({ length: 205 }, (_one, index) => `${index}.json`);
    for (const [index, name] of names.entries()) {
      await writeFile(join(folder, name), '{}');
      await utimes(join(folder, name), index + 1, index + 1);
    }
    await open().save(config, remember());
    const left = await readdir(folder);
    assert.equal(left.length, 200);
    assert.ok(['0.json', '5.json'].every((name) => !left.includes(name)));
    assert.ok(await open().load(config));
  });

  it('is never a reason to fail', async () => {
    const warnings: string[] = [];
    const file = join(folder, 'file');
    await writeFile(file, '');
    const memory = createFileMemory(file, { ...silentLogger, warn: (text) => warnings.push(text) });
    assert.equal(await memory.load(config), undefined);
    await memory.save(config, remember());
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /could not be kept/);
  });

  it('leaves whole files only, however many are written at once', async () => {
    const memory = open();
    const eras = ['legacy', 'modern'] as const;
    await Promise.all(
      Array.from({ length: 40 }, (_one, index) =>
        memory.save(config, remember({ era: eras[index % 2] ?? 'legacy' })),
      ),
    );
    assert.equal((await readdir(folder)).length, 1);
    assert.ok(await memory.load(config));
  });
});

describe('the era that is remembered', () => {
  const table: readonly (readonly [string, RememberedServer | undefined, string | undefined])[] = [
    ['is none of a stranger', undefined, undefined],
    ['is the new one for ever', remember({ era: 'modern', savedAt: 0 }), 'modern'],
    ['is the old one for a week', remember({ savedAt: Date.now() - 6 * day }), 'legacy'],
    ['is the old one no longer than that', remember({ savedAt: Date.now() - 8 * day }), undefined],
  ];
  for (const [name, remembered, era] of table) {
    it(name, () => assert.equal(rememberedEra(remembered), era));
  }
});
