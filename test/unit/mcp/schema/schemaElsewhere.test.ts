import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { repositoryRoot } from '../../../support/paths';

/** The library's own files for browsers, which its package declares in a way that esbuild does not support. */
const library = join(repositoryRoot, 'node_modules', '@hyperjump', 'browser', 'lib');
const inBrowser = new Map([
  [/^@hyperjump\/browser$/, join(library, 'index.browser.js')],
  [/\/context-uri\.js$/, join(library, 'browser', 'context-uri.browser.js')],
]);

describe('The checker of schemas', function () {
  this.timeout(60_000);

  it('needs nothing of Node and makes no code of texts, so that a web worker can run it', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(repositoryRoot, 'src', 'mcp', 'schema', 'evaluate.ts')],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'checker',
      write: false,
      plugins: [
        {
          name: 'library',
          setup: (bundle) => {
            for (const [filter, path] of inBrowser) bundle.onResolve({ filter }, () => ({ path }));
          },
        },
      ],
    });
    const globals = { URL, TextEncoder, TextDecoder };
    const realm = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
    const task = {
      schema: '{"properties":{"next":{"$ref":"#"}},"required":["a"]}',
      value: '{"a":1,"next":{}}',
    };
    const check = `;checker.evaluate(${JSON.stringify(task)})`;
    const validation: unknown = await runInContext((outputFiles[0]?.text ?? '') + check, realm);
    assert.equal(
      JSON.stringify(validation),
      '{"kind":"invalid","problems":[{"path":["next","a"],"kind":"missing"}]}',
    );
  });
});
