import { build, context } from 'esbuild';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

// `vsce package` builds first; whoever has built already says so.
if (process.env.MCP_WORKBENCH_BUILT) process.exit();

const [watch, debug] = ['--watch', '--debug'].map((flag) => process.argv.includes(flag));

/**
 * Code that most windows never need, or not at once, as separate files that `import()` loads: the source of each, what
 * cannot be done without it, and what is taken from it, if that is not all.
 */
const chunks = {
  appView: ['src/apps/view/appView.ts', 'show apps of servers'],
  sdk: ['src/mcp/sdk.ts', 'connect to servers'],
  otlp: ['src/mcp/otlp.ts', 'send traces'],
  fflate: [
    'fflate',
    'add prompts to the Command Palette or unpack bundles',
    ['Inflate', 'strToU8', 'zipSync'],
  ],
  'smol-toml': ['smol-toml', 'import servers from Codex'],
  tldts: ['tldts', 'tell the site of a web page'],
  yaml: [
    'yaml',
    'check skills, or import servers from Continue or goose',
    ['parse', 'parseDocument'],
  ],
};
const chunkEntries = Object.entries(chunks).map(([name, [path]]) => [name, path]);

/** The same for the command: the editor has its own way through proxies. */
const commandChunks = {
  undici: ['undici', 'reach servers through a proxy'],
};

/** Code that runs in a worker thread is a separate file, too. */
const threads = { schemaWorker: 'src/mcp/node/schema/schemaWorker.ts' };

/** An expression that is true on Node; the same files also run in web pages. */
const onNode = "typeof process === 'object' && process.versions?.node";

/** What the files begin with that also run in web pages, where each of Node's modules is empty. */
const withoutNode = `"use strict";
var require = ((load) => (path) =>
  ${onNode} || path === 'vscode' || path.startsWith('.') ? load(path) : {})(
  typeof require === 'function' ? require : undefined,
);`;

/**
 * The source of a module that loads a chunk from `folder` and, if the chunk is missing or damaged, says what cannot be
 * done.
 */
const chunkModule = (name, { folder, isForPages }) => {
  const [, ability] = chunks[name] ?? commandChunks[name];
  const text = `MCP Workbench cannot ${ability}: its file ${name}.js is missing or damaged. Reinstall the extension.`;
  const onMachine = `
    try { module.exports = require('${folder}/${name}.js'); }
    catch (cause) { throw failure(cause); }`;
  // A page cannot wait for a file inside `require`: the module is a thenable, so that `import()` waits for the chunk.
  const inPage = `
    const { loadChunk } = require('./src/browser/loadChunk');
    module.exports = { then: (done, fail) => loadChunk('${name}').then(done, (cause) => fail(failure(cause))) };`;
  return `
    const { UserError } = require('./src/base/errors');
    const failure = (cause) => new UserError(${JSON.stringify(text)}, { cause });
    ${isForPages ? `if (${onNode}) {${onMachine}} else {${inPage}}` : onMachine}`;
};

/**
 * Replaces the platform-specific part of the SDK: schemas are checked by our own code, and only in pages can CORS be
 * the cause of a failure.
 */
const sdkShims = `
  export const CORS_IS_POSSIBLE = !(${onNode});
  export const process = {};
  export class DefaultJsonSchemaValidator {}`;

const imports = ({ folder, hasEditor, isForPages }) => ({
  name: 'imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path, namespace, importer }) => {
      if (namespace === 'chunk' && path === `${folder}/${importer}.js`)
        return { path, external: true };
      if (namespace === 'builtin') return { path, external: true };
      if (kind === 'entry-point' && chunks[path]?.[2]) return { path, namespace: 'part' };
      const [name] = path.split('/').slice(-1);
      if (kind === 'dynamic-import' && (chunks[name] ?? commandChunks[name]))
        return { path: name, namespace: 'chunk' };
      if (/^@modelcontextprotocol\/(?:client|server)\/_shims$/.test(path))
        return { path, namespace: 'shims' };
      // Code that runs from what is compiled already has no `import()` of its own. What it would be imported from is a
      // copy of the module, which is too slow to make for every file that imports one.
      if (isBuiltin(path))
        return kind === 'dynamic-import'
          ? { path, namespace: 'builtin' }
          : { path, external: true };
      // Each `import * as vscode` would copy the whole API, so one module does it for all of them.
      if (path === 'vscode' && hasEditor)
        return namespace === 'api' ? { path, external: true } : { path, namespace: 'api' };
    });
    onLoad({ filter: /./, namespace: 'api' }, () => ({ contents: `export * from 'vscode'` }));
    onLoad({ filter: /./, namespace: 'shims' }, () => ({ contents: sdkShims }));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
    }));
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: `export { ${chunks[path][2].join(', ')} } from '${path}'`,
      resolveDir: import.meta.dirname,
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
  // It would make a call of the constructor of each of these, which cannot be compiled ahead.
  supported: { 'regexp-unicode-property-escapes': true },
  metafile: true,
  mainFields: ['module', 'main'],
};

