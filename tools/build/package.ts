// A standalone program, `npm run package`: packs the extension into the repository's root. With `-- --publish`, only if
// it is ready to be published.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json';
import { repositoryRoot } from '../../test/support/paths';
import { packExtension } from './packExtension';
import { unpublishable } from './publication';
import { packageName } from './shipped';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { publish: { type: 'boolean' } } });
  const left = values.publish ? unpublishable(manifest) : [];
  if (left.length > 0)
    throw new Error(`package.json still has placeholders: ${left.join(', ')}. Fill them in first.`);
  const path = await packExtension(console.log);
  await copyFile(path, join(repositoryRoot, packageName));
  if (values.publish) console.log(`Publish it with: npx vsce publish --packagePath ${packageName}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
