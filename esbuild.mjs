import { build, context } from 'esbuild';
import { cp, readdir, rm } from 'node:fs/promises';

const [watch, production] = ['--watch', '--production'].map((flag) => process.argv.includes(flag));

/** What most windows never need, or not at once, is a file of its own, loaded by its `import()`. */
const chunks = { sdk: 'src/mcp/sdk.ts', ajv: 'src/mcp/ajv.ts' };
for (const library of ['fflate', 'smol-toml', 'tldts', 'yaml']) chunks[library] = library;

const chunkImports = {
  name: 'chunk-imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => {
      const name = path.replace(/^.*\//, '');
      if (kind === 'dynamic-import' && chunks[name])
        return { path: `./${name}.js`, external: true };
    }),
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

const withChunks = (entryPoints, outdir, external) => ({
  ...common,
  entryPoints: { ...chunks, ...entryPoints },
  outdir,
  external,
  plugins: [chunkImports],
});

const extension = withChunks({ extension: 'src/extension.ts' }, 'dist', ['vscode']);

/* The client core with no editor: `vscode` is not external here, so importing it breaks the build. */
const core = withChunks({ headless: 'test/bench/coreEntry.ts' }, 'out/bench', []);

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
