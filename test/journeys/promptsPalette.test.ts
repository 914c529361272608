import { join } from 'node:path';
import { useWorkbench } from '../support/workbench/journeys';
import { Workbench } from '../support/workbench/workbench';
import { startFromRow, untilRow } from '../support/workbench/serverSteps';
import { gone } from './palette';

/** Opens another window of the same editor with a folder of the workspace. */
async function anotherWindow(first: Workbench, folder: string): Promise<Workbench> {
  const { editor, workspace } = first;
  const url = new URL(editor.url);
  url.searchParams.delete('workspace');
  url.searchParams.set('folder', join(workspace.directory, folder));
  const browser = first.page.context().browser();
  if (!browser) throw new Error('The first window has no browser.');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url.href);
  await page.locator('.activitybar .action-label[aria-label^="MCP Workbench"]').waitFor();
  return new Workbench({ browser, editor, page, workspace, log: [] });
}

/** Chooses an entry of the palette and closes the preview that it opens. */
async function runAndClose(window: Workbench, entry: string, title: string): Promise<void> {
  await window.runCommand(entry);
  await window.editorText(title);
  await window.closeEditor();
}

describe('prompts in several windows', function () {
  this.timeout(300_000);
  const workbench = useWorkbench({ settings: { 'mcpWorkbench.palette': 'all' } });

  it('each window has the entries of its own servers, and no other', async () => {
    const first = workbench();
    await startFromRow(first, 'demo', 'Prompts');
    await runAndClose(first, 'demo: Show Media', 'Show Media');

    const docs = await anotherWindow(first, 'docs');
    await docs.openView('MCP Workbench');
    await docs.tree.item('filesystem');
    await gone(docs, 'demo: Show Media');
    await docs.page.close();

    const app = await anotherWindow(first, 'app');
    await startFromRow(app, 'everything', 'Prompts');
    await runAndClose(app, 'everything: Simple Prompt', 'Simple Prompt');
    await gone(first, 'everything: Simple Prompt');
    await runAndClose(first, 'demo: Show Media', 'Show Media');
    await runAndClose(app, 'everything: Simple Prompt', 'Simple Prompt');
    await app.page.close();
  });
});

describe('prompts that are added to the palette one by one', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({ settings: { 'mcpWorkbench.palette': 'off' } });

  it('are there alone, and go again', async () => {
    await startFromRow(workbench(), 'demo', 'Prompts');
    const { tree } = workbench();
    // While rows are being redrawn, their menus do not pass any row on.
    for (const section of ['Prompts', 'Tools']) await untilRow(workbench(), section, /^\d+$/);
    await tree.menu('Add Prompt to Command Palette', 'demo', 'Prompts', 'Show Media');
    await runAndClose(workbench(), 'demo: Show Media', 'Show Media');
    await gone(workbench(), 'demo: greeting');
    await tree.menu('Remove Prompt from Command Palette', 'demo', 'Prompts', 'Show Media');
    await gone(workbench(), 'demo: Show Media');
  });
});

describe('prompts where extensions may not be installed', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    size: { width: 900, height: 600 },
    settings: { 'extensions.allowed': { 'mcp-workbench.mcp-workbench-prompts': false, '*': true } },
  });

  it('stay in Run MCP Prompt…, which is said once', async () => {
    const { quickPick } = workbench();
    await startFromRow(workbench(), 'demo', 'Prompts');
    await workbench().runCommand('MCP Workbench: Add Prompts to Command Palette');
    await workbench().notification('could not be installed');
    await workbench().screenshot('prompts-refused');
    await workbench().hideNotifications();
    await workbench().runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.type('Show Media');
    await quickPick.pick('Show Media');
    await workbench().editorText('Show Media');
    await workbench().screenshot('prompts-narrow');
  });
});
