// Steps of journeys that involve servers and their rows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampleWorkspace } from '../editor/workspace';
import { poll } from '../poll';
import { trustAndStart, untilTrustAsked } from './trustQuestion';
import type { Workbench } from './workbench';

/** Adds servers, by name, and the inputs that they use to the configuration of the sample workspace. */
export async function configureServers(
  { directory }: SampleWorkspace,
  servers: Readonly<Record<string, object>>,
  inputs: readonly object[] = [],
): Promise<void> {
  const file = join(directory, 'app', '.vscode', 'mcp.json');
  const configured = JSON.parse(await readFile(file, 'utf8')) as { servers: object };
  await writeFile(file, JSON.stringify({ inputs, servers: { ...configured.servers, ...servers } }));
}

/** Waits until the description of a row matches; throws with a picture and the visible rows if it does not. */
export async function untilRow(
  workbench: Workbench,
  label: string,
  description: RegExp,
): Promise<void> {
  const { tree } = workbench;
  try {
    await poll(`the row ${label} to read ${description.source}`, 30_000, async () => {
      const row = (await tree.rows()).find((one) => one.label === label);
      return row && description.test(row.description) ? true : undefined;
    });
  } catch (cause) {
    // A journey with a window of its own has no other chance to show it.
    const picture = await workbench.savePicture(`failed-row-${label}`);
    const rows = (await tree.rows()).map((row) => `${row.label} (${row.description})`).join(', ');
    const message = `The row ${label} does not read ${description.source}: ${picture}, among ${rows}. ${await workbench.sidebarText()}`;
    throw new Error(message, { cause });
  }
}

/** Starts a server by name from the palette, but leaves open the question of whether it may run. */
export async function askForServer(workbench: Workbench, name: string): Promise<void> {
  await workbench.runCommand('MCP Workbench: Start Server');
  await workbench.quickPick.waitForTitle('Start Server');
  await workbench.quickPick.pick(name);
}

/** Starts a server by name from the palette, for the first time in this window's profile, and trusts it. */
export async function startServer(workbench: Workbench, name: string): Promise<void> {
  await askForServer(workbench, name);
  await untilTrustAsked(workbench, name);
  await trustAndStart(workbench);
}

/** Starts a server from its row in the tree for the first time, trusts it, and waits for a row below it. */
export async function startFromRow(
  workbench: Workbench,
  name: string,
  ...below: readonly string[]
): Promise<void> {
  const { tree } = workbench;
  await workbench.openView('MCP Workbench');
  await tree.click(name, 'Start Server');
  await untilTrustAsked(workbench, name);
  await trustAndStart(workbench);
  await tree.item(name, ...below);
}
