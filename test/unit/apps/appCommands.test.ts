import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { register } from '../../../src/apps/index';
import { createSessionMemento } from '../../../src/base/memento';
import { TrafficRecords } from '../../../src/mcp/traffic/trafficRecorder';
import { Command } from '../../../src/ui/ids';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { byUser } from '../../../src/ui/questions/question';
import { tabDeps } from '../../support/fakes/fakeApp';
import { fakeServer } from '../../support/fakes/fakeServer';

describe('the commands in the tab of an app', () => {
  const files = new MemoryFiles('mcp-workbench-test-app-commands');
  const { registerWebviewPanelSerializer } = vscode.window;
  after(() => {
    Object.assign(vscode.window, { registerWebviewPanelSerializer });
    files.dispose();
  });

  for (const [what, active] of [
    ['show the messages of the app in front', ['one', 'two']],
    ['show no traffic where none is in front', []],
  ] as const)
    it(what, async () => {
      const servers = ['one', 'two'].map((id) => fakeServer({ id }));
      let serializer: vscode.WebviewPanelSerializer | undefined;
      Object.assign(vscode.window, {
        registerWebviewPanelSerializer: (_: string, given: vscode.WebviewPanelSerializer) => {
          serializer = given;
          return { dispose() {} };
        },
      });
      const shown: unknown[][] = [];
      const commands = vscode.commands.registerCommand(
        Command.showTraffic,
        (...given) => void shown.push(given),
      );
      const { log, ...deps } = tabDeps(files);
      const feature = register({
        ...deps,
        servers: { all: servers, get: (id: string) => servers.find((one) => one.id === id) },
        gate: { run: deps.requests.gate.run, onDidSend: () => ({ dispose() {} }) },
        records: new TrafficRecords(String),
        context: {
          globalState: createSessionMemento(),
          globalStorageUri: vscode.Uri.file('/none'),
          extension: { packageJSON: { version: '1' } },
        },
        logs: { extension: log, mask: String },
        platform: { files: {} },
      } as unknown as Parameters<typeof register>[0]);
      const inFront = new Set<string>();
      for (const { id: serverId } of servers) {
        const panel = {
          title: '',
          get active() {
            return inFront.has(serverId);
          },
          onDidDispose: () => ({ dispose() {} }),
          dispose() {},
          webview: { html: '' },
        } as unknown as vscode.WebviewPanel;
        const state = { serverId, uri: 'ui://demo/view', isCut: true };
        await serializer?.deserializeWebviewPanel(panel, state);
      }
      const action = byUser();
      for (const id of active) {
        inFront.clear();
        inFront.add(id);
        await vscode.commands.executeCommand(Command.showAppTraffic, action);
      }
      if (active.length === 0) await vscode.commands.executeCommand(Command.showAppTraffic, action);
      feature.dispose();
      commands.dispose();
      assert.deepEqual(
        shown,
        active.map((id) => [id, '@app', action]),
      );
    });
});
