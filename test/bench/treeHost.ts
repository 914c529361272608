// What the extension host calls for `npm run bench:tree`: it measures the rows of resources there, with the editor's own classes.
import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/log';
import type { Resource } from '../../src/mcp/protocol';
import type { Server } from '../../src/mcp/server';
import { KeptResources } from '../../src/resources/keptResources';
import { LiveResources } from '../../src/resources/liveResources';
import { ResourceRows } from '../../src/resources/resourceRows';
import { ResourceStore } from '../../src/resources/resourceStore';
import { searchResources } from '../../src/resources/searchResources';
import { ViewOptions } from '../../src/resources/viewOptions';
import type { TreeNode } from '../../src/ui/tree';
import { activateWorkbench, until } from '../support/hostApi';
import { variables } from '../support/hostProtocol';
import { FakeServer, FakeServers } from '../unit/resources/fakeServers';
import { longestStall, median, type Row } from './measure';

const rounds = 7;

/** Collects garbage, which the editor's extension host does not offer by itself. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

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

/** The section of one server's resources, as the tree asks for it. */
class Section {
  readonly server: Server;
  readonly options: ViewOptions;
  readonly parent: TreeNode = {
    id: 'bench',
    parent: undefined,
    item: () => new vscode.TreeItem(''),
  };
  private readonly rows: ResourceRows;

  constructor(resources: readonly Resource[]) {
    const fake = new FakeServer('bench', resources);
    const servers = new FakeServers(fake);
    const state = { get: () => undefined, update: () => Promise.resolve() };
    const store = new ResourceStore(servers);
    this.options = new ViewOptions(state);
    this.server = fake as unknown as Server;
    this.rows = new ResourceRows(servers.asServers, {
      store,
      options: this.options,
      kept: new KeptResources(state),
      live: new LiveResources(servers.asServers, store, silentLogger),
    });
  }

  /** Makes the rows below the section and what the editor draws of them. */
  async paint(): Promise<readonly TreeNode[]> {
    const rows = this.rows.rows(this.server, this.parent);
    for (const row of rows) row.item();
    return Promise.resolve(rows);
  }
}

async function expand(row: TreeNode): Promise<readonly TreeNode[]> {
  const rows = (await row.children?.()) ?? [];
  for (const one of rows) one.item();
  return rows;
}

/** The median time in milliseconds, after a first round that only warms up. */
async function time(task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    await task();
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
}

async function measureRows(count: number): Promise<Row[]> {
  const name = count.toLocaleString('en');
  const folders = new Section(generate(count, nested));
  const list = new Section(generate(count, flat));
  const [folder] = await folders.paint();
  if (!folder) throw new Error('There is no folder.');
  const [inner] = await expand(folder);
  if (!inner) throw new Error('There is no inner folder.');
  // The goals were set for 10,000; with ten times as many the same steps may take ten times as long.
  const scale = count / 10_000;
  const ms = { unit: 'ms', others: {} };
  const rows: Row[] = [
    {
      name: `${name}: first rows, in folders`,
      ratio: await time(() => folders.paint()),
      goal: 100 * scale,
      ...ms,
    },
    {
      name: `${name}: first rows, all in one folder`,
      ratio: await time(() => list.paint()),
      goal: 100 * scale,
      ...ms,
    },
    {
      name: `${name}: a folder of folders opened`,
      ratio: await time(() => expand(folder)),
      goal: 50 * scale,
      ...ms,
    },
    {
      name: `${name}: a folder of files opened`,
      ratio: await time(() => expand(inner)),
      goal: 50 * scale,
      ...ms,
    },
  ];
  folders.options.setFilter('number 99');
  rows.push({
    name: `${name}: rows under a filter`,
    ratio: await time(() => folders.paint()),
    goal: 100 * scale,
    ...ms,
  });
  const entries = folders.server.resources.items.map((resource) => ({ resource }));
  const search = () => searchResources(entries, 'numb 99', 200, new AbortController().signal);
  rows.push({
    name: `${name}: longest stall of a search`,
    ratio: await longestStall(search),
    goal: 50,
    ...ms,
  });
  return rows;
}

function measureHeap(): Row {
  collect();
  const before = process.memoryUsage().heapUsed;
  const section = new Section(generate(100_000, nested));
  const rows = section.server.resources.items.length;
  return {
    name: '100,000: heap of the list and its rows',
    ratio: heapOf(section, before),
    goal: 150,
    unit: 'MB',
    others: { resources: rows },
  };
}

function heapOf(section: Section, before: number): number {
  void section.paint();
  collect();
  return (process.memoryUsage().heapUsed - before) / 1e6;
}

/** How long the extension host stands still while a real server's 10,000 resources arrive and are shown. */
async function measureArrival(): Promise<Row> {
  const api = await activateWorkbench();
  console.log('BENCH a');
  await vscode.commands.executeCommand('mcpWorkbench.servers.focus');
  console.log(
    'BENCH b',
    api.servers.map((s) => s.id),
  );
  await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'bench'));
  console.log('BENCH c');
  const stall = await longestStall(async () => api.startServer('bench'));
  const count = api.servers.find(({ id }) => id === 'bench')?.resources.length ?? 0;
  return {
    name: '10,000: longest stall while they arrive',
    ratio: stall,
    goal: 50,
    unit: 'ms',
    others: { resources: count },
  };
}

/** Measures everything and leaves the rows in the file that the runner names. */
export async function run(): Promise<void> {
  const rows = [
    await measureArrival(),
    ...(await measureRows(10_000)),
    ...(await measureRows(100_000)),
    measureHeap(),
  ];
  const file = process.env[variables.result];
  if (file) await writeFile(file, JSON.stringify(rows));
}
