import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEnglish } from '../../../src/base/translate';
import type { WorkbenchApi } from '../../../src/api';
import { referenceContent } from '../../../src/chat/participant/references';
import { openDocument } from '../../../src/resources/documents/openDocument';
import { toResourceUri } from '../../../src/ui/resourceUri';
import { listen } from '../../fixtures/demoServer/http';
import { parseOptions } from '../../fixtures/demoServer/options';
import { DemoState } from '../../fixtures/demoServer/state';
import { activateWorkbench, folderNamed, serverNamed, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { byUser } from '../../../src/ui/questions/question';

const waitMs = 20_000;
const setting = 'mcpWorkbench.servers';
const { showOpenDialog, showQuickPick, showSaveDialog } = vscode.window;

const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;

const untilText = (document: vscode.TextDocument, text: string) =>
  until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);

describe('resources in editors', function () {
  this.timeout(60_000);
  const state = new DemoState();
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const servers: Record<string, unknown> = {};
    // One announces changes of resources, the other does not.
    for (const [name, ...more] of [['telling'], ['quiet', '--no-subscribe']] as const) {
      const options = parseOptions(['--http', '0', '--page-size', '50', ...more]);
      servers[name] = { type: 'http', url: await listen(options, state) };
    }
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update(setting, servers, Global);
    for (const name of Object.keys(servers)) {
      await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
      assert.deepEqual(await api.startServer(serverNamed(api, name).id), [{ kind: 'running' }]);
    }
  });

  after(async () => {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update(setting, undefined, Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'quiet'));
  });

  afterEach(async () => {
    Object.assign(vscode.window, { showOpenDialog, showQuickPick, showSaveDialog });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const target = (uri: string, server = 'telling') => ({
    serverId: serverNamed(api, server).id,
    uri,
  });
  const resourceUriFor = (uri: string, name?: string) => toResourceUri(target(uri), name);
  const open = async (uri: string, server?: string) =>
    vscode.commands.executeCommand('mcpWorkbench.openResource', target(uri, server));

  for (const [what, uri, viewType] of [
    ['pictures', 'demo://image', 'imagePreview.previewEditor'],
    ['sounds', 'demo://Report/sound', 'vscode.audioPreview'],
  ] as const)
    it(`that are ${what} open in the editor’s own preview`, async () => {
      await open(uri);
      const input = await poll('the preview', waitMs, () => Promise.resolve(activeTab()?.input));
      assert.ok(input instanceof vscode.TabInputCustom);
      assert.equal(input.viewType, viewType);
    });

  it('that are a notebook open as text, so that nothing in it can run', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mcp-workbench-notebook-'));
    const uri = vscode.Uri.file(join(directory, 'run.ipynb'));
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{"cells":[]}'));
    assert.equal(await openDocument(uri, { kind: 'text', name: 'run.ipynb' }, byUser()), true);
    const input = await poll('the editor', waitMs, () =>
      Promise.resolve(activeTab()?.label === 'run.ipynb' ? activeTab()?.input : undefined),
    );
    assert.ok(input instanceof vscode.TabInputText);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await rm(directory, { recursive: true });
  });

  it('that no editor here shows are offered as hex, to be saved, and to be opened by choice', async () => {
    const asked: { labels: string[]; title: string | undefined }[] = [];
    const show = (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
      asked.push({ labels: items.map(({ label }) => label), title: options.title });
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showQuickPick: show });
    await open('demo://Report/print');
    assert.deepEqual(
      asked.map(({ labels }) => labels),
      [['Show as Hex', 'Save As…', 'Open With…']],
    );
    assert.match(asked[0]?.title ?? '', /^print\.pdf · application\/pdf · \d+ B$/);
    assert.equal(activeTab(), undefined);
  });

  it('are saved where the user points, several into a folder', async () => {
    const folder = vscode.Uri.joinPath(folderNamed('app'), 'saved');
    const file = vscode.Uri.joinPath(folder, 'mine.txt');
    let proposed: string | undefined;
    Object.assign(vscode.window, {
      showSaveDialog: ({ defaultUri }: vscode.SaveDialogOptions) => {
        proposed = defaultUri?.path;
        return Promise.resolve(file);
      },
      showOpenDialog: () => Promise.resolve([folder]),
    });
    for (const uri of ['note:abc', 'demo://several'])
      await vscode.commands.executeCommand('mcpWorkbench.saveResourceAs', target(uri));
    assert.match(proposed ?? '', /\/app\/abc$/);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(file)).toString(), 'an opaque URI');
    const saved = await vscode.workspace.fs.readDirectory(folder);
    assert.deepEqual(saved.map(([name]) => name).toSorted(), [
      'a.txt',
      'b.md',
      'c.png',
      'mine.txt',
    ]);
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('keep the place that the user looks at when they change', async () => {
    const lines = (last: string) => Array.from({ length: 500 }, (_, i) => `line ${i} ${last}`);
    state.writeNote('long', lines('before').join('\n'));
    const editor = await vscode.window.showTextDocument(resourceUriFor('demo://notes/long'));
    const top = () => editor.visibleRanges[0]?.start.line ?? 0;
    editor.revealRange(new vscode.Range(300, 0, 300, 0), vscode.TextEditorRevealType.AtTop);
    await until(vscode.window.onDidChangeTextEditorVisibleRanges, () => top() > 200);
    const before = top();
    await poll('the subscription', waitMs, () => {
      const requests = state.received as { method?: string; params?: { uri?: string } }[];
      const subscribed = requests.some(
        ({ method, params }) =>
          method === 'resources/subscribe' && params?.uri === 'demo://notes/long',
      );
      return Promise.resolve(subscribed || undefined);
    });
    state.writeNote('long', lines('after').join('\n'));
    await untilText(editor.document, lines('after').join('\n'));
    assert.equal(top(), before);
    state.deleteNote('long');
  });

  it('of a server that does not tell of changes are read again on request', async () => {
    await open('demo://clock', 'quiet');
    const document = await poll('the document', waitMs, () =>
      Promise.resolve(vscode.window.activeTextEditor?.document),
    );
    const now = `tick ${state.advanceClock()}`;
    assert.notEqual(document.getText(), now);
    await vscode.commands.executeCommand('mcpWorkbench.refreshResource', document.uri);
    await untilText(document, now);
  });

  it('reach the model under the server’s URI when a message refers to them', async () => {
    const raw = 'demo://Report/a%2Fb?path=%2Fx&Name=Ä#Part-1';
    const second = new vscode.Range(0, 4, 0, 8);
    const values = [
      resourceUriFor(raw, 'exact.txt'),
      new vscode.Location(resourceUriFor('demo://clock', 'clock'), second),
      resourceUriFor('demo://several', ''),
      resourceUriFor('demo://image', 'picture'),
      resourceUriFor('demo://nowhere', 'nowhere'),
    ];
    const references = values.map((value, i) => ({ id: String(i), value })).toReversed();
    const { parts, leftOut } = await referenceContent(references);
    const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : `<${part.kind}>`));
    const heard = texts.join('\n');
    const of = `of the server ${serverNamed(api, 'telling').id}`;
    assert.ok(heard.includes(`Attached: resource ${raw} ${of}`), heard);
    assert.match(heard, /the URI came back byte for byte/);
    assert.match(heard, /demo:\/\/clock of the server .*, lines 1 to 1/);
    assert.match(heard, /a\.txt\nb\.md\nc\.png/);
    assert.ok(texts.includes('<data>'), heard);
    assert.equal(leftOut.length, 1);
    assert.match(leftOut[0]?.(inEnglish) ?? '', /demo:\/\/nowhere/);
  });
});
