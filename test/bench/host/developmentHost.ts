// Called by the extension host for `node out/bench/host/development.js`: saves the source of one server, and has another one
// flood the window.
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { variables } from '../../support/editor/hostProtocol';
import { describedServer } from '../../support/host/describedServer';
import { activateWorkbench, folderNamed, until, writeDocument } from '../../support/host/hostApi';
import { built } from '../../support/paths';
import { longestTurn, threadMs } from '../../support/processes/ownLoad';
import { median, timed, type Row } from '../measure';

const { executeCommand } = vscode.commands;
const rounds = 5;
/** How many notifications the server sends for one call. */
const floodSize = 10_000;

const set = async (key: string, value: unknown) =>
  vscode.workspace
    .getConfiguration('mcpWorkbench')
    .update(key, value, vscode.ConfigurationTarget.Global);

/** Measures how much longer the new source's tool list takes after a save than after a manual restart. */
async function measureSaves(api: WorkbenchApi): Promise<Row> {
  const id = 'developed';
  const script = vscode.Uri.joinPath(folderNamed('app'), id, 'main.cjs');
  const server = () => api.servers.find((one) => one.id === id);
  const untilSays = (description: string) =>
    until(api.onDidChangeServers, () => {
      const { state, tools } = server() ?? {};
      return state === 'running' && tools?.[0]?.description === description;
    });
  const restart = async (description: string) => {
    await vscode.workspace.fs.writeFile(script, Buffer.from(describedServer(description)));
    await executeCommand('mcpWorkbench.restartServer', id);
    await untilSays(description);
  };
  const entry = { command: process.execPath, args: [script.fsPath] };
  await vscode.workspace.fs.writeFile(script, Buffer.from(describedServer('none')));
  await set('servers', { [id]: entry });
  await until(api.onDidChangeServers, () => server() !== undefined);
  await api.startServer(id);
  const byHand: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    byHand.push(await timed(() => restart(`by hand ${round}`)));
  await set('servers', { [id]: { ...entry, dev: { watch: `${id}/**` } } });
  await until(api.onDidChangeServers, () => server()?.state === 'running');
  const bySave: number[] = [];
  let saved = 0;
  const saves = vscode.workspace.onDidSaveTextDocument(() => (saved = performance.now()));
  for (let round = 0; round < rounds; round += 1) {
    await writeDocument(script, describedServer(`by save ${round}`));
    await untilSays(`by save ${round}`);
    bySave.push(performance.now() - saved);
  }
  saves.dispose();
  const ms = median(bySave) - median(byHand);
  const others = { 'ms by hand': median(byHand), 'ms by a save': median(bySave) };
  const name = 'a save to the list of the new source, beyond a restart';
  return { name, ratio: ms, goal: 500, unit: 'ms', others };
}

/**
 * Measures the longest turn of the event loop while a server sends notifications at full speed, with its traffic
 * shown or not.
 */
async function measureFlood(kind: 'shown' | 'not shown'): Promise<Row> {
  if (kind === 'shown') await executeCommand('mcpWorkbench.showTraffic', 'flood');
  const flood = async () =>
    vscode.lm.invokeTool('mcpWorkbench_callTool', {
      input: { name: 'flood__flood', arguments: { kind: 'notifications' } },
      toolInvocationToken: undefined,
    });
  await flood();
  const before = threadMs();
  let turn = 0;
  const ms = await timed(async () => {
    turn = await longestTurn(async () => {
      for (let round = 0; round < rounds; round += 1) await flood();
    });
  });
  const others = {
    'messages a second': (rounds * floodSize) / (ms / 1000),
    'ms of the host’s own thread a thousand': (threadMs() - before) / ((rounds * floodSize) / 1000),
  };
  const name = `the longest turn among 50,000 messages, traffic ${kind}`;
  return { name, ratio: turn, goal: 250, unit: 'ms', others };
}

/** Measures, and writes the rows to the file that the benchmark reads. */
export async function run(): Promise<void> {
  const api = await activateWorkbench();
  await executeCommand('mcpWorkbench.servers.focus');
  const args = [built('fixtures', 'hostile', 'flood.js')];
  await set('servers', { flood: { command: process.execPath, args } });
  await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'flood'));
  await api.startServer('flood');
  // The user would still be asked about a server of the workspace.
  await set('tools.serverPolicy', { flood: 'allow' });
  const rows = [
    await measureFlood('not shown'),
    await measureFlood('shown'),
    await measureSaves(api),
  ];
  const result = process.env[variables.result];
  if (result) await writeFile(result, JSON.stringify(rows));
}
