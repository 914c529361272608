import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import type { ListKind } from '../../../src/mcp/lists/listSpecs';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { longestTurn, leeway, threadMs, usedHeap } from '../../support/processes/ownLoad';
import { poll } from '../../support/poll';
import { built } from '../../support/paths';

const name = 'flood';
const maxTurnMs = 250;
const maxGrowth = 5_000_000;
/** The number of tools that the server always has. */
const ownTools = 7;

const settings = vscode.workspace.getConfiguration.bind(undefined, 'mcpWorkbench');
const set = async (key: string, value: unknown) =>
  settings().update(key, value, vscode.ConfigurationTarget.Global);

describe('a server that floods the window', function () {
  this.timeout(180_000);
  const { showWarningMessage, createOutputChannel } = vscode.window;
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    await vscode.commands.executeCommand('mcpWorkbench.servers.focus');
    // Without its native module, the test editor keeps all lines of a log in memory.
    vscode.window.createOutputChannel = withoutLines(createOutputChannel);
    vscode.window.showWarningMessage = (message: string) =>
      Promise.resolve(
        message.includes('is paused') ? 'Decline All' : undefined,
      ) as Thenable<undefined>;
    await set('tools.serverPolicy', { [name]: 'allow' });
    await set('tools.maxCallsPerMinute', 10_000);
    const args = [built('fixtures', 'hostile', 'flood.js')];
    await set('servers', { [name]: { command: process.execPath, args } });
    await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
    assert.deepEqual(await api.startServer(name), [{ kind: 'running' }]);
  });

  after(async () => {
    Object.assign(vscode.window, { showWarningMessage, createOutputChannel });
    for (const key of ['servers', 'tools.serverPolicy', 'tools.maxCallsPerMinute'])
      await set(key, undefined);
    await until(api.onDidChangeServers, () => api.servers.every((one) => one.name !== name));
  });

  const call = async (tool: string, args: object = {}) =>
    vscode.lm.invokeTool('mcpWorkbench_callTool', {
      input: { name: `${name}__${tool}`, arguments: args },
      toolInvocationToken: undefined,
    });

  const resize = async (kind: ListKind, count: number) => {
    const all = kind === 'tools' ? count + ownTools : count;
    await call('resize', { kind, count });
    await until(api.onDidChangeServers, () => serverNamed(api, name)[kind].length === all);
  };

  const grow = (kind: ListKind, count: number) => async () => {
    await resize(kind, count);
    await resize(kind, 1);
  };

  const flood = (kind: string) => () => call('flood', { kind });

  const floods: Readonly<Record<string, () => Promise<unknown>>> = {
    'log messages': flood('logs'),
    progress: flood('progress'),
    'forms to fill in': flood('questions'),
    'requests to a language model': flood('sampling'),
    'questions for roots': flood('roots'),
    pings: flood('pings'),
    'updates of resources': flood('updates'),
    'changes of lists': flood('changes'),
    'notifications that nobody knows': flood('notifications'),
    'answers that nobody asked for': flood('answers'),
    'messages against the protocol': flood('frames'),
    'lines that are no messages': flood('rubbish'),
    'lines on stderr': flood('stderr'),
    tools: grow('tools', 5000),
    prompts: grow('prompts', 5000),
    resources: grow('resources', 50_000),
    'resource templates': grow('resourceTemplates', 5000),
    'a long text': () => call('text'),
    'a result of many parts': () => call('parts'),
    'a result of many values': () => call('structured'),
    'a result of many names': () => call('names'),
  };

  /** Results that are kept so that a model can read on: only the second one makes the first one go. */
  const keptResults = new Set([
    'a long text',
    'a result of many parts',
    'a result of many values',
    'a result of many names',
  ]);

  for (const [kind, run] of Object.entries(floods))
    it(`with ${kind} neither holds it nor leaves anything behind`, async () => {
      // What is compiled only once, or kept up to a limit, does not count as growth.
      const turns = [await longestTurn(run)];
      if (keptResults.has(kind)) turns.push(await longestTurn(run));
      const before = await usedHeap();
      turns.push(await longestTurn(run));
      await call('say');
      const turn = Math.max(...turns) / leeway(threadMs);
      assert.ok(turn <= maxTurnMs, `a turn of ${Math.round(turn)} ms`);
      // Writing the rest to disk takes a while.
      let growth = Infinity;
      await poll('the heap to be as it was', 90_000, async () => {
        growth = (await usedHeap()) - before;
        return growth <= maxGrowth || undefined;
      }).catch(() => assert.fail(`${growth} bytes more`));
    });
});

/** Creates log channels that discard their lines. */
function withoutLines(create: typeof vscode.window.createOutputChannel) {
  const levels = new Set<unknown>(['trace', 'debug', 'info', 'warn', 'error']);
  return ((channelName: string) =>
    new Proxy(create(channelName, { log: true }), {
      get: (target, key: keyof vscode.LogOutputChannel) =>
        levels.has(key) ? () => {} : target[key],
    })) as typeof create;
}
