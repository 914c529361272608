import { build, context } from 'esbuild';
import { cp, readdir, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

const [watch, debug] = ['--watch', '--debug'].map((flag) => process.argv.includes(flag));

/** What most windows never need, or not at once, is a file of its own, loaded by its `import()`: where it comes from and what cannot be done without it. */
const chunks = {
  appView: ['src/apps/view/appView.ts', 'show apps of servers'],
  sdk: ['src/mcp/sdk.ts', 'connect to servers'],
  'cross-spawn': ['cross-spawn', 'start servers'],
  fflate: ['fflate', 'add prompts to the Command Palette or unpack bundles'],
  'jsonpath-rfc9535': ['jsonpath-rfc9535', 'look at parts of results'],
  'smol-toml': ['smol-toml', 'import servers from Codex'],
  tldts: ['tldts', 'tell the site of a web page'],
  yaml: ['yaml', 'import servers from Continue or goose'],
};
const chunkEntries = Object.entries(chunks).map(([name, [path]]) => [name, path]);

/** What runs as a thread is a file of its own too. */
const threads = { schemaWorker: 'src/mcp/node/schema/schemaWorker.ts' };

/** True in code that runs on Node; the same files run in pages. */
const onNode = "typeof process === 'object' && process.versions?.node";

/** A module that stands for a chunk in `folder`, and says what is hurt where that is missing or damaged. */
const chunkModule = (name, { folder, isForPages }) => {
  const [, ability] = chunks[name];
  const text = `MCP Workbench cannot ${ability}: its file ${name}.js is missing or damaged. Reinstall the extension.`;
  const onMachine = `
    try { module.exports = require('${folder}/${name}.js'); }
    catch (cause) { throw failure(cause); }`;
  // A page cannot wait for a file within \`require\`: whoever imports this waits for what it is resolved with.
  const inPage = `
    const { loadChunk } = require('./src/browser/loadChunk');
    module.exports = { then: (done, fail) => loadChunk('${name}').then(done, (cause) => fail(failure(cause))) };`;
  return `
    const { UserError } = require('./src/base/errors');
    const failure = (cause) => new UserError(${JSON.stringify(text)}, { cause });
    ${isForPages ? `if (${onNode}) {${onMachine}} else {${inPage}}` : onMachine}`;
};

/** What the SDK has for one kind of machine: no check of a schema, which is ours, and a cause of failures that pages alone have. */
const sdkShims = `
  export const CORS_IS_POSSIBLE = !(${onNode});
  export class DefaultJsonSchemaValidator {}`;

const imports = ({ folder, hasEditor, isForPages }) => ({
  name: 'imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path, namespace, importer }) => {
      if (namespace === 'chunk' && path === `${folder}/${importer}.js`)
        return { path, external: true };
      if (namespace === 'builtin') return { path, external: true };
      const [name] = path.split('/').slice(-1);
      if (kind === 'dynamic-import' && chunks[name]) return { path: name, namespace: 'chunk' };
      if (path === '@modelcontextprotocol/client/_shims') return { path, namespace: 'shims' };
      if (isForPages && isBuiltin(path)) return { path, namespace: 'builtin' };
      // Every `import * as vscode` would copy the whole API: one module does it for all.
      if (path === 'vscode' && hasEditor)
        return namespace === 'api' ? { path, external: true } : { path, namespace: 'api' };
    });
    onLoad({ filter: /./, namespace: 'api' }, () => ({ contents: `export * from 'vscode'` }));
    onLoad({ filter: /./, namespace: 'shims' }, () => ({ contents: sdkShims }));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = ${onNode} ? require('${path}') : {}`,
    }));
    onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
      contents: chunkModule(path, { folder, isForPages }),
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

/** What packages have for pages where the bundler does not find it by itself; it works on Node as well. */
const pages = {
  name: 'pages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@hyperjump\/browser$/ }, ({ kind }) =>
      resolve('./node_modules/@hyperjump/browser/lib/index.browser.js', {
        resolveDir: import.meta.dirname,
        kind,
      }),
    );
  },
};

/* One build for editors with a Node and for windows that are nothing but a page, where nothing of Node is called. */
const extension = {
  ...shipped,
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  entryPoints: { ...Object.fromEntries(chunkEntries), ...threads, extension: 'src/extension.ts' },
  outdir: 'dist',
  // A worker's own address is one that no URL can be relative to.
  define: { 'self.location': 'undefined' },
  plugins: [pages, imports({ folder: '.', hasEditor: true, isForPages: true })],
};

/* What an editor with a Node loads first: it runs the file above from code that is compiled already. */
const main = { ...shipped, entryPoints: { main: 'src/main.ts' }, outdir: 'dist' };

/* The demo server is a file of its own that a user can read. */
const demo = {
  ...common,
  entryPoints: { demoServer: 'demo/main.ts' },
  outdir: 'dist',
  banner: {
    js: '// The demo server of MCP Workbench. MIT License. It reads no file and opens no connection.',
  },
};

/* What ships without the editor, where importing `vscode` breaks the build; the chunks are those of the extension. */
const headless = {
  ...shipped,
  entryPoints: {
    core: 'test/bench/core/coreEntry.ts',
    conformance: 'test/conformance/client.ts',
    thirdParty: 'test/thirdParty/main.ts',
    checkTable: 'test/thirdParty/checkTable.ts',
    chunks: 'test/fixtures/chunks.ts',
    compiledFiles: 'src/mcp/node/files/compiledFiles.ts',
  },
  outdir: 'out/headless',
  plugins: [imports({ folder: '../../dist', hasEditor: false })],
};

/* The command, a package of its own with the chunks that it needs. */
const command = {
  ...shipped,
  entryPoints: {
    'mcp-workbench': 'cli/main.ts',
    ...threads,
    ...Object.fromEntries(
      chunkEntries.filter(([name]) => ['sdk', 'cross-spawn', 'jsonpath-rfc9535'].includes(name)),
    ),
  },
  outdir: 'out/command',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [imports({ folder: '.', hasEditor: false })],
};

const testFiles = 'unit/**/*.test journeys/*.test host/**/* support/**/* bench/**/* fixtures/**/*';
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
for (const options of [extension, main, demo, headless, command, tests]) {
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
