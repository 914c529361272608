import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { besideWork } from '../../../src/ui/keyboard';
import { AppWebview } from '../../../src/ui/ids';
import { folderNamed } from '../../support/host/hostApi';
import { poll } from '../../support/poll';

const { executeCommand } = vscode.commands;
const { Active, Beside } = vscode.ViewColumn;

describe('a document that leaves the keyboard alone', () => {
  const picture = vscode.Uri.joinPath(folderNamed('app'), 'besideWork.png');
  const text = vscode.Uri.joinPath(folderNamed('app'), 'besideWork.md');
  before(async () => {
    for (const uri of [picture, text]) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
  });
  afterEach(() => executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    for (const uri of [picture, text]) await vscode.workspace.fs.delete(uri);
  });

  const open = (uri: vscode.Uri) => executeCommand('vscode.open', uri);
  const page = (viewType: string) => () =>
    Promise.resolve(vscode.window.createWebviewPanel(viewType, 'Page', Active));
  for (const [what, show, expected] of [
    ['in the group of a picture, which nobody types in', () => open(picture), Active],
    [
      'in the group of rendered Markdown',
      () => executeCommand('markdown.showPreview', text),
      Active,
    ],
    ['beside a text', async () => open((await vscode.workspace.openTextDocument()).uri), Beside],
    ['beside an app, which may have a form', page(AppWebview), Beside],
    ['beside a page of another extension', page('other.page'), Beside],
    ['beside one whose name only holds that of a preview', page('markdown.preview.form'), Beside],
  ] as const)
    it(`comes up ${what}`, async () => {
      await show();
      await poll('the editor', 20_000, () =>
        Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab),
      );
      assert.deepEqual(await besideWork(), { viewColumn: expected, preserveFocus: true });
    });
});
