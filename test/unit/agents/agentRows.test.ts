import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { AgentsNode, isAgentNode } from '../../../src/agents/agentNodes';
import type { AgentEntry } from '../../../src/agents/entries';
import { deferred } from '../../../src/base/async';
import type { Answer } from '../../../src/gate/ask/callQuestion';
import { Command } from '../../../src/ui/ids';
import type { TreeNode } from '../../../src/ui/tree';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { until } from '../../support/until';
import { AgentWindow, agentFolder, connectThrough, type Entry } from './agentWindow';

const call = { name: 'GitHub__create_issue', arguments: {} };

describe('The rows of agents', function () {
  // Each starts the bridge as a process of its own, which takes long on a busy machine.
  this.timeout(20_000);
  let folder: string;
  let window: AgentWindow;
  let rows: AgentsNode;
  let entry: Entry;
  let work: () => Promise<void>;
  const clients: Client[] = [];
  const github = fakeServer({
    id: 'github',
    name: 'GitHub',
    tools: [tool({ name: 'create_issue' }), tool({ name: 'delete_repository' })],
    prompts: [{ name: 'review' }],
    call: async () => {
      await work();
      return { content: [], isError: false };
    },
  });

  beforeEach(async () => {
    work = () => Promise.resolve();
    folder = await agentFolder();
    window = new AgentWindow(folder, fakeServers(github));
    rows = new AgentsNode(window.entries, window.sessions);
    await window.open();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    rows.dispose();
    window.close();
    await rm(folder, { recursive: true, force: true });
  });
  const connect = async () => {
    entry = await window.addEntry('Claude Code');
    const client = await connectThrough(entry, { cwd: folder, graceMs: 0 });
    clients.push(client);
    return client;
  };
  const below = async (row: TreeNode): Promise<readonly TreeNode[]> =>
    (await row.children?.()) ?? [];
  const only = async (row: TreeNode) => {
    const [first, ...others] = await below(row);
    assert.ok(first && others.length === 0);
    return first;
  };
  const agent = async () => (await only(rows.node)).item();
  const said = async () => String((await agent()).description);
  const shows = (text: string) => until(async () => (await said()).includes(text));

  it('are not there before an agent was connected, and come with it', async () => {
    await rows.load();
    assert.equal(rows.isShown, false);
    entry = await window.addEntry('Claude Code');
    await until(() => rows.isShown);
    assert.equal(rows.node.item().description, '0 of 1 connected');
    assert.equal((await agent()).label, 'Claude Code');
    assert.match(await said(), /^Not connected/);
    await window.entries.remove(entry.entry);
    await until(() => !rows.isShown);
  });

  it('are those of the latest reading, in whichever order readings end', async () => {
    const readings = [deferred<readonly AgentEntry[]>(), deferred<readonly AgentEntry[]>()];
    const [before, after] = readings;
    assert.ok(before && after);
    let begun = 0;
    const all = () => (readings[begun++] ?? after).promise;
    const own = new AgentsNode({ all, onDidChange: window.entries.onDidChange }, window.sessions);
    const loads = [own.load(), own.load()];
    after.resolve([window.entries.create({ label: 'Codex' }).entry]);
    await loads[1];
    before.resolve([]);
    await loads[0];
    assert.equal((await only(own.node)).item().label, 'Codex');
    own.dispose();
  });

  it('say who is connected, from where, since when, and what it has called', async () => {
    const client = await connect();
    await client.listTools();
    await client.callTool(call);
    await shows('Connected · 1 call');
    assert.equal(rows.node.item().description, '1 of 1 connected');
    const row = await only(rows.node);
    assert.ok(isAgentNode(row));
    assert.equal(row.agent.id, entry.entry.id);
    const connection = (await only(row)).item();
    assert.equal(connection.label, basename(folder));
    assert.match(String(connection.description), /^since .* · 1 call$/);
    const { tooltip } = connection;
    assert.match(JSON.stringify(tooltip), /Calls itself test-agent 9/);
    await client.close();
    await shows('Not connected');
  });

  it('say what it waits for, and what runs', async () => {
    const answer = deferred<Answer>();
    window.decide = () => answer.promise;
    const ran = deferred<void>();
    const running = deferred<void>();
    work = async () => {
      running.resolve();
      await ran.promise;
    };
    const client = await connect();
    await client.listTools();
    const called = client.callTool(call);
    await shows('Waiting for your answer');
    const callRow = async () => (await only(await only(await only(rows.node)))).item();
    const asked = await callRow();
    assert.equal(asked.label, 'GitHub › create_issue');
    assert.match(String(asked.description), /^Waiting for your answer/);
    assert.equal(asked.command?.command, Command.showQuestions);
    answer.resolve({ kind: 'allow', arguments: {} });
    await running.promise;
    await shows('Connected');
    const now = await callRow();
    assert.match(String(now.description), /^Running/);
    assert.equal(now.command?.command, Command.showRunningTools);
    ran.resolve();
    await called;
    await until(async () => (await below(await only(await only(rows.node)))).length === 0);
  });

  it('say that it waits for being allowed, and that it is not', async () => {
    const lets = deferred<boolean>();
    window.lets = lets.promise;
    const client = await connect();
    const listed = client.listTools();
    await shows('Waiting for your answer');
    lets.resolve(false);
    await listed;
    await shows('Connected, not allowed');
  });

  it('have one forgotten: its calls end, and it is offered nothing until it is allowed again', async () => {
    const asked = deferred<void>();
    window.decide = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const client = await connect();
    assert.equal((await client.listTools()).tools.length, 2);
    const called = client.callTool(call);
    await asked.promise;
    await window.trust.forget(entry.entry);
    window.sessions.withdraw(entry.entry.id);
    assert.equal((await called).isError, true);
    assert.deepEqual((await client.listTools()).tools, []);
    assert.deepEqual((await client.listPrompts()).prompts, []);
    await assert.rejects(client.callTool(call), /has not allowed this agent/);
    assert.equal(window.asked.length, 1);
    await shows('Connected, not allowed');
    const heard = deferred<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => heard.resolve());
    const again = await connectThrough(entry, { cwd: folder });
    clients.push(again);
    assert.equal((await again.listTools()).tools.length, 2);
    assert.deepEqual(window.wanted, ['Claude Code', 'Claude Code']);
    // The user has allowed the agent, through whichever of its connections.
    await heard.promise;
    assert.equal((await client.listTools()).tools.length, 2);
  });

  it('have a set of tools for each agent, of which it hears, and calls no other', async () => {
    const changed = deferred<void>();
    const client = await connect();
    assert.equal((await client.listTools()).tools.length, 2);
    // Not before: it was told of what it may use as it was allowed.
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    const all = github.tools.items.map((one) => ({ server: github, tool: one }));
    await window.selection.ofAgent(entry.entry.id).choose(all, all.slice(0, 1));
    await changed.promise;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(names, ['GitHub__create_issue']);
    await assert.rejects(
      client.callTool({ ...call, name: 'GitHub__delete_repository' }),
      /There is no tool "[^"]+" now\. Its server may be switched off/,
    );
    const other = await connectThrough(await window.addEntry('Codex'), { cwd: folder });
    clients.push(other);
    assert.equal((await other.listTools()).tools.length, 2);
  });
});
