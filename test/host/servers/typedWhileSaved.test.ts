import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { DisposableStore } from '../../../src/base/disposable';
import { Emitter } from '../../../src/base/event';
import { replaceText } from '../../../src/ui/documents/replaceText';

/** A disk with one file, on which writing takes as long as the test wants. */
class SlowDisk implements vscode.FileSystemProvider {
  readonly begun = deferred<void>();
  readonly goOn = deferred<void>();
  readonly onDidChangeFile = new Emitter<vscode.FileChangeEvent[]>().event;
  text = 'before';
  private mtime = 1;

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: this.mtime, size: this.text.length };
  }

  readFile(): Uint8Array {
    return Buffer.from(this.text);
  }

  async writeFile(_uri: vscode.Uri, content: Uint8Array): Promise<void> {
    this.begun.resolve();
    await this.goOn.promise;
    this.text = Buffer.from(content).toString();
    this.mtime += 1;
  }

  watch = () => ({ dispose: () => {} });
  readDirectory = () => [];
  createDirectory = () => {};
  delete = () => {};
  rename = () => {};
}

describe('a file in which somebody types while it is saved', () => {
  const store = new DisposableStore();
  const disk = new SlowDisk();
  const file = vscode.Uri.parse('slow-disk:/mcp.json');

  before(() => store.add(vscode.workspace.registerFileSystemProvider('slow-disk', disk)));
  after(async () => {
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    store.dispose();
  });

  it('counts as written, and keeps what was typed', async () => {
    const writing = replaceText(file, (text) => `${text} and after`);
    await disk.begun.promise;
    const typing = new vscode.WorkspaceEdit();
    typing.insert(file, new vscode.Position(0, 0), 'typed, ');
    assert.ok(await vscode.workspace.applyEdit(typing));
    disk.goOn.resolve();
    await writing;
    assert.equal(disk.text, 'before and after');
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), 'typed, before and after');
  });
});
