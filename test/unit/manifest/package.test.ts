import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type * as Chunks from '../../fixtures/chunks';
import type manifest from '../../../package.json';
import { packExtension } from '../../../tools/build/packExtension';
import { built, repositoryRoot } from '../../support/paths';
import { execute } from '../../support/run/execute';

const maxBytes = 900_000;
const maxAppViewBytes = 120_000;

/** What each file that is loaded only when needed is for. */
const abilities: Readonly<Record<string, string>> = {
  appView: 'show apps of servers',
  fflate: 'add prompts to the Command Palette or unpack bundles',
  otlp: 'send traces',
  sdk: 'connect to servers',
  'smol-toml': 'import servers from Codex',
  tldts: 'tell the site of a web page',
  yaml: 'check skills, or import servers from Continue or goose',
};
const chunks = Object.keys(abilities);

/** Files that the packer gives a name of its own. */
const renamed: Readonly<Record<string, string>> = {
  'LICENSE.txt': 'LICENSE',
  'changelog.md': 'CHANGELOG.md',
  'readme.md': 'dist/README.md',
};

/** Returns the name in the repository of a file of the package, or nothing if the packer made it. */
function repositoryName(name: string): string | undefined {
  const own = name.startsWith('extension/') ? name.slice('extension/'.length) : undefined;
  return own === undefined ? undefined : (renamed[own] ?? own);
}

