import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { roomAt, wrapLine } from '../../../src/base/text/rows';
import { activateWorkbench, folderNamed } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

/** An entry as it stands in a file of an application, or in the clipboard. */
interface Written {
  readonly mcpServers: Readonly<
    Record<string, { command: string; args: string[]; env: Record<string, string> }>
  >;
}

/** The ways to an entry: the name that its agent has in questions, and whether the entry is in a file. */
const ways = [
  { row: 'Copilot CLI', label: 'Copilot CLI', isInFile: true },
  { row: 'Another…', label: 'Another agent', isInFile: false },
] as const;

describe('an agent that is connected in the window', function () {
  this.timeout(120_000);
  const { showInformationMessage, showErrorMessage } = vscode.window;
  const { COPILOT_HOME: homeBefore } = process.env;
  const { executeCommand } = vscode.commands;
  const own = '{ "mcpServers": { "own": { "command": "node" } } }';
  const told: string[] = [];
  let home: string;
  let file: string;
  let picks: WatchedPicks;
  let client: Client;

  before(async () => {
    const api = await activateWorkbench();
    await api.startServer('demo');
  });
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'mcp-workbench-agents-'));
    file = join(home, 'mcp-config.json');
    await writeFile(file, own);
    process.env['COPILOT_HOME'] = home;
    told.length = 0;
    const tell = (message: string) => Promise.resolve(void told.push(message));
    Object.assign(vscode.window, { showInformationMessage: tell, showErrorMessage: tell });
    picks = watchPicks();
    client = new Client({ name: 'test-agent', version: '9' });
  });
  afterEach(async () => {
    await client.close();
    picks.dispose();
    Object.assign(vscode.window, { showInformationMessage, showErrorMessage });
    if (homeBefore === undefined) delete process.env['COPILOT_HOME'];
    else process.env['COPILOT_HOME'] = homeBefore;
    await rm(home, { recursive: true, force: true });
  });

  /** Returns what rows say together, each of which has room for all of its own. */
  const whole = (labels: readonly string[]) => {
    const texts = labels.map((label) => label.replace(/^\u2003 /, ''));
    for (const label of texts)
      assert.equal(wrapLine(label.trimEnd(), roomAt({ hasIcon: true })).length, 1, label);
    return texts.join('');
  };

  /** Views the change that a question is about and accepts it, which is possible only then. */
  const acceptChange = async (title: RegExp) => {
    const before = await readFile(file, 'utf8');
    const first = await picks.next(title);
    if (title.source.includes('Connect')) assert.match(whole(first.labels), /for your servers\.$/);
    assert.ok(!first.labels.includes('Write to mcp-config.json'));
    first.choose('Show Changes…');
    await poll('the difference', 20_000, () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      const shown = vscode.window.activeTextEditor?.document.getText();
      const isShown = input instanceof vscode.TabInputTextDiff && shown?.includes('"own"');
      return Promise.resolve(isShown || undefined);
    });
    assert.equal(await readFile(file, 'utf8'), before, 'Nothing is written before a yes.');
    await executeCommand('mcpWorkbench.answerDocument');
    (await picks.next(title)).choose('Write to mcp-config.json');
  };

  const connect = async ({ row, isInFile }: (typeof ways)[number]) => {
    const done = executeCommand('mcpWorkbench.connectAgent');
    (await picks.next(/^Connect an Agent$/)).choose(row);
    if (isInFile) await acceptChange(/^Connect Copilot CLI$/);
    await done;
    const text = isInFile ? await readFile(file, 'utf8') : await vscode.env.clipboard.readText();
    const { 'mcp-workbench': entry, ...others } = (JSON.parse(text) as Written).mcpServers;
    assert.ok(entry, text);
    assert.deepEqual(Object.keys(others), isInFile ? ['own'] : []);
    return entry;
  };

  const call = (message: string) => client.callTool({ name: 'demo__echo', arguments: { message } });

  /** Starts the agent of an entry, and returns the names of what it lists first as the user lets it in. */
  const start = async (
    way: (typeof ways)[number],
    list: () => Promise<readonly { readonly name: string }[]> = async () =>
      (await client.listTools()).tools,
    cwd = folderNamed('app').fsPath,
  ) => {
    const { command, args, env } = await connect(way);
    const path = process.env['PATH'] ?? '';
    await client.connect(
      new StdioClientTransport({ command, args, env: { PATH: path, ...env }, cwd }),
    );
    const listed = list();
    const wanted = await picks.next(
      new RegExp(`^${way.label} wants to use your servers through this window$`),
    );
    assert.equal(wanted.labels[0], 'Not Now');
    assert.deepEqual(
      wanted.pick.activeItems.map(({ label }) => label),
      ['Not Now'],
    );
    assert.ok(wanted.labels.includes('Calls itself test-agent 9'), wanted.labels.join());
    // A program of Windows sees the letter of its drive in either case.
    assert.ok(whole(wanted.labels).toLowerCase().includes(cwd.toLowerCase()), wanted.labels.join());
    wanted.choose('Allow in This Workspace');
    return (await listed).map(({ name }) => name);
  };

  for (const way of ways)
    it(`uses its servers once the user has let it in, one call after another, until it is disconnected: ${way.row}`, async () => {
      const names = await start(way);
      assert.ok(names.includes('demo__echo'), names.join());

      const title = new RegExp(`^${way.label} › demo › `);
      const denied = call('first');
      (await picks.next(title)).choose('Deny');
      const refusal = await denied;
      assert.equal(refusal.isError, true);
      assert.match(JSON.stringify(refusal.content), /denied by the user/);

      const allowed = call('second');
      (await picks.next(title)).choose('Allow Once');
      const result = await allowed;
      assert.ok(!result.isError);
      assert.match(JSON.stringify(result.content), /second/);

      const done = executeCommand('mcpWorkbench.disconnectAgent');
      (await picks.next(/^Disconnect an Agent$/)).choose(way.label);
      if (way.isInFile) await acceptChange(/^Disconnect Copilot CLI$/);
      await done;
      assert.equal(told.at(-1), `${way.label} is disconnected.`);
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), JSON.parse(own));
      await poll('the end of its connection', 20_000, async () => {
        const { tools } = await client.listTools();
        return tools.length === 0 || undefined;
      });
      assert.match(JSON.stringify(await call('third')), /does not know this entry any longer/);
      assert.deepEqual(picks.open, []);
    });

  it('is asked about where it wants prompts alone, and has them once it is let in', async () => {
    const way = ways[1];
    const deep = join(home, ...Array.from({ length: 4 }, (_, at) => `${at}-${'long'.repeat(10)}`));
    await mkdir(deep, { recursive: true });
    const names = await start(way, async () => (await client.listPrompts()).prompts, deep);
    assert.ok(
      names.some((name) => name.startsWith('demo__')),
      names.join(),
    );
    assert.deepEqual(picks.open, []);
    const done = executeCommand('mcpWorkbench.disconnectAgent');
    (await picks.next(/^Disconnect an Agent$/)).choose(way.label);
    await done;
  });

  it('is offered what the user selects for it, and nothing once its trust is forgotten', async () => {
    const way = ways[1];
    const names = await start(way);
    assert.ok(names.includes('demo__echo') && names.length > 1, names.join());
    const selecting = executeCommand('mcpWorkbench.selectAgentTools');
    (await picks.next(/^Select Tools for an Agent$/)).choose(way.label);
    const tools = await picks.next(/^Select Tools for Another agent$/);
    const echo = tools.pick.items.findIndex(({ label }) => label.toLowerCase() === 'echo');
    assert.ok(echo >= 0, tools.labels.join());
    tools.choose(tools.labels[echo] ?? '');
    await selecting;
    const offered = async () => (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(await offered(), ['demo__echo']);
    const allowed = call('chosen');
    (await picks.next(/^Another agent › demo › /)).choose('Allow Once');
    assert.ok(!(await allowed).isError);

    const forgetting = executeCommand('mcpWorkbench.forgetAgent');
    (await picks.next(/^Forget Trust and Approvals of an Agent$/)).choose(way.label);
    await forgetting;
    assert.match(told.at(-1) ?? '', /^Another agent is offered nothing now/);
    assert.deepEqual(await offered(), []);
    await assert.rejects(call('late'), /has not allowed this agent/);
    assert.deepEqual(picks.open, []);
    const done = executeCommand('mcpWorkbench.disconnectAgent');
    (await picks.next(/^Disconnect an Agent$/)).choose(way.label);
    await done;
  });
});
