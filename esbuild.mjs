import { build, context } from 'esbuild';
import { cp, rm } from 'node:fs/promises';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** Keeps the SDK out of the main bundle: it is required from its own chunk on the first connection. */
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
  mainFields: ['module', 'main'],
};

const extension = {
  ...common,
  entryPoints: { extension: 'src/extension.ts', sdk: 'src/mcp/sdk.ts' },
  outdir: 'dist',
  external: ['vscode'],
  plugins: [sdkChunk],
};

/** The client core with no editor: `vscode` is not external here, so importing it breaks the build. */
const headless = {
  ...common,
  entryPoints: { 'conformance-client': 'test/conformance/client.ts' },
  outdir: 'out',
  outExtension: { '.js': '.cjs' },
};

const tests = {
  ...common,
  packages: 'external',
  external: ['vscode'],
  entryPoints: [
    'test/unit/**/*.test.ts',
    'test/host/*.ts',
    'test/journeys/*.test.ts',
    'test/support/*.ts',
    'test/fixtures/**/*.ts',
  ],
  outbase: 'test',
  outdir: 'out',
};

if (!watch)
  await Promise.all(['dist', 'out'].map((dir) => rm(dir, { recursive: true, force: true })));
for (const options of [extension, headless, tests]) {
  if (watch) await (await context(options)).watch();
  else await build(options);
}
await cp('test/fixtures', 'out/fixtures', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
});
