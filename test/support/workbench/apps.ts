// Steps of journeys that involve apps and their tabs.
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { SampleWorkspace } from '../editor/workspace';
import { built, repositoryRoot } from '../paths';
import { configureServers } from './serverSteps';
import type { Workbench } from './workbench';

/** The npm packages of published servers whose tools have apps, by the names used here. */
export const publishedApps = {
  vanilla: 'server-basic-vanillajs',
  react: 'server-basic-react',
  budget: 'server-budget-allocator',
  cohort: 'server-cohort-heatmap',
  scenario: 'server-scenario-modeler',
  monitor: 'server-system-monitor',
} as const;

/** Configures servers with apps in the sample workspace: ours, which probes the sandbox, and published ones. */
export async function configureApps(
  workspace: SampleWorkspace,
  published: readonly (keyof typeof publishedApps)[] = [],
): Promise<void> {
  const servers: Record<string, object> = {
    apps: { command: 'node', args: [built('fixtures', 'appServer', 'main.js')] },
  };
  for (const name of published) servers[name] = publishedServer(name);
  await configureServers(workspace, servers);
}

/** Returns the configuration of a published server with apps. */
export function publishedServer(name: keyof typeof publishedApps): object {
  const main = join('node_modules', '@modelcontextprotocol', publishedApps[name], 'dist/index.js');
  return { command: 'node', args: [join(repositoryRoot, main), '--stdio'] };
}

/** Locates the page around the app in the active tab, which is ours. */
export function appPage({ page }: Workbench): FrameLocator {
  return page
    .locator('iframe.webview.ready:visible')
    .last()
    .contentFrame()
    .locator('iframe#active-frame')
    .contentFrame();
}

/** Locates what a server's app shows in the active tab. */
export function appFrame(workbench: Workbench): FrameLocator {
  return appPage(workbench).locator('iframe').contentFrame();
}

/** Waits until the app shows this text in the output with this id. */
export async function appSays(app: FrameLocator, id: string, text: string | RegExp): Promise<void> {
  await app.locator(`#${id}`).filter({ hasText: text }).waitFor();
}

/** Runs a tool that needs no arguments from its row. */
export async function runFromRow({ tree }: Workbench, server: string, tool: string): Promise<void> {
  await tree.click(server, 'Tools', tool);
}

/** Locates the tab with this label. */
export function tabOf({ page }: Workbench, label: string): Locator {
  return page.locator('.tabs-container .tab').filter({ hasText: label });
}
