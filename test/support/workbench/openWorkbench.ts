import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { packageName } from '../../../tools/build/shipped';
import { launchBrowser } from '../editor/browser';
import { startEditor } from '../editor/editorServer';
import { foldersLost, maxReloads } from '../editor/lostFolders';
import { hiddenIcons, iconOf, Workbench, type WorkbenchParts } from './workbench';
import {
  copySampleWorkspace,
  sampleEnvironment,
  shippedExtensions,
  type SampleWorkspace,
} from '../editor/workspace';

/** How long a window may take to open, in milliseconds. */
export const openMs = 120_000;
const stepMs = 60_000;
/** Matches what the extension with the demo language model says about our extension and the workspace. */
const saidPattern = /extensionMode: (\w+), folders: (\d+)/;
const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  contrastLight: 'Default High Contrast Light',
  contrastDark: 'Default High Contrast',
};

/** How a journey's window is opened. */
export interface WorkbenchOptions {
  /** Light by default. */
  theme?: keyof typeof themes;
  /** User settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Environment variables of the editor and of what its extensions start. */
  env?: NodeJS.ProcessEnv;
  /** True if Workspace Trust is on, so that the window is untrusted at first. */
  trust?: boolean;
  /** Changes the copied sample workspace before the window opens. */
  prepare?: (workspace: SampleWorkspace) => Promise<void>;
  /** What to open instead of the sample's workspace file, relative to its folder. */
  open?: string;
  /** The language of our texts, such as `zh-cn`; those of the editor stay English. */
  language?: string;
  /** The host name by which the window reaches the editor's machine, as if that were a different one. */
  host?: string;
  /** The size of the window, in pixels. */
  size?: { width: number; height: number };
  /** How many pixels of a picture each pixel of the window takes; 1 by default. */
  zoom?: number;
}

/** Opens a window on a fresh copy of the sample workspace, with our extension and the demo language model. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const workspace = await copySampleWorkspace();
  await options.prepare?.(workspace);
  const extensions = await shippedExtensions();
  const theme = themes[options.theme ?? 'light'];
  const editor = await startEditor({
    open: options.open ? join(workspace.directory, options.open) : workspace.file,
    ...extensions,
    driven: true,
    temporary: [workspace.directory],
    settings: { ...extensions.settings, 'workbench.colorTheme': theme, ...options.settings },
    env: { ...sampleEnvironment, ...options.env },
    trust: options.trust ?? false,
  });
  let browser: Browser | undefined;
  try {
    const url = new URL(editor.url);
    if (options.host !== undefined) url.hostname = options.host;
    browser = await launchBrowser(options.host === undefined ? undefined : url);
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      deviceScaleFactor: options.zoom ?? 1,
      permissions: ['clipboard-read', 'clipboard-write'],
      // The machine's own: an emulated one applies to all frames, whatever a page sets for them.
      colorScheme: null,
    });
    if (options.language !== undefined)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${options.language}'`);
    return new Workbench({ browser, editor, workspace, ...(await openPage(context, url.href)) });
  } catch (error) {
    await browser?.close();
    await editor.dispose();
    throw error;
  }
}

/** Opens another window on the workspace of an open one, with the same profile; it closes with that one. */
export async function openWindow({ page, parts }: Workbench): Promise<Workbench> {
  return new Workbench({ ...parts, ...(await openPage(page.context(), parts.editor.url)) });
}

async function openPage(
  context: BrowserContext,
  url: string,
): Promise<Pick<WorkbenchParts, 'page' | 'log'>> {
  const page = await context.newPage();
  page.setDefaultTimeout(stepMs);
  const log: string[] = [];
  page.on('console', (message) => log.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => log.push(`error: ${error.stack ?? error.message}`));
  let [, mode, folders] = await opened(page, () => page.goto(url, { timeout: openMs }));
  for (let again = 0; folders === '0' && again < maxReloads; again += 1)
    [, mode, folders] = await opened(page, () => page.reload({ timeout: openMs }));
  console.log(`    ${packageName}, extensionMode: ${mode}`);
  if (mode !== 'Production') throw new Error('The window does not run what ships.');
  if (folders === '0') throw new Error(foldersLost);
  return { page, log };
}

/** Opens the page and resolves, once our icon is there, with the match of {@link saidPattern}. */
async function opened(page: Page, open: () => Promise<unknown>): Promise<readonly string[]> {
  const said = page.waitForEvent('console', {
    predicate: (message) => saidPattern.test(message.text()),
    timeout: openMs,
  });
  await open();
  await page
    .locator(`.activitybar ${iconOf('MCP Workbench')}`)
    .or(page.locator(hiddenIcons))
    .first()
    .waitFor({ timeout: openMs });
  return saidPattern.exec((await said).text()) ?? [];
}
