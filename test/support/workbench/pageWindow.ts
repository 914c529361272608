import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { packExtension } from '../../../tools/build/packExtension';
import { launchBrowser } from '../editor/browser';
import { startPageServer } from '../editor/pageServer';
import { built } from '../paths';
import { Workbench } from './workbench';

const openMs = 120_000;
const stepMs = 60_000;

/**
 * Opens a window that runs entirely in a web page, with our extension as it ships and the demo language model, on a
 * folder with these files.
 */
export async function openPageWindow(files: Readonly<Record<string, string>>): Promise<Workbench> {
  const extension = await unpackExtension();
  const server = await startPageServer({
    extensions: [
      join(extension, 'extension'),
      built('fixtures', 'demoModel'),
      built('fixtures', 'pageBasics'),
    ],
    folder: { scheme: 'page-folder', path: '/project' },
    settings: { 'workbench.startupEditor': 'none', 'pageBasics.files': files },
  });
  const dispose = async () => {
    await server[Symbol.asyncDispose]();
    await rm(extension, { recursive: true, force: true });
  };
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(stepMs);
    const log: string[] = [];
    page.on('console', (message) => log.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => log.push(`error: ${error.stack ?? error.message}`));
    await page.goto(server.url, { timeout: openMs });
    await page
      .locator('.activitybar .action-label[aria-label^="MCP Workbench"]')
      .waitFor({ timeout: openMs });
    const editor = {
      url: server.url,
      data: '',
      output: () => '',
      processes: () => Promise.resolve([]),
      ended: new Promise(() => {}),
      dispose,
      [Symbol.asyncDispose]: dispose,
    };
    return new Workbench({ browser, editor, page, workspace: { directory: '', file: '' }, log });
  } catch (error) {
    await browser.close();
    await dispose();
    throw error;
  }
}

/** Unpacks the package into a folder for the caller to delete, and returns its path. */
async function unpackExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-page-'));
  const files = unzipSync(await readFile(await packExtension()));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}
