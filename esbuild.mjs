import { build, context } from 'esbuild';
import { cp, readdir, rm } from 'node:fs/promises';

const [watch, debug] = ['--watch', '--debug'].map((flag) => process.argv.includes(flag));

/** What most windows never need, or not at once, is a file of its own, loaded by its `import()`: where it comes from and what cannot be done without it. */
const chunks = {
  sdk: ['src/mcp/sdk.ts', 'connect to servers'],
  'cross-spawn': ['cross-spawn', 'start servers'],
  fflate: ['fflate', 'add prompts to the Command Palette'],
  'smol-toml': ['smol-toml', 'import servers from Codex'],
  tldts: ['tldts', 'tell the site of a web page'],
  yaml: ['yaml', 'import servers from Continue or goose'],
};
const chunkEntries = Object.entries(chunks).map(([name, [path]]) => [name, path]);

/** What runs as a thread is a file of its own too. */
const threads = { schemaWorker: 'src/mcp/node/schema/schemaWorker.ts' };

/** A module that stands for a chunk in `folder`, and says what is hurt where that is missing or damaged. */
const chunkModule = (name, folder) => {
  const [, ability] = chunks[name];
  const text = `MCP Workbench cannot ${ability}: its file ${name}.js is missing or damaged. Reinstall the extension.`;
  return `
    const { UserError } = require('./src/base/errors');
    try { module.exports = require('${folder}/${name}.js'); }
    catch (cause) { throw new UserError(${JSON.stringify(text)}, { cause }); }`;
};

const imports = ({ folder, hasEditor }) => ({
  name: 'imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path, namespace, importer }) => {
      if (namespace === 'chunk' && path === `${folder}/${importer}.js`)
        return { path, external: true };
      const [name] = path.split('/').slice(-1);
      if (kind === 'dynamic-import' && chunks[name]) return { path: name, namespace: 'chunk' };
      // Every `import * as vscode` would copy the whole API: one module does it for all.
      if (path === 'vscode' && hasEditor)
        return namespace === 'api' ? { path, external: true } : { path, namespace: 'api' };
    });
    onLoad({ filter: /./, namespace: 'api' }, () => ({ contents: `export * from 'vscode'` }));
    onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
      contents: chunkModule(path, folder),
      resolveDir: import.meta.dirname,
    }));
  },
});

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.18',
  metafile: true,
  mainFields: ['module', 'main'],
};

/* Tests run what ships; only who watches or debugs gets something else. */
const shipped = { ...common, minify: !watch && !debug, sourcemap: watch || debug };

const extension = {
  ...shipped,
  entryPoints: { ...Object.fromEntries(chunkEntries), ...threads, extension: 'src/extension.ts' },
  outdir: 'dist',
  plugins: [imports({ folder: '.', hasEditor: true })],
};

/* What ships without the editor, where importing `vscode` breaks the build; the chunks are those of the extension. */
const headless = {
  ...shipped,
  entryPoints: {
    core: 'test/bench/coreEntry.ts',
    conformance: 'test/conformance/client.ts',
    thirdParty: 'test/thirdParty/main.ts',
    chunks: 'test/fixtures/chunks.ts',
  },
  outdir: 'out/headless',
  plugins: [imports({ folder: '../../dist', hasEditor: false })],
};

const testFiles = 'unit/**/*.test journeys/*.test host/**/* support/**/* bench/* fixtures/**/*';
const tests = {
  ...common,
  sourcemap: true,
  packages: 'external',
  external: ['vscode'],
  entryPoints: testFiles.split(' ').map((pattern) => `test/${pattern}.ts`),
  outbase: 'test',
  outdir: 'out',
};

const fresh = new Set();
for (const options of [extension, headless, tests]) {
  if (watch) await (await context(options)).watch();
  else for (const path in (await build(options)).metafile.outputs) fresh.add(path);
}
const isData = (path) => !path.endsWith('.ts');
await cp('test/fixtures', 'out/fixtures', { recursive: true, filter: isData });

// What an earlier build left is removed afterwards, so that an editor that runs keeps its files.
for (const root of watch ? [] : ['dist', 'out']) {
  for (const name of await readdir(root, { recursive: true })) {
    const path = `${root}/${name.replaceAll('\\', '/')}`;
    if (/\.(c?js(\.map)?|vsix)$/.test(path) && !fresh.has(path)) await rm(path);
  }
}
