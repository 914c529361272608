import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../src/api';
import { encodeAuthority, encodeResourcePath } from '../../src/resources/resourcePath';

describe('resources', function () {
  this.timeout(60_000);
  let demo = '';

  before(async () => {
    const extension = vscode.extensions.getExtension<WorkbenchApi>('mcp-workbench.mcp-workbench');
    assert.ok(extension);
    const api = await extension.activate();
    await api.startServer('*');
    const server = api.servers.find(({ name }) => name === 'demo');
    assert.ok(server);
    assert.equal(server.state, 'running');
    demo = server.id;
  });

  const uriOf = (raw: string, name?: string) =>
    vscode.Uri.from({
      scheme: 'mcp-workbench',
      authority: encodeAuthority(demo),
      path: encodeResourcePath(raw, name),
    });

  const read = async (raw: string, name?: string) =>
    Buffer.from(await vscode.workspace.fs.readFile(uriOf(raw, name)));

  it('keep any URI through the editor’s own URIs', () => {
    const unit = fc.constantFrom('/', '~', '.', ':', '%', '2', 'F', 'C', '\\', '?', '#', '\uD83D');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit })), (raw) => {
        const uri = uriOf(raw, 'name.txt');
        const back = vscode.Uri.parse(uri.toString());
        assert.equal(back.path, uri.path);
        assert.equal(back.authority, uri.authority);
        assert.equal(vscode.Uri.parse(uri.toString(true)).path, uri.path);
        assert.equal(vscode.Uri.joinPath(uri, '.').path, uri.path);
      }),
      { numRuns: 300 },
    );
  });

  for (const [raw, text] of [
    ['note:abc', 'an opaque URI'],
    ['urn:isbn:9780131103627', 'a book'],
    ['demo://Report/a%2Fb?path=%2Fx&Name=Ä#Part-1', 'the URI came back byte for byte'],
    ['file:///example.txt', '资源内容'],
  ] as const)
    it(`read ${raw} under the server’s own URI`, async () =>
      assert.equal((await read(raw)).toString(), text));

  it('open as text with the language of their media type', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('docs://readme', 'readme.md'));
    assert.equal(document.languageId, 'markdown');
    assert.equal(vscode.workspace.fs.isWritableFileSystem('mcp-workbench'), false);
  });
});
