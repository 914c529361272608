/*
 * `node out/bench/editor.js`: how long servers take to start in a window of the packaged extension, compared with the
 * editor's own client and the floor, each measured as the first start in a window that is three seconds old; and how
 * long activation takes.
 */
import { mkdir, mkdtemp, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConsoleMessage, Page } from 'playwright-core';
import {
  launchesVariable,
  type Launch,
  type Starter,
  type Told,
} from '../fixtures/startTimer/protocol';
import { packExtension } from '../../tools/build/packExtension';
import { launchBrowser } from '../support/editor/browser';
import { userFolder } from '../support/editor/editorData';
import { startEditor } from '../support/editor/editorServer';
import { built } from '../support/paths';
import { poll } from '../support/poll';
import { Workbench } from '../support/workbench/workbench';
import { median, report, type Row } from './measure';

const rounds = 5;
const activations = 7;
const restMs = 3000;
const extensionId = 'mcp-workbench.mcp-workbench';
const startMs = 120_000;
const markPattern = new RegExp(`\\[startTimer\\] (\\{.*\\})`);
const titles: Readonly<Record<Starter, string>> = {
  floor: 'Start Timer: Floor',
  workbench: 'Start Timer: Workbench',
  editor: 'Start Timer: Editor',
  oneByOne: 'Start Timer: One by One',
};

/** What is started, and how long it may take as a multiple of the floor. */
const configurations = [
  { name: 'one server of 20 tools', servers: 1, tools: 20, goal: 1.5 },
  { name: '10 servers of 20 tools', servers: 10, tools: 20, goal: 1.3 },
  { name: '30 servers of 20 tools', servers: 30, tools: 20, goal: 1.15 },
  { name: 'one server of 2,000 tools', servers: 1, tools: 2000, goal: 1.5 },
] as const;
type Configuration = (typeof configurations)[number];

const starters = ['workbench', 'editor', 'floor'] as const satisfies readonly Starter[];
type Contender = (typeof starters)[number];

/** Waits for the timer's next message of the given kind. */
async function told<K extends Told['kind']>(
  page: Page,
  kind: K,
): Promise<Extract<Told, { kind: K }>> {
  let found: Told | undefined;
  const isFound = (message: ConsoleMessage) => {
    const [, json] = markPattern.exec(message.text()) ?? [];
    if (json === undefined) return false;
    found = JSON.parse(json) as Told;
    if (found.kind === 'failed') throw new Error(found.message);
    return found.kind === kind;
  };
  await page.waitForEvent('console', { predicate: isFound, timeout: startMs });
  return found as Extract<Told, { kind: K }>;
}

/** Measures in one window, with servers that are configured for both clients and have already been trusted. */
async function measure({ name, servers, tools, goal }: Configuration): Promise<readonly Row[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
  const program = join(folder, 'server.js');
  await symlink(built('bench', 'core', 'benchServer.js'), program);
  const launches: Launch[] = Array.from({ length: servers }, (_, index) => ({
    command: process.execPath,
    args: [program, JSON.stringify({ tools }), String(index)],
  }));
  const configured = Object.fromEntries(launches.map((launch, index) => [`s${index}`, launch]));
  await using editor = await startEditor({
    open: folder,
    extension: { vsix: await packExtension() },
    installed: [built('fixtures', 'startTimer')],
    settings: {
      'mcpWorkbench.servers': configured,
      'mcpWorkbench.autostart': 'never',
      'chat.mcp.autostart': 'never',
    },
    driven: true,
    temporary: [folder],
    env: { [launchesVariable]: JSON.stringify(launches) },
  });
  const user = userFolder(editor.data);
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'mcp.json'), JSON.stringify({ servers: configured }));
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(startMs);
  const workbench = new Workbench({
    browser,
    editor,
    page,
    workspace: { directory: folder, file: folder },
    log: [],
  });

  await Promise.all([told(page, 'active'), page.goto(editor.url)]);
  await trustAll(workbench, Object.keys(configured));

  const times: Record<Contender, number[]> = { floor: [], workbench: [], editor: [] };
  const lists: number[] = [];
  const running: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const by of round % 2 === 0 ? starters : starters.toReversed()) {
      const [{ ms }] = await Promise.all([told(page, 'remembered'), workbench.reload()]);
      lists.push(ms);
      running.push(
        (await editor.processes()).filter(({ command }) => command.includes(program)).length,
      );
      await delay(restMs);
      const started = told(page, 'started');
      await workbench.runCommand(titles[by]);
      times[by].push((await started).ms);
    }
  const ratios = (by: Contender) => median(times[by].map((ms, i) => ms / (times.floor[i] ?? NaN)));
  const remembered = { ratio: median(lists), goal: 50, unit: 'ms' };
  return [
    {
      name: `${name}: first start of a window, to the floor`,
      ratio: ratios('workbench'),
      goal,
      others: {
        "the editor's own": ratios('editor'),
        'our ms': median(times.workbench),
        'ms of the floor': median(times.floor),
      },
    },
    {
      name: `${name}: activation to the lists of last time`,
      ...remembered,
      others: { 'processes of servers': Math.max(...running) },
    },
  ];
}

