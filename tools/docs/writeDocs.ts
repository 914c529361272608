// A standalone program, `npm run docs`: writes the documentation pages and walkthrough pictures that are generated from
// the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { hostilePage, hostilePagePath } from './hostilePage';
import { repositoryRoot } from '../../test/support/paths';
import { settingsPages } from './settingsPage';
import { walkthroughPictures } from './walkthroughPictures';

async function write(path: string, page: string): Promise<void> {
  const options = await resolveConfig(path);
  writeFileSync(path, await format(page, { ...options, parser: 'markdown' }));
}

for (const [path, page] of settingsPages()) void write(path, page);
void write(hostilePagePath, hostilePage());
for (const [path, picture] of walkthroughPictures())
  writeFileSync(join(repositoryRoot, path), picture);
