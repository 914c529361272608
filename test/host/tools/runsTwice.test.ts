import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createRunsTwiceNote } from '../../../src/chat/editor/tellRunsTwice';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';

describe('a server that the editor’s own client has started, too', () => {
  const { showInformationMessage } = vscode.window;
  const told: string[] = [];
  beforeEach(() => {
    told.length = 0;
    vscode.window.showInformationMessage = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => {
    vscode.window.showInformationMessage = showInformationMessage;
  });

  const note = (name: string, toolNames: readonly string[], state = createMemento()) =>
    createRunsTwiceNote({
      servers: fakeServers(fakeServer({ name })),
      state,
      toolNames: () => toolNames,
    });

  for (const [name, tool] of [
    ['demo', 'mcp_demo_echo'],
    ['My Server (1)', 'mcp_my_server_1__echo'],
    ['a-very-long-name-of-a-server', 'mcp_a-very-long-n_echo'],
  ] as const)
    it(`is told of once, with the setting that ends it: ${name}`, async () => {
      const state = createMemento();
      await note(name, ['copilot_read', tool], state)();
      await note(name, [tool], state)();
      assert.equal(told.length, 1);
      assert.ok(told[0]?.startsWith(`${name} runs twice`), told[0]);
      assert.match(told[0] ?? '', /chat\.mcp\.autostart/);
    });

  for (const [what, tools] of [
    ['no tool of that client', ['copilot_read', 'mcpWorkbench_callTool']],
    ['the tools of another server', ['mcp_other_echo', 'mcp_demons_echo']],
  ] as const)
    it(`is none where there are ${what}`, async () => {
      await note('demo', tools)();
      assert.deepEqual(told, []);
    });
});
