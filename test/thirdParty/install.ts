import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../support/run/execute';
import { withLock } from '../support/run/lock';
import { cacheDirectory } from '../support/paths';
import { thirdPartyServers } from './servers';

/**
 * Installs the servers from the npm registry unless they are already there, and returns the path of their
 * `node_modules`. None of their scripts run during installation; an interrupted download leaves nothing behind that
 * could be mistaken for a complete one.
 */
export async function installThirdParty(): Promise<string> {
  const directory = join(cacheDirectory, 'third-party');
  const dependencies = Object.fromEntries(
    thirdPartyServers.map((server) => [server.package, server.version]),
  );
  const manifest = `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`;
  await withLock(`${directory}.lock`, async () => {
    const path = join(directory, 'package.json');
    if (existsSync(path) && (await readFile(path, 'utf8')) === manifest) return;
    console.log(`Downloading ${thirdPartyServers.length} servers of other makers…`);
    const unfinished = `${directory}.unfinished`;
    await Promise.all(
      [directory, unfinished].map((old) => rm(old, { recursive: true, force: true })),
    );
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'package.json'), manifest);
    const quiet = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
    await npm(['install', ...quiet, '--loglevel=error'], unfinished);
    // npm may have reformatted the manifest.
    await writeFile(join(unfinished, 'package.json'), manifest);
    await rename(unfinished, directory);
  });
  return join(directory, 'node_modules');
}
