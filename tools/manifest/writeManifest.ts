// A standalone program, `npm run manifest`: writes the commands of the table into package.json.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repositoryRoot } from '../../test/support/paths';
import { commandContributions } from './commandTable';

async function main(): Promise<void> {
  const path = join(repositoryRoot, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { contributes: object };
  Object.assign(manifest.contributes, commandContributions());
  const options = await resolveConfig(path);
  await writeFile(path, await format(JSON.stringify(manifest), { ...options, filepath: path }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
