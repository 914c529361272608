import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createPickPrompt } from '../../../src/prompts/pickPrompt';
import { findResource } from '../../../src/resources/commands/findResource';
import { pickTool } from '../../../src/tools/run/pickTool';
import type { Server } from '../../../src/mcp/server';
import { FakeServer, fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { watchPicks } from '../../support/host/shownPicks';

const { executeCommand } = vscode.commands;
const stopped = new FakeServer({});
stopped.become('stopped');
const rows: Readonly<Record<string, { servers: readonly Server[]; first: string; next: string }>> =
  {
    'no server is configured': {
      servers: [],
      first: 'Add Server…',
      next: 'mcpWorkbench.addServer',
    },
    'servers are stopped': {
      servers: [stopped],
      first: 'Start Server',
      next: 'mcpWorkbench.startServer',
    },
    'the running ones have none': {
      servers: [fakeServer({ tools: [] })],
      first: 'Show Servers',
      next: 'mcpWorkbench.servers.focus',
    },
  };

const tool = { name: 'list_directory', title: 'List Directory', inputSchema: { type: 'object' } };

describe('a list where nothing matches what was typed', () => {
  it('stays open on Enter', async () => {
    const picks = watchPicks();
    const chosen = pickTool(fakeServers(fakeServer({ tools: [tool] })));
    const shown = await picks.next(/MCP/);
    shown.pick.activeItems = [];
    shown.accept();
    assert.equal(shown.isOpen, true);
    shown.choose('List Directory');
    assert.equal((await chosen)?.tool.name, tool.name);
    picks.dispose();
  });
});

describe('the list of tools', () => {
  it('has the name that models use beside the title that people read', async () => {
    const picks = watchPicks();
    const server = fakeServer({ tools: [tool, { ...tool, name: 'plain', title: 'plain' }] });
    const chosen = pickTool(fakeServers(server));
    const shown = await picks.next(/MCP/);
    assert.deepEqual(
      shown.pick.items.flatMap(({ description = [] }) => description),
      [`list_directory · ${server.name}`, server.name],
    );
    shown.choose('plain');
    await chosen;
    picks.dispose();
  });
});

describe('an empty list', () => {
  const executed: string[] = [];

  before('hear of commands', () => {
    const ours = Object.values(rows).map(({ next }) => next);
    vscode.commands.executeCommand = (async (id: string, ...args: unknown[]) => {
      if (!ours.includes(id)) return executeCommand(id, ...args);
      executed.push(id);
      return undefined;
    }) as typeof executeCommand;
  });

  after('let commands be', () => {
    vscode.commands.executeCommand = executeCommand;
  });

  for (const [why, { servers, first, next }] of Object.entries(rows)) {
    const all = fakeServers(...servers);
    const pickPrompt = createPickPrompt({
      servers: all,
      startServer: async () => [],
      recent: () => [],
    });
    const lists = {
      'of prompts': pickPrompt,
      'of resources': () => findResource(all, 'Open MCP Resource'),
      'of tools': () => pickTool(all),
    };
    for (const [what, show] of Object.entries(lists))
      it(`${what} leads on where ${why}`, async () => {
        const picks = watchPicks();
        const chosen = show();
        const shown = await picks.next(/MCP/);
        shown.choose(shown.labels.includes(first) ? first : (shown.labels[0] ?? ''));
        assert.equal(await chosen, undefined);
        assert.deepEqual(executed.splice(0), [next]);
        picks.dispose();
      });
  }
});
