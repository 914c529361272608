import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { besideWork } from '../../../src/ui/keyboard';
import { folderNamed } from '../../support/host/hostApi';
import { poll } from '../../support/poll';

const { executeCommand } = vscode.commands;
const { Active, Beside } = vscode.ViewColumn;

describe('a document that leaves the keyboard alone', () => {
  const picture = vscode.Uri.joinPath(folderNamed('app'), 'besideWork.png');
  before(() => vscode.workspace.fs.writeFile(picture, new Uint8Array()));
  afterEach(() => executeCommand('workbench.action.closeAllEditors'));
  after(() => vscode.workspace.fs.delete(picture));

  for (const [what, show, expected] of [
    ['in the group of a picture, which nobody types in', () => picture, Active],
    ['beside a text', async () => (await vscode.workspace.openTextDocument()).uri, Beside],
  ] as const)
    it(`comes up ${what}`, async () => {
      await executeCommand('vscode.open', await show());
      await poll('the editor', 20_000, () =>
        Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab),
      );
      assert.deepEqual(await besideWork(), { viewColumn: expected, preserveFocus: true });
    });
});