/* Tests run what ships; only `--watch` and `--debug` build something else. */
const shipped = { ...common, minify: !watch && !debug, sourcemap: watch || debug };

/**
 * Resolves packages to their browser versions if the bundler does not find these by itself; they work on Node as well.
 */
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

/* One build for editors with Node and for windows that run entirely in a web page, where nothing of Node is called. */
const extension = {
  ...shipped,
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  entryPoints: { ...Object.fromEntries(chunkEntries), ...threads, extension: 'src/extension.ts' },
  outdir: 'dist',
  // A worker's own address cannot be the base of a URL.
  define: { 'self.location': 'undefined' },
  banner: { js: withoutNode },
  plugins: [pages, imports({ folder: '.', hasEditor: true, isForPages: true })],
};

/* What agents start: a file of its own, which the extension puts where its path does not change. */
const bridge = {
  ...shipped,
  entryPoints: { bridge: 'src/mcp/node/agents/bridge.ts' },
  outdir: 'dist',
};

/* What editors with Node load first: it runs the bundle above from code that is already compiled. */
const main = { ...shipped, entryPoints: { main: 'src/main.ts' }, outdir: 'dist' };

/* What serves a recording in the editor, as the command does in a terminal. */
const recordedServer = {
  ...shipped,
  entryPoints: { recordedServer: 'cli/recordedServer.ts' },
  outdir: 'dist',
};

/* The demo server is a separate file that users can read. */
const demo = {
  ...common,
  entryPoints: { demoServer: 'demo/main.ts' },
  outdir: 'dist',
  banner: {
    js: '// The demo server of MCP Workbench. MIT License. It reads no file and opens no connection.',
  },
};

/*
 * Code that runs without the editor, so that importing `vscode` breaks the build; it uses the chunks of the extension.
 */
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

/* The gate for agents without an editor, which its double stands in for, with the chunks of the extension. */
const agentGate = {
  ...headless,
  entryPoints: { agentGate: 'test/conformance/agentGate.ts' },
  alias: { vscode: './test/support/fakes/editor.ts' },
  // What the double leaves out is not reached here.
  logOverride: { 'import-is-undefined': 'silent' },
};

/* The command is a separate package with the chunks that it needs. */
const command = {
  ...shipped,
  entryPoints: {
    'mcp-workbench': 'cli/main.ts',
    ...threads,
    sdk: chunks.sdk[0],
    tldts: chunks.tldts[0],
    yaml: chunks.yaml[0],
    undici: 'undici',
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

/* Programs for who works on this: the packer, the writer of documents, the taker of pictures. */
const tools = { ...tests, entryPoints: ['tools/**/*.ts'], outbase: 'tools', outdir: 'out/tools' };

/* What `require('vscode')` finds in unit tests. */
const editorDouble = {
  ...common,
  entryPoints: { index: 'test/support/fakes/editor.ts' },
  outdir: 'out/unit/node_modules/vscode',
};

const fresh = new Set();
const all = [
  extension,
  bridge,
  main,
  recordedServer,
  demo,
  headless,
  agentGate,
  command,
  tests,
  tools,
  editorDouble,
];
for (const options of all) {
  if (watch) {
    await (await context(options)).watch();
    continue;
  }
  const { metafile } = await build(options);
  for (const path in metafile.outputs) fresh.add(path);
  if (options === tests) await writeImports(metafile);
}

/** Writes down what imports what, for whoever runs only the tests of what changed. */
async function writeImports({ inputs }) {
  const own = Object.entries(inputs).filter(([path]) => !path.startsWith('node_modules/'));
  const graph = own.map(([path, input]) => [path, input.imports.map((one) => one.path)]);
  await writeFile('out/imports.json', JSON.stringify(Object.fromEntries(graph)));
}
const isData = (path) => !path.endsWith('.ts');

// The README as it ships: without the paragraphs that contain a picture, which only the repository's page shows.
const paragraphs = (await readFile('README.md', 'utf8')).split(/\n{2,}/);
const withoutPictures = paragraphs.filter((paragraph) => !paragraph.includes('](media/readme/'));
await writeFile('dist/README.md', withoutPictures.join('\n\n'));
await cp('test/fixtures', 'out/fixtures', { recursive: true, filter: isData });

// Files of earlier builds are removed last, so that a running editor keeps its files.
for (const root of watch ? [] : ['dist', 'out']) {
  for (const name of await readdir(root, { recursive: true })) {
    const path = `${root}/${name.replaceAll('\\', '/')}`;
    if (/\.(c?js(\.map)?|vsix)$/.test(path) && !fresh.has(path)) await rm(path);
  }
}
