import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampleWorkspace } from '../../test/support/editor/workspace';
import { appFrame, publishedServer } from '../../test/support/workbench/apps';
import { openWorkbench, type WorkbenchOptions } from '../../test/support/workbench/openWorkbench';
import { startFromRow } from '../../test/support/workbench/serverSteps';
import type { Workbench } from '../../test/support/workbench/workbench';

const server = 'cohort';
const tool = `${server} › Get Cohort Retention Data`;

/** Opens a workspace with a published server that has an app. */
export function openAppWindow(options: WorkbenchOptions): Promise<Workbench> {
  return openWorkbench({
    ...options,
    settings: { 'mcpWorkbench.apps.open': 'always', ...options.settings },
    prepare: async ({ directory }: SampleWorkspace) => {
      const folder = join(directory, server, '.vscode');
      await mkdir(folder, { recursive: true });
      const servers = { [server]: publishedServer(server) };
      await writeFile(join(folder, 'mcp.json'), JSON.stringify({ servers }));
    },
    open: server,
  });
}

/** Shows the views of an app one after another; `shown` is called with the name of each once it is visible. */
export async function showApp(
  workbench: Workbench,
  shown: (name: string) => Promise<void>,
): Promise<void> {
  const { chat, quickPick } = workbench;
  await startFromRow(workbench, server, 'Tools');
  await chat.send(`@mcp call ${server}__get-cohort-data {}`);
  await quickPick.waitForTitle(tool);
  await quickPick.pick('Allow Once');
  await quickPick.waitForTitle(`App of ${server}`);
  await quickPick.pick('Open App');
  await quickPick.waitForTitle(tool);
  await quickPick.item('An app of this server wants to run it').waitFor();
  await shown('app-call');
  await quickPick.pick('Allow for This Session');
  await appFrame(workbench).getByText('100%').first().waitFor();
  await chat.completed();
  await shown('app');
}
