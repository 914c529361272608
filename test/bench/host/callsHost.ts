// Called by the extension host for `node out/bench/host/calls.js`: lists and runs a file with a thousand steps.
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { CallsTests } from '../../../src/testing/callsTests';
import { variables } from '../../support/editor/hostProtocol';
import { activateWorkbench, folderNamed } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';
import { threadMs } from '../../support/processes/ownLoad';
import { median, timed, type Row } from '../measure';

const count = 1000;
const rounds = 5;

async function writeCalls(): Promise<vscode.Uri> {
  const steps = Array.from({ length: count }, (_, i) => ({
    name: `step ${i}`,
    call: `tool_${i % 20}`,
    arguments: { text: `text ${i}` },
    expect: { isError: false },
  }));
  const uri = vscode.Uri.joinPath(folderNamed('app'), 'bench.mcp-calls.jsonc');
  await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ from: 'bench', steps })));
  return uri;
}

/** Measures the milliseconds until the items of the file are in the Test Explorer. */
async function measureListing(uri: vscode.Uri): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const controller = vscode.tests.createTestController(`bench${round}`, 'Bench');
    const tests = new CallsTests(controller);
    times.push(await timed(() => tests.read(uri)));
    tests.dispose();
    controller.dispose();
  }
  return median(times);
}

/** Measures a run of the whole file, including the gate and the log. */
async function measureRun(uri: vscode.Uri): Promise<Row> {
  const runAll = async () => {
    const results = await vscode.commands.executeCommand<{ outcome: string }[]>(
      'mcpWorkbench.runSavedCall',
      uri,
    );
    const passed = results.filter(({ outcome }) => outcome === 'passed').length;
    if (passed !== count) throw new Error(`${passed} of ${count} steps passed.`);
  };
  const picks = watchPicks();
  const first = runAll();
  (await picks.next(/^Run bench/)).choose(`Run ${count} Requests`);
  await first;
  picks.dispose();
  const times: number[] = [];
  const before = threadMs();
  for (let round = 0; round < rounds; round += 1) times.push(await timed(runAll));
  const own = (threadMs() - before) / rounds;
  const others = { 'ms of the host’s own thread': own };
  return {
    name: '1,000 steps run, 200 a second',
    ratio: median(times),
    goal: 5000,
    unit: 'ms',
    others,
  };
}

/** Measures, and writes the rows to the file that the benchmark reads. */
export async function run(): Promise<void> {
  await activateWorkbench();
  const uri = await writeCalls();
  const ms = { unit: 'ms', others: {} };
  const rows: Row[] = [
    {
      name: '1,000 steps in the Test Explorer',
      ratio: await measureListing(uri),
      goal: 300,
      ...ms,
    },
    await measureRun(uri),
  ];
  const result = process.env[variables.result];
  if (result) await writeFile(result, JSON.stringify(rows));
}
