import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { encodeAuthority, encodeResourcePath } from '../../../src/base/uri/resourcePath';
import { listen } from '../../fixtures/demoServer/http';
import { parseOptions } from '../../fixtures/demoServer/options';
import { DemoState } from '../../fixtures/demoServer/state';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';

const waitMs = 20_000;
const setting = 'mcpWorkbench.servers';

const untilText = (document: vscode.TextDocument, text: string) =>
  until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);

const activeInput = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

const untilTab = (accept: (input: unknown) => boolean) =>
  poll('the tab', waitMs, () => Promise.resolve(accept(activeInput()) || undefined));

/** Clears what the server received so far, after everything is closed. */
async function closeAll(state: DemoState): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const methods = () =>
    (state.received as { method?: string; params?: { uri?: string } }[]).filter(({ method }) =>
      method?.endsWith('subscribe'),
    );
  const open = () => {
    const uris = new Set<string | undefined>();
    for (const { method, params } of methods())
      if (method === 'resources/subscribe') uris.add(params?.uri);
      else uris.delete(params?.uri);
    return uris.size;
  };
  await poll('the end of all subscriptions', waitMs, () =>
    Promise.resolve(open() === 0 || undefined),
  );
  state.received.length = 0;
}

describe('resources', function () {
  this.timeout(60_000);
  const state = new DemoState();
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const options = parseOptions(['--http', '0', '--hostile', '--page-size', '50']);
    const url = await listen(options, state);
    await vscode.workspace
      .getConfiguration()
      .update(setting, { live: { type: 'http', url } }, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'live'));
    await api.startServer('live');
    assert.equal(serverNamed(api, 'live').state, 'running');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace
      .getConfiguration()
      .update(setting, undefined, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'live'));
  });

  afterEach(async () => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const resourceUriFor = (raw: string, name?: string, server = 'live') =>
    vscode.Uri.from({
      scheme: 'mcp-workbench',
      authority: encodeAuthority(serverNamed(api, server).id),
      path: encodeResourcePath(raw, name),
    });

  const read = async (raw: string, name?: string) =>
    Buffer.from(await vscode.workspace.fs.readFile(resourceUriFor(raw, name))).toString();

  const target = (uri: string) => ({ serverId: serverNamed(api, 'live').id, uri });

  /** Returns the URIs that the server was asked for with a method, in order. */
  const asked = (method: string) =>
    (state.received as { method?: string; params?: { uri?: string } }[])
      .filter((message) => message.method === method)
      .map(({ params }) => params?.uri);

  const untilAsked = (method: string, uri: string) =>
    poll(`${method} of ${uri}`, waitMs, () =>
      Promise.resolve(asked(method).includes(uri) || undefined),
    );

  describe('keep the server’s own URI', () => {
    it('through every form of the editor’s URIs', () => {
      const unit = fc.constantFrom(...'/~.:%2FCc\\?#u '.split(''), '\uD83D', '\u202E');
      const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ unit }));
      fc.assert(
        fc.property(any, (raw) => {
          const uri = resourceUriFor(raw, 'name.txt');
          for (const text of [uri.toString(), uri.toString(true)]) {
            const back = vscode.Uri.parse(text, true);
            assert.equal(back.path, uri.path);
            assert.equal(back.authority, uri.authority);
          }
          assert.equal(vscode.Uri.joinPath(uri, '.').path, uri.path);
          assert.equal(vscode.Uri.from(uri.toJSON()).path, uri.path);
        }),
        { numRuns: 300 },
      );
    });

    for (const [raw, text] of [
      ['note:abc', 'an opaque URI'],
      ['urn:isbn:9780131103627', 'a book'],
      ['demo://Report/a%2Fb?path=%2Fx&Name=Ä#Part-1', 'the URI came back byte for byte'],
      ['file:///example.txt', '资源内容'],
      ['file:///../../etc/passwd', 'read as file:///../../etc/passwd'],
      ['file:///%2e%2e/%2e%2e/secret.txt', 'read as file:///%2e%2e/%2e%2e/secret.txt'],
      ['file:///C:/Windows/system.ini', 'read as file:///C:/Windows/system.ini'],
      ['file:///nul%00byte.txt', 'read as file:///nul%00byte.txt'],
      ['demo://a/../../b', 'read as demo://a/../../b'],
    ] as const)
      it(`when ${raw} is read`, async () => {
        assert.equal(await read(raw), text);
        assert.ok(asked('resources/read').includes(raw));
      });

    for (const path of [
      '/../../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/file:∕∕/etc/passwd/~/../../../../etc/passwd',
      '/C:/Windows/system.ini',
      '/nul%00byte',
      '/~00',
      '/~/~/',
    ])
      it(`and lead nowhere else by a path like ${path}`, async () => {
        const { authority } = resourceUriFor('');
        const uri = vscode.Uri.parse(`mcp-workbench://${authority}${path}`);
        await assert.rejects(async () => vscode.workspace.fs.readFile(uri), /live/);
      });

    it('of one megabyte', async () => {
      const raw = `demo://long/${'x'.repeat(1_000_000)}`;
      assert.equal(await read(raw, 'long.txt'), 'long');
    });
  });

  describe('as files', () => {
    it('open with the language of their media type', async () => {
      const document = await vscode.workspace.openTextDocument(
        resourceUriFor('docs://readme', 'readme.md'),
      );
      assert.equal(document.languageId, 'markdown');
      const rust = resourceUriFor('file:///project/src/main.rs');
      assert.equal((await vscode.workspace.openTextDocument(rust)).languageId, 'rust');
    });

    it('cannot be changed', async () => {
      assert.equal(vscode.workspace.fs.isWritableFileSystem('mcp-workbench'), false);
      const uri = resourceUriFor('note:abc');
      await assert.rejects(async () => vscode.workspace.fs.writeFile(uri, new Uint8Array()));
      await assert.rejects(async () => vscode.workspace.fs.delete(uri));
    });

    it('tell their size without being read when the list has it', async () => {
      const { size } = await vscode.workspace.fs.stat(resourceUriFor('resource://example'));
      assert.equal(size, Buffer.byteLength('资源内容'));
      assert.ok(!asked('resources/read').includes('resource://example'));
    });

    it('are read once for several readers at a time', async () => {
      const uri = resourceUriFor('logs://recent?timeframe=1h');
      await Promise.all([1, 2, 3, 4].map(() => vscode.workspace.fs.readFile(uri)));
      const reads = asked('resources/read').filter((one) => one === 'logs://recent?timeframe=1h');
      assert.equal(reads.length, 1);
    });

    it('are a folder where one resource has several documents', async () => {
      const folder = resourceUriFor('demo://several', '');
      const entries = await vscode.workspace.fs.readDirectory(folder);
      assert.deepEqual(
        entries.map(([name]) => name),
        ['a.txt', 'b.md', 'c.png'],
      );
      const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'b.md'));
      assert.equal(Buffer.from(text).toString(), '# second content');
      // The chat reads it under this name.
      const picture = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'c (png)'));
      assert.equal(Buffer.from(picture.subarray(1, 4)).toString(), 'PNG');
    });

    for (const [what, raw, pattern] of [
      ['that do not exist', 'demo://missing', /live.*demo:\/\/missing/s],
      ['whose blob is not base64', 'demo://bad-base64', /demo:\/\/bad-base64.*base64/],
      ['that fail', 'demo://broken', /live/],
    ] as const)
      it(`${what} say so in one sentence`, () => assert.rejects(() => read(raw), pattern));

    it('that are text and claim to be an image open as text', async () => {
      await vscode.commands.executeCommand(
        'mcpWorkbench.openResource',
        target('demo://lying-mime'),
      );
      await untilTab((input) => input instanceof vscode.TabInputText);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'this is no image');
    });

    it('that are not UTF-8 open all the same', async () => {
      await vscode.commands.executeCommand('mcpWorkbench.openResource', target('demo://not-utf8'));
      await untilTab((input) => input instanceof vscode.TabInputText);
    });

    it('never lead to a file of this machine', async () => {
      const local = vscode.Uri.joinPath(
        vscode.workspace.workspaceFolders?.[0]?.uri ?? resourceUriFor('x'),
      );
      const raw = `${local.toString()}/README.md`;
      await assert.rejects(() => read(raw), /live/);
      assert.ok(asked('resources/read').includes(raw));
    });

    it('that an earlier session left in a tab say there why they cannot be read', async () => {
      const uri = resourceUriFor('note:abc', 'abc').with({ authority: 'gone' });
      await vscode.commands.executeCommand('vscode.open', uri);
      const isOfUri = (input: unknown) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
      await untilTab(isOfUri);
      // The tab is there before its editor is the active one.
      const document = await vscode.workspace.openTextDocument(uri);
      assert.equal(document.getText(), 'The server "gone" no longer exists.\n');
    });

    it('of a server that is gone say which', () =>
      assert.rejects(
        async () => vscode.workspace.fs.readFile(vscode.Uri.parse('mcp-workbench://gone/x:y')),
        /gone/,
      ));
  });

  describe('that are open', () => {
    beforeEach(() => closeAll(state));

    it('are subscribed, follow every change, show what changed, and are unsubscribed', async () => {
      const clock = target('demo://clock');
      await vscode.commands.executeCommand('mcpWorkbench.openResource', clock);
      await untilTab((input) => input instanceof vscode.TabInputText);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      const before = document.getText();
      await untilAsked('resources/subscribe', 'demo://clock');
      const now = `tick ${state.advanceClock()}`;
      await untilText(document, now);

      await vscode.commands.executeCommand('mcpWorkbench.showResourceChanges', document.uri);
      await untilTab((input) => input instanceof vscode.TabInputTextDiff);
      const diff = activeInput();
      assert.ok(diff instanceof vscode.TabInputTextDiff);
      const left = await vscode.workspace.openTextDocument(diff.original);
      const right = await vscode.workspace.openTextDocument(diff.modified);
      assert.deepEqual([left.getText(), right.getText()], [before, now]);

      assert.deepEqual(asked('resources/unsubscribe'), []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await untilAsked('resources/unsubscribe', 'demo://clock');
    });

    it('follow every change under a name from before they were read', async () => {
      const document = await vscode.workspace.openTextDocument(
        resourceUriFor('demo://clock', 'before.md'),
      );
      await vscode.window.showTextDocument(document);
      await untilAsked('resources/subscribe', 'demo://clock');
      await untilText(document, `tick ${state.advanceClock()}`);
    });

    it('stay subscribed behind another tab and while they are pinned', async () => {
      const text = target('demo://text');
      await vscode.commands.executeCommand('mcpWorkbench.pinResource', text);
      await untilAsked('resources/subscribe', 'demo://text');
      await vscode.commands.executeCommand('mcpWorkbench.openResource', text);
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      await vscode.commands.executeCommand('mcpWorkbench.openResource', target('note:abc'));
      await untilAsked('resources/subscribe', 'note:abc');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await untilAsked('resources/unsubscribe', 'note:abc');
      assert.deepEqual(asked('resources/unsubscribe'), ['note:abc']);
      await vscode.commands.executeCommand('mcpWorkbench.unpinResource', text);
      await untilAsked('resources/unsubscribe', 'demo://text');
    });

    it('are compared with the file in the active editor', async () => {
      const file = vscode.Uri.joinPath(
        vscode.workspace.workspaceFolders?.[0]?.uri ?? resourceUriFor(''),
        'README.md',
      );
      await vscode.window.showTextDocument(file);
      await vscode.commands.executeCommand('mcpWorkbench.compareResource', target('docs://readme'));
      await untilTab(
        (input) =>
          input instanceof vscode.TabInputTextDiff &&
          input.modified.toString() === file.toString() &&
          input.original.path.endsWith('readme.md'),
      );
    });

    it('are named by their files where two of them are compared', async () => {
      state.writeNote('other', 'other');
      const active = resourceUriFor('demo://notes/other', 'other.txt');
      await vscode.window.showTextDocument(active);
      await vscode.commands.executeCommand('mcpWorkbench.compareResource', target('docs://readme'));
      await untilTab((input) => input instanceof vscode.TabInputTextDiff);
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.equal(tab?.label, 'readme.md ↔ other.txt');
    });

    it('have links where their text names other resources', async () => {
      state.writeNote('links', 'See docs://readme, (note:abc) and https://example.com.');
      await until(api.onDidChangeServers, () =>
        serverNamed(api, 'live').resources.some(({ uri }) => uri === 'demo://notes/links'),
      );
      const uri = resourceUriFor('demo://notes/links');
      const document = await vscode.workspace.openTextDocument(uri);
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        uri,
      );
      const ours = links.filter(({ target: to }) => to?.scheme === 'mcp-workbench');
      assert.deepEqual(
        ours.map(({ range, target: to }) => [document.getText(range), to?.path]),
        [
          ['docs://readme', encodeResourcePath('docs://readme', 'readme.md')],
          ['note:abc', encodeResourcePath('note:abc', 'abc')],
        ],
      );
      state.deleteNote('links');
    });

    it('show neither remote images nor HTML in the Markdown preview', async () => {
      const text =
        '![x](https://example.invalid/leak.png) <img src="https://example.invalid/2.png">';
      state.writeNote('evil.md', text);
      const document = await vscode.workspace.openTextDocument(
        resourceUriFor('demo://notes/evil.md'),
      );
      const html = await vscode.commands.executeCommand<string>('markdown.api.render', document);
      assert.doesNotMatch(html, /<img/);
      assert.match(html, /example\.invalid\/leak\.png/);
      state.deleteNote('evil.md');
    });
  });

  describe('on the clipboard', () => {
    it('are the URI as the server wrote it', async () => {
      const raw = 'demo://Report/a%2Fb?path=%2Fx&Name=Ä#Part-1';
      await vscode.commands.executeCommand('mcpWorkbench.copyResourceUri', target(raw));
      assert.equal(await vscode.env.clipboard.readText(), raw);
    });

    it('are the text, taken from the active editor when nothing is named', async () => {
      await vscode.commands.executeCommand('mcpWorkbench.openResource', target('note:abc'));
      await untilTab((input) => input instanceof vscode.TabInputText);
      await vscode.commands.executeCommand('mcpWorkbench.copyResourceContents');
      assert.equal(await vscode.env.clipboard.readText(), 'an opaque URI');
    });
  });

  it('come and go with the server’s list', async () => {
    const has = () =>
      serverNamed(api, 'live').resources.some(({ uri }) => uri === 'demo://notes/new');
    state.writeNote('new', 'x');
    await until(api.onDidChangeServers, has);
    state.deleteNote('new');
    await until(api.onDidChangeServers, () => !has());
  });

  it('of the reference server are read over stdio', async () => {
    await api.startServer('everything');
    const { resources } = serverNamed(api, 'everything');
    const [first] = resources.filter(({ uri }) => uri.endsWith('.md'));
    assert.ok(first);
    const uri = resourceUriFor(first.uri, undefined, 'everything');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.ok(document.getText().length > 0);
    assert.equal(document.languageId, 'markdown');
  });
});
