import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../src/api';
import { encodeAuthority, encodeResourcePath } from '../../src/base/resourcePath';
import { registerDropIntoEditor } from '../../src/resources/dragAndDrop';
import { listen as listenDemo } from '../fixtures/demoServer/http';
import { parseOptions } from '../fixtures/demoServer/options';
import { DemoState } from '../fixtures/demoServer/state';
import { activateWorkbench, folderNamed, serverNamed, until } from '../support/hostApi';
import { poll } from '../support/poll';

const waitMs = 20_000;
const setting = 'mcpWorkbench.servers';
const { showWarningMessage } = vscode.window;
const { registerDocumentDropEditProvider } = vscode.languages;

/** What the editor is given to insert for a URI list that is dropped into a text. */
async function dropped(list: string): Promise<string[] | undefined> {
  const document = await vscode.workspace.openTextDocument({ content: '' });
  const position = new vscode.Position(0, 0);
  const transfer = new vscode.DataTransfer();
  transfer.set('text/uri-list', new vscode.DataTransferItem(list));
  const { token } = new vscode.CancellationTokenSource();
  let edits: vscode.ProviderResult<vscode.DocumentDropEdit | vscode.DocumentDropEdit[]>;
  vscode.languages.registerDocumentDropEditProvider = (_selector, provider) => {
    edits = provider.provideDocumentDropEdits(document, position, transfer, token);
    return new vscode.Disposable(() => {});
  };
  registerDropIntoEditor();
  const all = await edits;
  const snippets = all && (Array.isArray(all) ? all : [all]).map(({ insertText }) => insertText);
  return snippets?.map((text) => (typeof text === 'string' ? text : text.value));
}

describe('resources in use', function () {
  this.timeout(60_000);
  const demo = new DemoState();
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const urls = {
      shared: await listenDemo(parseOptions(['--http', '0', '--page-size', '50']), demo),
    };
    const servers = Object.entries(urls).map(([name, url]) => [name, { type: 'http', url }]);
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace
      .getConfiguration()
      .update(setting, Object.fromEntries(servers) as unknown, Global);
    for (const name of Object.keys(urls)) {
      await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
      assert.deepEqual(await api.startServer(serverNamed(api, name).id), [{ kind: 'running' }]);
    }
  });

  after(async () => {
    await vscode.workspace
      .getConfiguration()
      .update(setting, undefined, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'shared'));
  });

  afterEach(async () => {
    vscode.window.showWarningMessage = showWarningMessage;
    vscode.languages.registerDocumentDropEditProvider = registerDocumentDropEditProvider;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const target = (uri: string, server = 'shared') => ({
    serverId: serverNamed(api, server).id,
    uri,
  });
  const uriOf = (raw: string, name?: string, server = 'shared') =>
    vscode.Uri.from({
      scheme: 'mcp-workbench',
      authority: encodeAuthority(serverNamed(api, server).id),
      path: encodeResourcePath(raw, name),
    });
  const answer = (choice: string | undefined) => {
    const asked: string[] = [];
    vscode.window.showWarningMessage = (message: string) => {
      asked.push(message);
      return Promise.resolve(choice as never);
    };
    return asked;
  };

  it('of 50 MB are read whole', async () => {
    const bytes = await vscode.workspace.fs.readFile(uriOf('demo://bytes/50000000'));
    assert.equal(bytes.length, 50_000_000);
    assert.equal(Buffer.from(bytes.subarray(-4)).toString(), 'demo');
  });

  it('of more than 50 MB are read but not opened unless the person wants it', async () => {
    const asked = answer(undefined);
    await vscode.commands.executeCommand(
      'mcpWorkbench.openResource',
      target('demo://bytes/50000004'),
    );
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /50 MB/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
  });

  it('of text of more than 5 MB ask too, and open when the person wants it', async () => {
    const asked = answer('Continue');
    demo.writeNote('large', 'a line of text\n'.repeat(333_334));
    await until(api.onDidChangeServers, () =>
      serverNamed(api, 'shared').resources.some(({ uri }) => uri === 'demo://notes/large'),
    );
    await vscode.commands.executeCommand('mcpWorkbench.openResource', target('demo://notes/large'));
    await poll('the tab', waitMs, () =>
      Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab),
    );
    assert.equal(asked.length, 1);
    demo.deleteNote('large');
  });

  it('that are selected together are copied together', async () => {
    const row = (uri: string) => ({ server: { id: 'x' }, resource: { uri, name: 'x' } });
    const rows = ['demo://a', 'demo://b'].map(row);
    await vscode.commands.executeCommand('mcpWorkbench.copyResourceUri', rows[0], [
      ...rows,
      { item: 'a row of another kind' },
    ]);
    assert.equal(await vscode.env.clipboard.readText(), 'demo://a\ndemo://b');
  });

  describe('that are dropped', () => {
    it('into a text insert the contents or the server’s own URI', async () => {
      const list = ['note:abc', 'urn:isbn:9780131103627'].map((raw) => uriOf(raw).toString());
      assert.deepEqual(await dropped(list.join('\r\n')), [
        'an opaque URI\na book',
        'note:abc\nurn:isbn:9780131103627',
      ]);
    });

    it('into a text insert the URI alone where the contents are no text', async () =>
      assert.deepEqual(await dropped(uriOf('demo://image').toString()), ['demo://image']));

    it('into a text leave files of the workspace to the editor', async () =>
      assert.equal(await dropped(folderNamed('app').toString()), undefined));
  });
});
