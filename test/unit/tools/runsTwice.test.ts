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

  const note = (
    name: string,
    toolNames: readonly string[],
    state = createMemento(),
    isOfEditor = true,
    title = 'Reference',
  ) =>
    createRunsTwiceNote({
      servers: fakeServers(
        fakeServer({ name, implementation: { name: 'reference', version: '1', title } }),
      ),
      state,
      isOfEditor: () => isOfEditor,
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
      assert.ok(told[0]?.startsWith(`"${name}" runs twice`), told[0]);
      assert.match(told[0] ?? '', /chat\.mcp\.autostart/);
    });

  for (const [choice, key, before, after] of [
    ['Let MCP Workbench Run Them', 'chat.mcp.autostart', undefined, 'never'],
    ['Leave Them to the Editor', 'mcpWorkbench.places', ['mcpJson', 'vscode'], ['mcpJson']],
    [undefined, 'mcpWorkbench.places', ['mcpJson', 'vscode'], ['mcpJson', 'vscode']],
  ] as const)
    it(`is run by who is chosen with one click: ${choice ?? 'nobody'}`, async () => {
      const configuration = vscode.workspace.getConfiguration();
      const target = vscode.ConfigurationTarget.Global;
      await configuration.update(key, before, target);
      vscode.window.showInformationMessage = (_message: string, ...buttons: unknown[]) =>
        Promise.resolve(buttons.find((one) => one === choice)) as Thenable<undefined>;
      try {
        await note('demo', ['mcp_demo_echo'])();
        const now = vscode.workspace.getConfiguration().inspect(key)?.globalValue;
        assert.deepEqual(now, after);
      } finally {
        await configuration.update(key, undefined, target);
      }
    });

  for (const [title, name, times] of [
    ['Demo Server', 'mcp_demo_server_echo', 1],
    ['Everything Reference Server', 'mcp_everything_re_echo', 1],
    ['other', 'mcp_reference_echo', 1],
    ['演示服务器', 'mcp___tool', 1],
    ['演示服务器', 'mcp___another', 0],
  ] as const)
    it(`is told of ${times} times where it calls itself ${title} and there is ${name}`, async () => {
      await note('demo', [name], createMemento(), true, title)();
      assert.equal(told.length, times);
    });

  for (const [isOn, isOfEditor, times] of [
    [true, false, 0],
    [true, true, 1],
    [false, false, 1],
  ] as const)
    it(`is told of ${times} times where it is ${isOfEditor ? 'in mcp.json' : 'elsewhere'} and handing over is ${isOn ? 'on' : 'off'}`, async () => {
      const settings = vscode.workspace.getConfiguration('mcpWorkbench');
      const target = vscode.ConfigurationTarget.Global;
      await settings.update('provideToEditor', isOn, target);
      try {
        await note('demo', ['mcp_demo_echo'], createMemento(), isOfEditor)();
      } finally {
        await settings.update('provideToEditor', undefined, target);
      }
      assert.equal(told.length, times);
    });

  for (const [what, tools] of [
    ['no tool of that client', ['copilot_read', 'mcpWorkbench_callTool']],
    ['the tools of another server', ['mcp_other_echo', 'mcp_demons_echo']],
  ] as const)
    it(`is not reported where there are ${what}`, async () => {
      await note('demo', tools)();
      assert.deepEqual(told, []);
    });

  const implementation = { name: 'reference', version: '1', title: 'Reference' };
  for (const [title, servers, ofEditor, named] of [
    ['stands after another of the same launch', ['mine', 'theirs'], ['theirs'], 'theirs'],
    ['stands before another of the same launch', ['theirs', 'mine'], ['theirs'], 'theirs'],
    [
      'does not run here, unlike another of its name',
      ['mine', 'reference?'],
      ['reference?'],
      undefined,
    ],
    ['could be either of two', ['mine', 'other'], [], undefined],
    ['could be either of two of the editor', ['mine', 'other'], ['mine', 'other'], undefined],
    ['is the one that the editor finds among three', ['a', 'b', 'c'], ['c'], 'c'],
  ] as const)
    it(`is named, if it is sure, where it ${title}`, async () => {
      await createRunsTwiceNote({
        servers: fakeServers(
          ...servers.map((name) => {
            if (!name.endsWith('?')) return fakeServer({ name, id: name, implementation });
            const server = fakeServer({ name: name.slice(0, -1), id: name });
            server.become('stopped');
            return server;
          }),
        ),
        state: createMemento(),
        isOfEditor: (id) => ofEditor.some((one) => one === id),
        toolNames: () => ['mcp_reference_echo'],
      })();
      assert.deepEqual(
        told.map((text) => text.replace(/ runs twice.*/, '')),
        named === undefined ? [] : [`"${named}"`],
      );
    });
});