describe('the package', function () {
  this.timeout(120_000);
  let bytes: Uint8Array;
  let files: Record<string, Uint8Array>;
  let folder = '';

  before('pack it and take it apart', async () => {
    bytes = await readFile(await packExtension());
    files = unzipSync(bytes);
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-package-'));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());

  /** Copies the extension and the program that loads its chunks without an editor; one file is missing or replaced. */
  async function damagedCopy(name: string, content?: string) {
    const copy = await mkdtemp(join(folder, 'damaged-'));
    const dist = join(copy, 'dist');
    await cp(join(folder, 'extension', 'dist'), dist, { recursive: true });
    await cp(built('headless'), join(copy, 'out', 'headless'), { recursive: true });
    await rm(join(dist, name));
    if (content !== undefined) await writeFile(join(dist, name), content);
    return { extension: join(dist, 'extension.js'), loader: join(copy, 'out/headless/chunks.js') };
  }

  const activate = (extension: string, ...kind: readonly string[]) =>
    execute(process.execPath, [built('fixtures', 'activateAlone.js'), extension, ...kind]);

  it('holds what the extension needs and nothing else', () => {
    assert.deepEqual(Object.keys(files).toSorted(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/changelog.md',
      ...[
        'appView',
        'bridge',
        'demoServer',
        'extension',
        'fflate',
        'main',
        'otlp',
        'recordedServer',
        'schemaWorker',
        'sdk',
        'smol-toml',
        'tldts',
        'yaml',
      ].map((name) => `extension/dist/${name}.js`),
      'extension/l10n/bundle.l10n.zh-cn.json',
      'extension/media/container.svg',
      'extension/media/icon.png',
      'extension/media/mcp-calls.schema.json',
      'extension/media/mcp-prompt.tmLanguage.json',
      'extension/media/mcp-recording.schema.json',
      'extension/media/mcp.schema.json',
      ...['approval', 'prompts', 'requests', 'resources', 'servers', 'tools'].flatMap((step) =>
        ['svg', 'zh-cn.svg'].map((end) => `extension/media/walkthrough/${step}.${end}`),
      ),
      'extension/package.json',
      'extension/package.nls.json',
      'extension/package.nls.zh-cn.json',
      'extension/readme.md',
    ]);
  });

  it('is small', () => {
    assert.ok(bytes.length <= maxBytes, `${bytes.length} bytes`);
  });

  it('has all that shows apps in a file that is small, and loaded with the first one', async () => {
    const name = 'extension/dist/appView.js';
    assert.ok((files[name]?.length ?? Infinity) <= maxAppViewBytes, `${files[name]?.length} bytes`);
    const marker = 'ui/notifications/sandbox-proxy-ready';
    assert.ok(text(name).includes(marker));
    assert.ok(!text('extension/dist/extension.js').includes(marker));
  });

  it('is the same for a page as for a machine, which runs it from compiled code', () => {
    const { main, browser } = JSON.parse(text('extension/package.json')) as Record<string, string>;
    assert.deepEqual([main, browser], ['./dist/main.js', './dist/extension.js']);
    assert.match(text('extension/dist/main.js'), /"extension\.js"/);
  });

  it('has code of nothing but ASCII, which the editor keeps in half the memory, and reads faster', () => {
    const code = Object.keys(files).filter((name) => name.endsWith('.js'));
    const others = code.filter((name) => !isAscii(files[name] ?? new Uint8Array()));
    assert.ok(code.length > 0);
    assert.deepEqual(others, []);
  });

  it('copies none of Node’s modules to start, which took a third of that', async () => {
    const extension = join(folder, 'extension', 'dist', 'extension.js');
    assert.deepEqual(await activate(extension, 'copies'), { code: 0, output: '' });
  });

  it('activates in a page, where there is nothing of Node', async () => {
    const { code, output } = await activate(
      join(folder, 'extension', 'dist', 'extension.js'),
      'page',
    );
    assert.equal(code, 0, output);
    assert.match(output, /servers.*startServer/);
  });

  it('has the manifest of the repository, unchanged', async () =>
    assert.equal(
      text('extension/package.json'),
      await readFile(join(repositoryRoot, 'package.json'), 'utf8'),
    ));

  it('holds what .vscodeignore allows, after it has denied all, and each line of it allows a file', async () => {
    const lines = (await readFile(join(repositoryRoot, '.vscodeignore'), 'utf8')).split('\n');
    const [denied, ...allowed] = lines.filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(denied, '**');
    const packed = Object.keys(files).flatMap((name) => repositoryName(name) ?? []);
    const asked = allowed.map((line) => {
      assert.ok(line.startsWith('!'), line);
      const pattern = line
        .slice(1)
        .replaceAll('.', String.raw`\.`)
        .replaceAll('*', '[^/]*');
      return { line, pattern: new RegExp(`^${pattern}$`) };
    });
    for (const { line, pattern } of asked)
      assert.ok(
        packed.some((name) => pattern.test(name)),
        line,
      );
    const unasked = packed.filter((name) => !asked.some(({ pattern }) => pattern.test(name)));
    assert.deepEqual(unasked.toSorted(), ['dist/README.md', 'package.json']);
  });

  it('names no picture in its README that it does not hold, and no source map in its code', () => {
    assert.doesNotMatch(text('extension/readme.md'), /!\[/);
    for (const name of Object.keys(files).filter((one) => one.endsWith('.js')))
      assert.doesNotMatch(text(name), /sourceMappingURL/, name);
  });

  it('has no code that requires a file that it does not hold', () => {
    for (const name of Object.keys(files).filter((one) => one.endsWith('.js')))
      for (const [, path = ''] of text(name).matchAll(/\b(?:require|import)\("(\.[^"]+)"\)/g))
        assert.ok(posix.join(posix.dirname(name), path) in files, `${name} requires ${path}`);
  });

  it('has code that is shortened', () => {
    for (const name of Object.keys(files).filter((one) => one.endsWith('.js')))
      assert.doesNotMatch(text(name), /^\/\/ (?:src|node_modules)\//m, name);
  });

  it('has a demo server that can be read, and needs nothing but Node', () => {
    const demo = text('extension/dist/demoServer.js');
    assert.ok(demo.length < 30_000, `${demo.length} characters`);
    assert.ok(demo.split('\n').every((line) => line.length < 400));
    const needed = Array.from(demo.matchAll(/require\("([^"]+)"\)/g), ([, name]) => name);
    assert.deepEqual(needed, ['node:readline']);
  });

  it('holds every picture of its walkthrough', () => {
    const { contributes } = JSON.parse(text('extension/package.json')) as typeof manifest;
    for (const language of ['package.nls.json', 'package.nls.zh-cn.json']) {
      const words = JSON.parse(text(`extension/${language}`)) as Record<string, string>;
      for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps))
        assert.ok(
          `extension/${words[media.svg.slice(1, -1)]}` in files,
          `${language}: ${media.svg}`,
        );
    }
  });

  it('holds of each file that is loaded only when needed what the code takes from it', async () => {
    const taken = /const \{ ([^}]+) \} = await import\('([^']+)'\)/g;
    const missing: string[] = [];
    let found = 0;
    for (const path of await readdir(join(repositoryRoot, 'src'), { recursive: true })) {
      if (!path.endsWith('.ts')) continue;
      const code = await readFile(join(repositoryRoot, 'src', path), 'utf8');
      for (const [, names = '', from = ''] of code.matchAll(taken)) {
        const name = from.split('/').at(-1) ?? '';
        if (!(name in abilities)) continue;
        found += 1;
        const held = require(join(folder, 'extension', 'dist', `${name}.js`)) as object;
        missing.push(...names.split(', ').filter((one) => !((one.split(':')[0] ?? '') in held)));
      }
    }
    assert.ok(found > 5);
    assert.deepEqual(missing, []);
  });

  for (const name of chunks)
    it(`has ${name}, which loads by itself`, async () => {
      const path = join(folder, 'extension', 'dist', `${name}.js`);
      const { code, output } = await execute(process.execPath, [
        '-e',
        'require(process.argv[1])',
        path,
      ]);
      assert.equal(code, 0, output);
    });

  it('activates, whole', async () => {
    for (const name of ['extension.js', 'main.js']) {
      const { code, output } = await activate(join(folder, 'extension', 'dist', name));
      assert.equal(code, 0, output);
      assert.match(output, /servers.*startServer/);
    }
  });

  it('activates in an editor that has neither a chat nor models', async () => {
    const path = join(folder, 'extension', 'dist', 'extension.js');
    const { code, output } = await activate(path, 'chatless');
    assert.equal(code, 0, output);
    assert.match(output, /servers.*startServer/);
  });

  for (const name of chunks)
    it(`activates without ${name}, and says what is hurt where that is needed`, async () => {
      const { extension, loader } = await damagedCopy(`${name}.js`);
      const { code, output } = await activate(extension);
      assert.equal(code, 0, output);
      const load = createRequire(loader)(loader) as typeof Chunks;
      for (const one of chunks.filter((other) => other !== name)) await load.chunks[one]?.();
      for (const attempt of ['first', 'second'])
        await assert.rejects(
          load.chunks[name]?.() ?? Promise.resolve(),
          {
            name: 'UserError',
            message: `MCP Workbench cannot ${abilities[name]}: its file ${name}.js is missing or damaged. Reinstall the extension.`,
          },
          attempt,
        );
    });

  it('says of a damaged file what it says of a missing one', async () => {
    const { loader } = await damagedCopy('yaml.js', 'module.exports = {');
    const load = createRequire(loader)(loader) as typeof Chunks;
    await assert.rejects(load.chunks['yaml']?.() ?? Promise.resolve(), /its file yaml\.js is/);
  });
});
