import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { writer } from '../../support/host/hostApi';
import { deferred } from '../../../src/base/async';
import { DisposableStore } from '../../../src/base/disposable';
import { Emitter } from '../../../src/base/event';

/** A disk with one file, on which writing takes as long as the test wants. */
class SlowDisk implements vscode.FileSystemProvider {
  readonly begun = deferred<void>();
  readonly goOn = deferred<void>();
  readonly onDidChangeFile = new Emitter<vscode.FileChangeEvent[]>().event;
  /** The texts of the file, in the order in which they were written. */
  readonly texts = ['before'];

  stat(): vscode.FileStat {
    const mtime = this.texts.length;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: this.readFile().length };
  }

  readFile(): Uint8Array {
    return Buffer.from(this.texts.at(-1) ?? '');
  }

  async writeFile(_uri: vscode.Uri, content: Uint8Array): Promise<void> {
    this.begun.resolve();
    await this.goOn.promise;
    this.texts.push(Buffer.from(content).toString());
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
    const writing = writer.replaceText(file, (text) => `${text} and after`);
    await disk.begun.promise;
    const typing = new vscode.WorkspaceEdit();
    typing.insert(file, new vscode.Position(0, 0), 'typed, ');
    assert.ok(await vscode.workspace.applyEdit(typing));
    disk.goOn.resolve();
    await writing;
    // The editor may have saved by itself what was typed.
    assert.equal(disk.texts[1], 'before and after');
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), 'typed, before and after');
  });
});
