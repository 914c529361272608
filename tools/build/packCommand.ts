import { copyFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engines, license, version } from '../../package.json';
import { built, repositoryRoot } from '../../test/support/paths';

/** The manifest of the command's package. */
const manifest = {
  name: 'mcp-workbench',
  version,
  description: 'Runs saved calls against Model Context Protocol servers, in a terminal and in CI.',
  keywords: ['mcp', 'model context protocol', 'test', 'inspector'],
  license,
  bin: { 'mcp-workbench': 'mcp-workbench.js' },
  engines: { node: engines.node },
  files: ['*.js', '*.json', 'README.md', 'LICENSE'],
};

/** Turns the folder of the built command into a package that npm can pack, and returns its path. */
export async function packCommand(): Promise<string> {
  const folder = built('command');
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await cp(join(repositoryRoot, 'cli', 'README.md'), join(folder, 'README.md'));
  for (const path of ['LICENSE', 'media/mcp-calls.schema.json', 'media/mcp-recording.schema.json'])
    await copyFile(join(repositoryRoot, path), join(folder, path.split('/').at(-1) ?? path));
  return folder;
}
