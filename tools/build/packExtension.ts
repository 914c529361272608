import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { execute } from '../../test/support/run/execute';
import { withLock } from '../../test/support/run/lock';
import { built, repositoryRoot } from '../../test/support/paths';
import { packageName } from './shipped';

/** Runs `vsce package` on what is built; `.vscodeignore` and the field `vsce` of the manifest decide what it packs. */
async function pack(path: string): Promise<string> {
  const vsce = join(
    dirname(createRequire(__filename).resolve('@vscode/vsce/package.json')),
    'vsce',
  );
  const { code, output } = await execute(process.execPath, [vsce, 'package', '--out', path], {
    cwd: repositoryRoot,
    // The packer would build again, while other tests run what is built.
    env: { ...process.env, MCP_WORKBENCH_BUILT: '1' },
  });
  if (code !== 0) throw new Error(`${basename(path)} could not be packed:\n${output}`);
  return output;
}

/** Packs the built extension, once for each build, and returns the path; only the call that packs it calls `report`. */
export async function packExtension(report?: (listing: string) => void): Promise<string> {
  const path = built(packageName);
  await withLock(`${path}.lock`, async () => {
    if (existsSync(path)) return;
    const listing = await pack(path);
    report?.(listing);
  });
  return path;
}
