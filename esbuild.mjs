import { build, context } from 'esbuild';
import { cp, readdir, rm } from 'node:fs/promises';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** Keeps the SDK in a chunk of its own, required on the first connection. */
const sdkChunk = {
  name: 'sdk-chunk',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/sdk$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './sdk.js', external: true } : undefined,
    ),
};

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.18',
  sourcemap: !production,
  minify: production,
  logLevel: 'warning',
  metafile: true,
  mainFields: ['module', 'main'],
};

const withChunk = (entryPoints, outdir, external) => ({
  ...common,
  entryPoints: { ...entryPoints, sdk: 'src/mcp/sdk.ts' },
  outdir,
  external,
  plugins: [sdkChunk],
});

const extension = withChunk({ extension: 'src/extension.ts' }, 'dist', ['vscode']);

/* The client core with no editor: `vscode` is not external here, so importing it breaks the build. */
const core = withChunk({ headless: 'test/bench/coreEntry.ts' }, 'out/bench', []);

const conformance = {
  ...common,
  entryPoints: { 'conformance-client': 'test/conformance/client.ts' },
  outdir: 'out',
  outExtension: { '.js': '.cjs' },
};

const testPrograms = ['host/*', 'support/*', 'bench/*', 'fixtures/**/*'];

const tests = {
  ...common,
  packages: 'external',
  external: ['vscode'],
  entryPoints: ['unit/**/*.test', 'journeys/*.test', ...testPrograms].map((x) => `test/${x}.ts`),
  outbase: 'test',
  outdir: 'out',
};

const fresh = new Set();
for (const options of [extension, core, conformance, tests]) {
  if (watch) await (await context(options)).watch();
  else for (const path in (await build(options)).metafile.outputs) fresh.add(path);
}
await cp('test/fixtures', 'out/fixtures', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
});

// What an earlier build left is removed afterwards, so that an editor that runs keeps its files.
for (const root of watch ? [] : ['dist', 'out']) {
  for (const name of await readdir(root, { recursive: true })) {
    const path = `${root}/${name.replaceAll('\\', '/')}`;
    if (/\.c?js(\.map)?$/.test(path) && !fresh.has(path)) await rm(path);
  }
}
