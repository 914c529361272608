import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installDebian } from '../run/debian';
import { execute } from '../run/execute';
import { withLock } from '../run/lock';
import { cacheDirectory } from '../paths';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const downloadMs = 5 * 60_000;

function usualPlaces(): string[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  switch (process.platform) {
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData']
        .flatMap((name) => process.env[name] ?? [])
        .flatMap((folder) => [
          join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
          join(folder, 'Chromium', 'Application', 'chrome.exe'),
          join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
        ]);
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) =>
        ['/Applications', join(process.env['HOME'] ?? '', 'Applications')].map((folder) =>
          join(folder, `${name}.app`, 'Contents', 'MacOS', name),
        ),
      );
    default:
      return [...onPath, '/usr/bin', '/snap/bin'].flatMap((folder) =>
        names.map((name) => join(folder, name)),
      );
  }
}

/**
 * Returns the path of an installed browser, or `undefined`: `CHROME_PATH`, then the usual places, then Playwright's
 * own; throws if `CHROME_PATH` does not exist.
 */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which does not exist.`);
    return chosen;
  }
  return [...usualPlaces(), chromium.executablePath()].find((path) => existsSync(path));
}

async function starts(path: string): Promise<boolean> {
  // On Windows the browser has no such switch and would open a window.
  return process.platform === 'win32' || (await execute(path, ['--version'])).code === 0;
}

async function downloadBrowser(): Promise<string | undefined> {
  const playwright = dirname(createRequire(__filename).resolve('playwright-core/package.json'));
  console.log('Browser: none found, downloading Chromium…');
  // If the download host cannot be reached, it keeps trying for a long time.
  const options = { timeout: downloadMs };
  await execute(process.execPath, [join(playwright, 'cli.js'), 'install', 'chromium'], options);
  const path = chromium.executablePath();
  return existsSync(path) && (await starts(path)) ? path : undefined;
}

/**
 * Returns the path of a Chromium-based browser, installing one if there is none; throws one sentence that says what to
 * do if that fails.
 */
export async function installBrowser(): Promise<string> {
  return withLock(join(cacheDirectory, 'browser.lock'), async () => {
    const path =
      findBrowser() ??
      (await downloadBrowser()) ??
      (await installDebian('chromium', 'fonts-liberation').then(findBrowser));
    if (path) return path;
    throw new Error(
      'No browser was found and none could be downloaded: install Chrome, Chromium or Edge, or set CHROME_PATH to one.',
    );
  });
}

/** The suggestions below the browser's own address, which nobody sees here: pages in a process of their own. */
const unseen = ['PreloadTopChromeWebUI', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** Returns the features that Playwright disables, as a second list would take the place of its own. */
async function disabledAnyway(): Promise<string[]> {
  const bundle = createRequire(__filename).resolve('playwright-core/lib/coreBundle');
  const text = await readFile(bundle, 'utf8');
  const [, list] = /\bdisabledFeatures = \[([^\]]+)/.exec(text) ?? [];
  if (list === undefined) throw new Error(`No list of disabled features was found in ${bundle}.`);
  return Array.from(list.matchAll(/^ *"(\w+)"/gm), ([, name = '']) => name);
}

/**
 * Starts a headless browser with a fresh profile; the host of `origin` resolves to this machine, and is trusted like
 * `localhost`.
 */
export async function launchBrowser(origin?: URL): Promise<Browser> {
  return chromium.launch({
    executablePath: await installBrowser(),
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      `--disable-features=${[...(await disabledAnyway()), ...unseen].join(',')}`,
      '--disable-gpu',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
      ...(origin
        ? [
            `--host-resolver-rules=MAP ${origin.hostname} 127.0.0.1`,
            `--unsafely-treat-insecure-origin-as-secure=${origin.origin}`,
          ]
        : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
