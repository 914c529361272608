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
