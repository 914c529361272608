// A standalone program, `npm run package:command`: packs the command as npm publishes it, into the repository's root.
import { npm } from '../../test/support/run/execute';
import { repositoryRoot } from '../../test/support/paths';
import { packCommand } from './packCommand';

async function main(): Promise<void> {
  await npm(['pack', await packCommand(), '--ignore-scripts'], repositoryRoot);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
