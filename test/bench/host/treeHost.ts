// Called by the extension host for `node out/bench/host/tree.js`: measures there, with the editor's own classes.
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { silentLogger } from '../../../src/base/log';
import type { Resource } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import { SavedResources } from '../../../src/resources/live/savedResources';
import { LiveResources } from '../../../src/resources/live/liveResources';
import { ResourceSection } from '../../../src/resources/tree/resourceSection';
import { ResourceStore } from '../../../src/resources/documents/resourceStore';
import { searchResources } from '../../../src/resources/commands/findResource';
import { ViewOptions } from '../../../src/resources/tree/viewOptions';
import type { TreeNode } from '../../../src/ui/tree';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { variables } from '../../support/editor/hostProtocol';
import { longestTurn, threadMs, usedHeap } from '../../support/processes/ownLoad';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { median, type Row } from '../measure';

const timedMs = 300;
const stallRounds = 5;

function generate(count: number, uri: (i: number) => string): Resource[] {
  return Array.from({ length: count }, (_, i) => ({
    uri: uri(i),
    name: `Resource number ${i}`,
    mimeType: i % 3 === 0 ? 'text/markdown' : 'application/json',
    size: i * 17,
  }));
}

const nested = (i: number) => `bench://host/${i % 10}/${Math.floor(i / 100)}/file-${i}.md`;
const flat = (i: number) => `bench://host/file-${i}.md`;

/** The section of one server's resources, as the tree creates it. */
class Section {
  readonly server: Server;
  readonly options: ViewOptions;
  readonly parent: TreeNode = {
    id: 'bench',
    parent: undefined,
    item: () => new vscode.TreeItem(''),
  };
  private readonly section: ResourceSection;

  constructor(resources: readonly Resource[]) {
    const fake = new FakeServer({ id: 'bench', resources });
    const servers = new FakeServers(fake);
    const state = { get: () => undefined, update: () => Promise.resolve() };
    const store = new ResourceStore(servers);
    this.options = new ViewOptions(state);
    this.server = fake;
    this.section = new ResourceSection(servers, {
      store,
      options: this.options,
      saved: new SavedResources(state),
      live: new LiveResources(servers, store, silentLogger),
    });
  }

  /** Creates the rows below the section, and their tree items. */
  async paint(): Promise<readonly TreeNode[]> {
    const rows = this.section.nodes(this.server, this.parent);
    for (const row of rows) row.item();
    return Promise.resolve(rows);
  }
}

async function expand(row: TreeNode): Promise<readonly TreeNode[]> {
  const rows = (await row.children?.()) ?? [];
  for (const one of rows) one.item();
  return rows;
}

/** Returns the milliseconds that a task takes: the mean of enough rounds for the clock of the thread to be accurate. */
async function time(task: () => Promise<unknown>): Promise<number> {
  await task();
  const start = threadMs();
  let spent = 0;
  let count = 0;
  for (; spent < timedMs; spent = threadMs() - start, count += 1) await task();
  return spent / count;
}

/** Returns the longest turn of the event loop while `task` runs: the median of several rounds after a warm-up. */
async function stall(task: () => Promise<unknown>): Promise<number> {
  const stalls: number[] = [];
  for (let round = 0; round <= stallRounds; round += 1) {
    const longest = await longestTurn(task);
    if (round > 0) stalls.push(longest);
  }
  return median(stalls);
}

async function measureRows(count: number): Promise<Row[]> {
  const folders = new Section(generate(count, nested));
  const list = new Section(generate(count, flat));
  const [folder] = await folders.paint();
  const [inner] = folder ? await expand(folder) : [];
  if (!folder || !inner) throw new Error('There are no folders.');
  const filtered = new Section(generate(count, nested));
  filtered.options.setFilter('number 99');
  const entries = list.server.resources.items.map((resource) => ({ resource }));
  const search = () => searchResources(entries, 'numb 99', 200, new AbortController().signal);
  const row = (name: string, ratio: number, goal: number): Row => ({
    name: `${count.toLocaleString('en')} resources: ${name}`,
    ratio,
    goal,
    unit: 'ms',
    others: {},
  });
  return [
    row('first rows, in folders', await time(() => folders.paint()), 100),
    row('first rows, all in one folder', await time(() => list.paint()), 100),
    row('first rows under a filter', await time(() => filtered.paint()), 100),
    row('a folder of folders opened', await time(() => expand(folder)), 50),
    row('a folder of files opened', await time(() => expand(inner)), 50),
    row('longest stall of a search', await stall(search), 50),
  ];
}

/** Starts a real server of the workspace with the tree in view; returns how many resources it lists. */
async function startServer(api: WorkbenchApi, name: string): Promise<number> {
  await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
  await api.startServer(name);
  return serverNamed(api, name).resources.length;
}

/** Measures how long the extension host is blocked while a server's resources arrive and are shown. */
async function measureArrival(api: WorkbenchApi): Promise<Row> {
  let resources = 0;
  const ratio = await stall(async () => {
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'ten');
    resources = await startServer(api, 'ten');
    await new Section(serverNamed(api, 'ten').resources).paint();
  });
  return {
    name: '10,000 resources: longest stall until they are shown',
    ratio,
    goal: 50,
    unit: 'ms',
    others: { resources },
  };
}

/** Measures the memory that a server's list takes, including its rows. */
async function measureHeap(api: WorkbenchApi): Promise<Row> {
  const before = await usedHeap();
  const resources = await startServer(api, 'hundred');
  return {
    name: '100,000 resources: heap',
    ratio: ((await usedHeap()) - before) / 1e6,
    goal: 150,
    unit: 'MB',
    others: { resources },
  };
}

/** Measures everything and writes the rows to the file that the runner names. */
export async function run(): Promise<void> {
  const api = await activateWorkbench();
  await vscode.commands.executeCommand('mcpWorkbench.servers.focus');
  const rows = [...(await measureRows(10_000)), await measureArrival(api), await measureHeap(api)];
  const file = process.env[variables.result];
  if (file) await writeFile(file, JSON.stringify(rows));
}
