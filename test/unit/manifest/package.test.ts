import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { repositoryRoot } from '../../support/paths';

/** Too large to look through; nothing of them may be packaged anyway. */
const skipped = ['node_modules', '.vscode-test', '.git'];

function isSmall(path: string): boolean {
  return !skipped.includes(relative(repositoryRoot, path));
}

describe('the package', () => {
  let copy = '';
  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'mcp-workbench-package-'));
    await cp(repositoryRoot, copy, { recursive: true, filter: isSmall });
  });
  after(() => rm(copy, { recursive: true, force: true }));

  it('holds what the extension needs and nothing else', async () => {
    const files = await listFiles({ cwd: copy, packageManager: PackageManager.None });
    assert.deepEqual(files.toSorted(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/ajv.js',
      'dist/cross-spawn.js',
      'dist/extension.js',
      'dist/fflate.js',
      'dist/sdk.js',
      'dist/smol-toml.js',
      'dist/tldts.js',
      'dist/yaml.js',
      'l10n/bundle.l10n.json',
      'media/container.svg',
      'media/icon.png',
      'media/mcp-prompt.tmLanguage.json',
      'media/readme/prompt.png',
      'media/readme/resource.png',
      'media/readme/tool.png',
      'media/readme/trust.png',
      'package.json',
      'package.nls.json',
    ]);
  });
});
