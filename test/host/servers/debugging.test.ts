import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, folderNamed, until, untilProcesses } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { invoke, setSetting, textOf } from '../../support/host/toolsSteps';
import { wineVariable } from '../../support/windows/inWine';

/**
 * A server in plain Node with one tool; the line that answers a call is marked. The debugger halts it at its start,
 * where Node crashes now and then if a function uses a variable of the file itself (nodejs/node#57606): none does.
 */
const source = `((require) => {
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tool', description: 'A tool', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    const text = 'called'; // here
    return { content: [{ type: 'text', text }] };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return;
  // A server that is long silent, as one is that waits for a debugger, is asked in the way of another revision, too.
  const outcome = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: 'Unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
});
})(require);
`;
const markedLine = source.split('\n').findIndex((line) => line.includes('// here'));
/** How many seconds a call of the server is paused; `timeout` is the shorter time that it may take. */
const heldFor = Number(process.env['MCP_WORKBENCH_HELD_SECONDS'] ?? 5);
const timeout = heldFor / 2.5;

describe('a server with a debugger', function () {
  this.timeout(120_000 + heldFor * 1000);
  const id = 'debugged';
  let api: WorkbenchApi;
  let script: vscode.Uri;
  const warnings: string[] = [];
  const { showWarningMessage } = vscode.window;

  const server = () => api.servers.find((one) => one.id === id);
  const configure = (entry: object) =>
    setSetting('servers', {
      [id]: { command: 'node', args: [script.fsPath], timeouts: { request: timeout }, ...entry },
    });
  const ours = ({ name }: vscode.DebugSession) => name === `MCP: ${id}`;
  // Wine tells of no command lines.
  const inspected = async (count: number) =>
    process.env[wineVariable] ? undefined : untilProcesses('--inspect-brk=127.0.0.1:', count);

  before(async () => {
    api = await activateWorkbench();
    script = vscode.Uri.joinPath(folderNamed('app'), 'debugged', 'main.cjs');
    await vscode.workspace.fs.writeFile(script, new TextEncoder().encode(source));
    await setSetting('tools.serverPolicy', { [id]: 'allow' });
    vscode.window.showWarningMessage = (message: string) => {
      warnings.push(message);
      return Promise.resolve(undefined);
    };
  });
  after(async () => {
    vscode.window.showWarningMessage = showWarningMessage;
    for (const one of watching) one.dispose();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await setSetting('servers', undefined);
    await setSetting('tools.serverPolicy', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(script, '..'), { recursive: true });
  });

  /** The server's running debug sessions; `begun` counts those that have started. */
  const sessions = new Set<string>();
  let begun = 0;
  beforeEach(() => {
    begun = 0;
    warnings.length = 0;
  });
  /** All running debug sessions, including the child sessions that the debugger created. */
  const all = new Set<vscode.DebugSession>();
  const hasProcess = () => [...all].some(({ parentSession: of }) => of && sessions.has(of.id));
  const watching = [
    vscode.debug.onDidStartDebugSession((session) => {
      all.add(session);
      if (!ours(session)) return;
      sessions.add(session.id);
      begun += 1;
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      all.delete(session);
      sessions.delete(session.id);
    }),
  ];

  it('starts with the debugger of the editor attached', async () => {
    await configure({ dev: { debug: { type: 'node' } } });
    await until(api.onDidChangeServers, () => server() !== undefined);
    const [outcome] = await api.startServer(id);
    assert.deepEqual(outcome, { kind: 'running' });
    assert.deepEqual(warnings, []);
    assert.deepEqual([sessions.size, begun], [1, 1]);
    await inspected(1);
  });

  it('keeps a call that is halted at a breakpoint for longer than it may take', async () => {
    const location = new vscode.Location(script, new vscode.Position(markedLine, 0));
    const breakpoint = new vscode.SourceBreakpoint(location);
    vscode.debug.addBreakpoints([breakpoint]);
    await poll('the breakpoint to be set', 30_000, async () => {
      for (const session of all) {
        const set: { readonly verified?: boolean } | undefined =
          await session.getDebugProtocolBreakpoint(breakpoint);
        if (set?.verified) return true;
      }
      return undefined;
    });
    const called = invoke('callTool', { name: `${id}__tool` });
    await poll('the breakpoint', 30_000, () =>
      Promise.resolve(vscode.debug.activeStackItem instanceof vscode.DebugStackFrame || undefined),
    );
    const halted = Date.now();
    await poll('the time that it is held', 30_000 + heldFor * 1000, () =>
      Promise.resolve(Date.now() - halted > heldFor * 1000 || undefined),
    );
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    assert.match(textOf(await called), /called/);
  });

  it('has it attached anew with a restart, and stopped with it', async () => {
    const outcomes = await vscode.commands.executeCommand('mcpWorkbench.restartServer', id);
    assert.deepEqual(outcomes, [{ kind: 'running' }]);
    await until(vscode.debug.onDidTerminateDebugSession, () => sessions.size <= 1);
    assert.deepEqual([server()?.state, sessions.size, begun], ['running', 1, 1]);
    // The debugger throws if the process that it is attaching to ends.
    await until(vscode.debug.onDidStartDebugSession, hasProcess);
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', id);
    await until(vscode.debug.onDidTerminateDebugSession, () => sessions.size === 0);
    await inspected(0);
  });

  it('starts without one where none attaches, and says so', async () => {
    const { startDebugging } = vscode.debug;
    vscode.debug.startDebugging = () => Promise.resolve(false);
    try {
      const outcomes = await vscode.commands.executeCommand('mcpWorkbench.startServer', id);
      assert.deepEqual(outcomes, [{ kind: 'running' }]);
    } finally {
      vscode.debug.startDebugging = startDebugging;
    }
    assert.deepEqual(warnings, [`No debugger attached to "${id}". It runs without one.`]);
    await inspected(0);
  });

  it('begins under a name in which the editor fills in no variable and runs no command', async () => {
    let ran = 0;
    const named = 'test.namedByServer';
    const command = vscode.commands.registerCommand(named, () => {
      ran += 1;
      return 'run';
    });
    const name = `\${command:${named}} \${workspaceFolder}`;
    const dev = { debug: { type: 'node' } };
    await setSetting('servers', { [name]: { command: 'node', args: [script.fsPath], dev } });
    const find = () => api.servers.find((one) => one.name === name);
    await until(api.onDidChangeServers, () => find() !== undefined);
    const started: string[] = [];
    const watch = vscode.debug.onDidStartDebugSession((session) => started.push(session.name));
    const outcomes = await api.startServer(find()?.id ?? '');
    command.dispose();
    watch.dispose();
    assert.deepEqual(outcomes, [{ kind: 'running' }]);
    assert.equal(ran, 0);
    assert.equal(started[0], `MCP: $ {command:${named}} $ {workspaceFolder}`);
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', find()?.id);
    await inspected(0);
  });
});
