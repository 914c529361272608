import { join } from 'node:path';
import { packageName } from '../build/shipped';
import { launchBrowser } from '../editor/browser';
import { startEditor } from '../editor/editorServer';
import { startServer } from './serverSteps';
import { Workbench } from './workbench';
import {
  copySampleWorkspace,
  sampleEnvironment,
  shippedExtensions,
  type SampleWorkspace,
} from '../editor/workspace';

export type { Workbench } from './workbench';

const openMs = 120_000;
const stepMs = 60_000;
/** What the extension with the demo language model says of ours. */
const modePattern = /extensionMode: (\w+)/;
const themes = { light: 'Light 2026', dark: 'Dark 2026' };

/** How a journey's window is opened. */
export interface WorkbenchOptions {
  /** Light by default. */
  theme?: keyof typeof themes;
  /** User settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Variables of the editor and of what its extensions start. */
  env?: NodeJS.ProcessEnv;
  /** Whether Workspace Trust is on, so that the window is untrusted at first. */
  trust?: boolean;
  /** Changes the copied sample workspace before the window opens. */
  prepare?: (workspace: SampleWorkspace) => Promise<void>;
  /** What to open instead of the sample's workspace file, relative to its folder. */
  open?: string;
  /** Of the window, in pixels. */
  size?: { width: number; height: number };
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
  try {
    const browser = await launchBrowser();
    const page = await browser.newPage({
      viewport: options.size ?? { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page.setDefaultTimeout(stepMs);
    const log: string[] = [];
    page.on('console', (message) => log.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => log.push(`error: ${error.stack ?? error.message}`));
    const tested = page.waitForEvent('console', {
      predicate: (message) => modePattern.test(message.text()),
      timeout: openMs,
    });
    await page.goto(editor.url, { timeout: openMs });
    await page
      .locator('.activitybar .action-label[aria-label^="MCP Workbench"]')
      .waitFor({ timeout: openMs });
    const [, mode] = modePattern.exec((await tested).text()) ?? [];
    console.log(`    ${packageName}, extensionMode: ${mode}`);
    if (mode !== 'Production') throw new Error('The window does not run what ships.');
    return new Workbench({ browser, editor, page, workspace, log });
  } catch (error) {
    await editor.dispose();
    throw error;
  }
}

/**
 * Opens one window for the tests of a `describe`, where servers are started that the user trusted when asked;
 * a failing test leaves a screenshot and the log.
 */
export function useWorkbench({
  trusted = [],
  ...options
}: WorkbenchOptions & { trusted?: readonly string[] } = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before('open the editor', async function () {
    this.timeout(openMs * 2);
    workbench = await openWorkbench(options);
    for (const name of trusted) await startServer(workbench, name);
  });
  afterEach('keep what a failure looked like', async function () {
    const { currentTest } = this;
    if (!workbench || currentTest?.state !== 'failed') return;
    const name = `failed-${currentTest.fullTitle()}`;
    console.log(`  ${await workbench.screenshot(name)}\n  ${await workbench.saveLog(name)}`);
    // What the failed test left open would fail the next one too.
    if (await workbench.quickPick.widget.isVisible()) await workbench.quickPick.dismiss();
    await workbench.chat.cancel();
  });
  after('close the editor', async () => workbench?.dispose());
  return () => {
    if (!workbench) throw new Error('The editor is not open.');
    return workbench;
  };
}
