import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../test/support/paths';
import type { SampleWorkspace } from '../../test/support/editor/workspace';
import { openWorkbench, type WorkbenchOptions } from '../../test/support/workbench/openWorkbench';
import type { Workbench } from '../../test/support/workbench/workbench';

/** The name of the demo server. */
export const demo = 'MCP Workbench Demo';

const demoFolder = 'demo';
/** In windows narrower than this, in pixels, few rows of the tree and little of the chat are visible side by side. */
const smallWidth = 800;

async function copyDemo({ directory }: SampleWorkspace): Promise<void> {
  const workspace = join(repositoryRoot, 'demo', 'workspace');
  await cp(workspace, join(directory, demoFolder), { recursive: true });
}

/** Opens the workspace of `npm start` and asks for the demo server, up to the question of whether it may start. */
export async function openDemo(options: WorkbenchOptions): Promise<Workbench> {
  const workbench = await openWorkbench({
    ...options,
    settings: { 'workbench.secondarySideBar.defaultVisibility': 'hidden', ...options.settings },
    prepare: copyDemo,
    open: demoFolder,
  });
  await workbench.openView('MCP Workbench');
  await workbench.page
    .locator('.part.sidebar .welcome-view .monaco-button', { hasText: 'Try the Demo' })
    .click();
  await workbench.quickPick.waitForTitle(`Start "${demo}"?`);
  await workbench.leaveHover();
  return workbench;
}

/** Shows the views of the demo one after another; `shown` is called with the name of each once it is visible. */
export async function showAll(
  workbench: Workbench,
  shown: (name: string) => Promise<void>,
): Promise<void> {
  try {
    await walk(workbench, shown);
  } catch (error) {
    console.error(await workbench.savePicture('pictures-failed'));
    throw error;
  }
}

/** Maximizes the chat: the name of the selected model is visible only if the chat is wide. */
async function enlargeChat(workbench: Workbench): Promise<void> {
  await workbench.chat.focus();
  await workbench.runCommand('View: Maximize Secondary Side Bar');
}

/** Restores the width of the chat and collapses what is above the tools, so that all of them are drawn. */
async function makeRoomForTools(workbench: Workbench): Promise<void> {
  await workbench.runCommand('View: Restore Secondary Side Bar');
  const resources = await workbench.tree.item(demo, 'Resources');
  await resources.locator('.monaco-tl-twistie').click();
}

async function walk(workbench: Workbench, shown: (name: string) => Promise<void>): Promise<void> {
  const { page, quickPick, tree, chat } = workbench;
  await shown('trust');
  await quickPick.scrollAndPick('Trust and Start');
  await tree.item(demo, 'Prompts', 'Explain a Term');
  await tree.item(demo, 'Resources', 'What You Decide');
  await tree.item(demo, 'Tools', 'Roll Dice');
  await shown('tree');
  await tree.click(demo, 'Prompts', 'Explain a Term');
  await shown('argument');
  await quickPick.scrollAndPick('tool');
  await workbench.editorText('Explain a Term');
  await page.getByText('Open in Chat as Draft').first().waitFor();
  await shown('prompt');
  await workbench.closeEditor();
  await tree.click(demo, 'Resources', 'What You Decide');
  await workbench.editorText('decisions.md');
  await shown('resource');
  await workbench.closeEditor();
  const isSmall = (page.viewportSize()?.width ?? 0) < smallWidth;
  if (isSmall) await enlargeChat(workbench);
  await chat.send('@mcp call roll_dice {"count":2,"sides":6}');
  await quickPick.waitForTitle(/Dice/);
  await shown('tool');
  await quickPick.scrollAndPick('Allow Once');
  await chat.completed();
  await shown('chat');
  if (isSmall) await makeRoomForTools(workbench);
  await tree.click(demo, 'Tools', 'Roll Dice');
  await quickPick.waitForTitle(/Roll Dice/);
  await shown('run');
  await quickPick.dismiss();
  await tree.click(demo, 'Tools', 'Plan a Break');
  await quickPick.waitForTitle(/Plan a Break/);
  await quickPick.scrollAndPick('Run');
  await page
    .getByText(/When would you like a break/)
    .first()
    .waitFor();
  await shown('request');
  await quickPick.dismiss();
  await workbench.editorText('plan_break');
  await workbench.closeEditor();
  await workbench.runCommand('MCP Workbench: Show Tool Log');
  await page
    .locator('.part.sidebar .pane-body .label-name', { hasText: `Plan a Break · ${demo}` })
    .first()
    .waitFor();
  await shown('log');
}
