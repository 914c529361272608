import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../paths';
import { execute } from './execute';
import { withLock } from './lock';

/** How long each step of an installation may take, in milliseconds: without a network, it would wait for long. */
const installMs = 3 * 60_000;

/** Installs Debian's packages where that is the system and this user may; callers look for what they need afterwards. */
export async function installDebian(...packages: readonly string[]): Promise<void> {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return;
  // Two installations at once refuse each other.
  await withLock(join(cacheDirectory, 'debian.lock'), async () => {
    console.log(`Installing the Debian packages ${packages.join(' and ')}…`);
    const limited = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: installMs,
    };
    await execute('apt-get', ['update'], limited);
    await execute('apt-get', ['install', '-y', '--no-install-recommends', ...packages], limited);
  });
}
