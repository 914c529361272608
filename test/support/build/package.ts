// A program of its own, `npm run package`: puts the extension's package into the repository's root.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../paths';
import { packExtension } from './packExtension';
import { packageName } from './shipped';

async function main(): Promise<void> {
  const path = await packExtension(console.log);
  await copyFile(path, join(repositoryRoot, packageName));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