/** Starts all servers once and trusts each of them. */
async function trustAll(workbench: Workbench, names: readonly string[]): Promise<void> {
  const { page, quickPick } = workbench;
  const started = told(page, 'started');
  await workbench.runCommand(titles.oneByOne);
  const asked = new Set(names.map((name) => `Start "${name}"?`));
  while (asked.size > 0) {
    asked.delete(await quickPick.titleAmong(asked));
    await quickPick.pick('Trust and Start');
  }
  await started;
}

/**
 * Reads the activation time from the extension host in every window but the first, with no server configured,
 * compared with a small extension.
 */
async function activation(): Promise<Row> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-')));
  const ms: Record<string, number[]> = { 'MCP Workbench': [], 'Start Timer': [] };
  await using editor = await startEditor({
    open: folder,
    extension: { vsix: await packExtension() },
    installed: [built('fixtures', 'startTimer')],
    driven: true,
    temporary: [folder],
  });
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(startMs);
  const workspace = { directory: folder, file: folder };
  const workbench = new Workbench({ browser, editor, page, workspace, log: [] });
  await Promise.all([told(page, 'active'), page.goto(editor.url)]);
  // Later windows use what the first one compiled.
  const user = userFolder(editor.data);
  const compiled = join(user, 'globalStorage', extensionId, 'compiled', 'extension.js.bin');
  await poll('the compiled code', startMs, async () =>
    (await stat(compiled).catch(() => undefined)) ? true : undefined,
  );
  for (let round = 0; round < activations; round += 1) {
    await Promise.all([told(page, 'active'), workbench.reload()]);
    await delay(restMs);
    await workbench.runCommand('Developer: Show Running Extensions');
    for (const [name, times] of Object.entries(ms)) {
      const row = page
        .locator('.runtime-extensions-editor .monaco-list-row')
        .filter({ hasText: name });
      const [, time] = /Activation: (\d+)ms/.exec(await row.innerText()) ?? [];
      times.push(Number(time));
    }
    // The editor with the running extensions may cover the whole window.
    await page.keyboard.press('Escape');
  }
  const [ours = NaN, least = NaN] = Object.values(ms).map(median);
  return {
    name: 'activation with nothing configured, beyond a small extension',
    ratio: ours - least,
    goal: 25,
    unit: 'ms',
    others: { 'our ms': ours, 'ms of the small one': least },
  };
}

async function main(): Promise<void> {
  const rows: Row[] = [await activation()];
  for (const configuration of configurations) rows.push(...(await measure(configuration)));
  report(rows);
  if (rows.some(({ ratio, goal }) => !(ratio <= goal))) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
