import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { UserAction } from '../../../src/ui/questions/question';
import type { WorkbenchApi } from '../../../src/api';
import { shownPath } from '../../../src/base/uri/fileAddress';
import { encodeAuthority, encodeResourcePath } from '../../../src/base/uri/resourcePath';
import {
  createDragController,
  registerDropIntoEditor,
} from '../../../src/resources/tree/dragAndDrop';
import { ResourceStore } from '../../../src/resources/documents/resourceStore';
import type { Logs } from '../../../src/ui/logs';
import type { TreeNode } from '../../../src/ui/tree';
import { listen as listenDemo } from '../../fixtures/demoServer/http';
import { parseOptions } from '../../fixtures/demoServer/options';
import { DemoState } from '../../fixtures/demoServer/state';
import { listen as listenModern } from '../../fixtures/modernServer/http';
import { clockUri, ModernState } from '../../fixtures/modernServer/state';
import {
  activateWorkbench,
  folderNamed,
  serverNamed,
  until,
  writer,
} from '../../support/host/hostApi';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { errorsDuring } from '../../support/host/toolsSteps';

const waitMs = 20_000;
const setting = 'mcpWorkbench.servers';
const { registerDocumentDropEditProvider } = vscode.languages;

/** Returns what the editor would insert when a URI list is dropped into a text. */
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
  const modern = new ModernState();
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const urls = {
      shared: await listenDemo(parseOptions(['--http', '0', '--page-size', '50']), demo),
      modern: await listenModern(0, false, modern),
    };
    const servers = Object.entries(urls).map(([name, url]) => [name, { type: 'http', url }]);
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace
      .getConfiguration()
      .update(setting, Object.fromEntries(servers) as unknown, Global);
    for (const name of ['shared', 'modern']) {
      await until(api.onDidChangeServers, () => api.servers.some((one) => one.name === name));
      assert.deepEqual(await api.startServer(serverNamed(api, name).id), [{ kind: 'running' }]);
    }
  });

  after(async () => {
    await vscode.workspace
      .getConfiguration()
      .update(setting, undefined, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'modern'));
  });

  afterEach(async () => {
    vscode.languages.registerDocumentDropEditProvider = registerDocumentDropEditProvider;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const target = (uri: string, server = 'shared') => ({
    serverId: serverNamed(api, server).id,
    uri,
  });
  const resourceUriFor = (raw: string, name?: string, server = 'shared') =>
    vscode.Uri.from({
      scheme: 'mcp-workbench',
      authority: encodeAuthority(serverNamed(api, server).id),
      path: encodeResourcePath(raw, name),
    });
  /** Takes a row of the question that comes up, and returns its title. */
  const answer = async (choice: string): Promise<string> => {
    const picks = watchPicks();
    try {
      const shown = await picks.next(/Open it anyway\?$/);
      shown.choose(choice);
      return shown.pick.title ?? '';
    } finally {
      picks.dispose();
    }
  };

  it('of many MB are read whole', async () => {
    const bytes = await vscode.workspace.fs.readFile(resourceUriFor('demo://bytes/8000000'));
    assert.equal(bytes.length, 8_000_000);
    assert.equal(Buffer.from(bytes.subarray(-4)).toString(), 'demo');
  });

  it('of more than 50 MB are read but not opened unless the user wants it', async () => {
    const asked = answer('Cancel');
    await vscode.commands.executeCommand(
      'mcpWorkbench.openResource',
      target('demo://bytes/50000004'),
    );
    assert.match(await asked, /50 MB/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
  });

  it('of text of more than 5 MB ask too, and open when the user wants it', async () => {
    const asked = answer('Continue');
    demo.writeNote('large', 'a line of text\n'.repeat(333_334));
    await until(api.onDidChangeServers, () =>
      serverNamed(api, 'shared').resources.some(({ uri }) => uri === 'demo://notes/large'),
    );
    await vscode.commands.executeCommand('mcpWorkbench.openResource', target('demo://notes/large'));
    await poll('the tab', waitMs, () =>
      Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab),
    );
    assert.match(await asked, /5 MB/);
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

  it('whose row is gone are not taken for the one in the active editor', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.openResource', target(clockUri, 'modern'));
    await vscode.env.clipboard.writeText('before');
    const told = await errorsDuring(() =>
      vscode.commands.executeCommand('mcpWorkbench.copyResourceUri', undefined, undefined),
    );
    assert.deepEqual(told, ['The list has changed meanwhile. Select the row again.']);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    await vscode.commands.executeCommand('mcpWorkbench.copyResourceUri');
    assert.equal(await vscode.env.clipboard.readText(), clockUri);
  });

  it('in a folder are copied as what their URIs begin with, and a root as its path', async () => {
    const copied = async (command: string, row: object) => {
      await vscode.commands.executeCommand(command, { parent: undefined, ...row });
      return vscode.env.clipboard.readText();
    };
    const prefix = 'demo://notes/';
    assert.equal(await copied('mcpWorkbench.copyResourceUri', { prefix }), prefix);
    const folder = folderNamed('app');
    const root = { uri: folder.toString() };
    assert.equal(await copied('mcpWorkbench.copyRootPath', { root, folder }), shownPath(folder));
    const uri = 'https://example.com/repo';
    assert.equal(await copied('mcpWorkbench.copyRootPath', { root: { uri } }), uri);
  });

  it('follow every change on a server of the stateless revision', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.openResource', target(clockUri, 'modern'));
    const document = await poll('the document', waitMs, () =>
      Promise.resolve(vscode.window.activeTextEditor?.document),
    );
    assert.equal(document.getText(), 'tick 0');
    for (const tick of [1, 2]) {
      modern.ticks = tick;
      await poll(`tick ${tick}`, waitMs, () => {
        // The stream of changes may not be open yet, so the change is announced repeatedly.
        modern.emit('updated', clockUri);
        return Promise.resolve(document.getText() === `tick ${tick}` || undefined);
      });
    }
  });

  describe('that are dragged', () => {
    const fake = new FakeServer({ id: 'one' });
    const servers = new FakeServers(fake);
    const controller = createDragController({
      servers: servers,
      questions: Object.assign(newQuestions(), {
        stillBy: (action: UserAction) => action,
        untilFree: (action: UserAction) => Promise.resolve(action),
        workedElsewhere: () => false,
      }),
      store: new ResourceStore(servers),
      writer,
      logs: { extension: { error: (text: string) => assert.fail(text) } } as unknown as Logs,
    });
    const { token } = new vscode.CancellationTokenSource();
    const drag = async (rows: readonly unknown[]) => {
      const transfer = new vscode.DataTransfer();
      await controller.handleDrag?.(rows as readonly TreeNode[], transfer, token);
      return transfer;
    };
    const listOf = async (transfer: vscode.DataTransfer) =>
      transfer.get('text/uri-list')?.asString();
    const row = (uri: string) => ({ parent: undefined, server: fake, resource: { uri, name: '' } });

    it('go along as documents, rows of other kinds left out', async () => {
      const rows = [row('note:abc'), { parent: undefined }, row('x://h/%2F.md')];
      const list = await listOf(await drag(rows));
      const paths = list?.split('\r\n').map((line) => vscode.Uri.parse(line).path);
      assert.deepEqual(paths, [
        encodeResourcePath('note:abc', 'abc'),
        encodeResourcePath('x://h/%2F.md', '_.md'),
      ]);
    });

    it('give nothing where no row is a resource', async () =>
      assert.equal(await listOf(await drag([{ parent: undefined }])), undefined));

    it('onto a row that is no folder are not even read', async () => {
      const item = () => new vscode.TreeItem('');
      const transfer = await drag([row('x://h/a.txt')]);
      await controller.handleDrop?.({ id: 'x', parent: undefined, item }, transfer, token);
      assert.deepEqual(fake.calls, []);
    });

    it('onto a folder are saved there and nowhere else, whatever they are called', async () => {
      const app = folderNamed('app');
      const folder = vscode.Uri.joinPath(app, 'dropped', 'here');
      const uris = [
        'x://h/a.txt',
        'x://h/..%2Fb.txt',
        'x://h/..',
        'x://h/%2e%2e',
        'x://h/%2e%2e%2f%2e%2e%2fc.txt',
        'x://h/..%5C..%5Cd.txt',
        'file:///../../etc/passwd',
        'file:///C:/Windows/system.ini',
        'file:///C:',
        'file:///nul%00byte.txt',
        'x://h/nul',
        'x://h/~',
      ];
      const item = () => new vscode.TreeItem('');
      const onto = { id: 'x', parent: undefined, item, folder };
      const before = await vscode.workspace.fs.readDirectory(app);
      await controller.handleDrop?.(onto, await drag(uris.map(row)), token);
      const saved = await vscode.workspace.fs.readDirectory(folder);
      assert.equal(saved.length, uris.length, JSON.stringify(saved));
      assert.ok(saved.every(([, type]) => type === vscode.FileType.File));
      assert.ok(saved.some(([name]) => name === 'a.txt'));
      assert.deepEqual(await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, '..')), [
        ['here', vscode.FileType.Directory],
      ]);
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '..'), { recursive: true });
      assert.deepEqual(await vscode.workspace.fs.readDirectory(app), before);
    });

    it('onto a folder with a link in it or hidden names are saved only where and as the user sees', async () => {
      const folder = vscode.Uri.joinPath(folderNamed('app'), 'dropped');
      const item = () => new vscode.TreeItem('');
      const onto = { id: 'x', parent: undefined, item, folder };
      const { showErrorMessage } = vscode.window;
      const told: string[] = [];
      const picks = watchPicks();
      const drop = async (name: string) =>
        controller.handleDrop?.(onto, await drag([row(`x://h/${name}`)]), token);
      await vscode.workspace.fs.createDirectory(folder);
      await symlink(join(folder.fsPath, '..', '..', 'elsewhere'), join(folder.fsPath, 'a.txt'));
      const names = async () =>
        (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).toSorted();
      try {
        vscode.window.showErrorMessage = (text: string) => {
          told.push(text);
          return Promise.resolve(undefined);
        };
        await drop('a.txt');
        assert.match(told[0] ?? '', /Nothing was saved: .*a\.txt is a link/);
        for (const [choice, expected] of [
          ['Cancel', ['a.txt']],
          ['Save', ['.env', 'a.txt']],
        ] as const) {
          const dropping = drop('.env');
          const shown = await picks.next(/^Save hidden files\?/);
          assert.deepEqual(shown.labels, ['.env', 'Cancel', 'Save']);
          shown.choose(choice);
          await dropping;
          assert.deepEqual(await names(), expected);
        }
      } finally {
        Object.assign(vscode.window, { showErrorMessage });
        picks.dispose();
        await vscode.workspace.fs.delete(folder, { recursive: true });
      }
    });

    it('onto a folder are saved with all of their documents', async () => {
      const folder = vscode.Uri.joinPath(folderNamed('app'), 'dropped');
      const uri = 'x://h/several';
      fake.answer = () =>
        Promise.resolve({
          contents: ['a.txt', 'b.txt'].map((name) => ({ uri: `${uri}/${name}`, text: name })),
        });
      const item = () => new vscode.TreeItem('');
      const onto = { id: 'x', parent: undefined, item, folder };
      // Only after it has been read is it known to have several contents.
      for (const round of ['unread', 'read']) {
        await controller.handleDrop?.(onto, await drag([row(uri)]), token);
        const saved = await vscode.workspace.fs.readDirectory(folder);
        assert.deepEqual(saved.map(([name]) => name).toSorted(), ['a.txt', 'b.txt'], round);
        await vscode.workspace.fs.delete(folder, { recursive: true });
      }
    });

    it('into a text insert the contents or the server’s own URI', async () => {
      const list = ['note:abc', 'urn:isbn:9780131103627'].map((raw) =>
        resourceUriFor(raw).toString(),
      );
      assert.deepEqual(await dropped(list.join('\r\n')), [
        'an opaque URI\na book',
        'note:abc\nurn:isbn:9780131103627',
      ]);
    });

    it('into a text insert a URI with what is hidden in it percent-encoded', async () =>
      assert.deepEqual(await dropped(resourceUriFor('demo://none/\u001B[1m\nb\u202E').toString()), [
        'demo://none/%1B[1m%0Ab%E2%80%AE',
      ]));

    it('into a text insert the URI alone where the contents are no text', async () =>
      assert.deepEqual(await dropped(resourceUriFor('demo://image').toString()), ['demo://image']));

    it('into a text leave files of the workspace to the editor', async () =>
      assert.equal(await dropped(folderNamed('app').toString()), undefined));
  });
});
