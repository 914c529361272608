import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, folderNamed, until, writeDocument } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';

const secret = `hush-${Math.random().toString(36).slice(2)}-"quoted"`;

/** A server that reveals its key on stderr and in an answer. */
const talkative = {
  command: 'node',
  args: ['-e', 'console.error("the key is " + process.env.API_KEY); require(process.env.MAIN)'],
  env: {
    API_KEY: '${input:key}',
    MAIN: '${env:MCP_WORKBENCH_DEMO}/out/fixtures/demoServer/main.js',
  },
};
const inputs = [{ id: 'key', type: 'promptString', description: 'A key', password: true }];

describe('the value of a secret', function () {
  this.timeout(60_000);
  const { createInputBox, createOutputChannel } = vscode.window;
  const lines: string[] = [];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let asked: vscode.InputBox[] = [];

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    const { servers } = JSON.parse(original) as { servers: object };
    vscode.window.createInputBox = () => {
      const box = createInputBox();
      const show = box.show.bind(box);
      box.show = () => {
        asked.push(box);
        show();
        box.value = secret;
        void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      };
      return box;
    };
    const record = (name: string) => recordChannel(createOutputChannel(name, { log: true }), lines);
    vscode.window.createOutputChannel = record;
    await writeDocument(file, JSON.stringify({ servers: { ...servers, talkative }, inputs }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'talkative'));
    assert.deepEqual(await api.startServer('talkative'), [{ kind: 'running' }]);
    await vscode.commands.executeCommand('mcpWorkbench.restartServer', 'talkative');
  });

  after(async () => {
    vscode.window.createInputBox = createInputBox;
    vscode.window.createOutputChannel = createOutputChannel;
    await writeDocument(file, original);
    await until(api.onDidChangeServers, () => !api.servers.some(({ id }) => id === 'talkative'));
  });

  it('is asked for once, in a box that does not show it', () => {
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.password, true);
  });

  it('reaches the server and stands in no line of its log, the traffic included', () => {
    assert.ok(lines.some((line) => line.startsWith('info: the key is ‹redacted›')));
    assert.ok(lines.some((line) => /^trace: → .*"method":"initialize"/.test(line)));
    const forms = [secret, JSON.stringify(secret).slice(1, -1)];
    assert.deepEqual(
      lines.filter((line) => forms.some((form) => line.includes(form))),
      [],
    );
  });

  it('stands in no file of the editor', async () => {
    const extension = vscode.extensions.getExtension('mcp-workbench.mcp-workbench');
    assert.ok(extension);
    // The extension under development is linked from the folder with the editor's data.
    const data = dirname(extension.extensionPath);
    const files = await readdir(data, { recursive: true, withFileTypes: true });
    const own = files.filter((one) => one.isFile() && !one.parentPath.includes('/extensions/'));
    assert.ok(own.some(({ parentPath }) => parentPath.includes('globalStorage')));
    const forms = [secret, JSON.stringify(secret).slice(1, -1)];
    for (const { parentPath, name } of own) {
      const text = await readFile(join(parentPath, name), 'latin1');
      assert.ok(!forms.some((form) => text.includes(form)), join(parentPath, name));
    }
  });

  it('is forgotten with Clear Inputs, and asked for again', async () => {
    asked = [];
    const clear = async () => {
      const picks = watchPicks();
      const cleared = vscode.commands.executeCommand('mcpWorkbench.clearInputs');
      const shown = await picks.next(/^Clear Inputs$/);
      shown.choose(...shown.labels);
      await cleared;
      picks.dispose();
    };
    await clear();
    await vscode.commands.executeCommand('mcpWorkbench.restartServer', 'talkative');
    assert.equal(asked.length, 1);
    await clear();
  });
});

/** Sets a log channel to the level trace and records its lines. */
function recordChannel(channel: vscode.LogOutputChannel, lines: string[]): vscode.LogOutputChannel {
  const levels = new Set<unknown>(['trace', 'debug', 'info', 'warn', 'error']);
  return new Proxy(channel, {
    get(target, key: keyof vscode.LogOutputChannel) {
      if (key === 'logLevel') return vscode.LogLevel.Trace;
      if (!levels.has(key)) return target[key];
      return (message: string) => void lines.push(`${key}: ${message}`);
    },
  });
}
