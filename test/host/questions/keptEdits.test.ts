import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

const { executeCommand } = vscode.commands;

const runTool = () => executeCommand('mcpWorkbench.runTool', { server: 'demo', tool: 'calculate' });

/** Waits for the document that asks for arguments. */
const askedDocument = () =>
  poll('the document of the arguments', 20_000, () => {
    const document = vscode.window.activeTextEditor?.document;
    const isAsked = document?.uri.scheme === 'mcp-workbench-input';
    return Promise.resolve(isAsked ? document : undefined);
  });

describe('what users write as the arguments of their own call', function () {
  this.timeout(60_000);
  let picks: WatchedPicks;

  beforeEach(async () => {
    const api = await activateWorkbench();
    await api.startServer('demo');
    picks = watchPicks();
  });
  afterEach(async () => {
    picks.dispose();
    await executeCommand('workbench.action.closeAllEditors');
  });

  /** Edits the document of the arguments, opened from the question about a call. */
  const writeArguments = async (text: string) => {
    (await picks.next(/: operation$/)).choose('add');
    await (await picks.next(/: x$/)).enter('2');
    await (await picks.next(/: y$/)).enter('3');
    (await picks.next(/^demo › /)).choose('Edit Arguments…');
    const document = await askedDocument();
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
  };

  /** Returns the initial text of the document for the tool's next call. */
  const nextText = async () => {
    const ran = runTool();
    (await picks.next(/: operation$/)).press('Edit All Values as JSON');
    const text = (await askedDocument()).getText();
    await executeCommand('workbench.action.closeActiveEditor');
    await ran;
    return text;
  };

  for (const [what, text, kept] of [
    ['a whole text', '{ "operation": "add", "x": 4711, "y": 3 }', /"x": 4711/],
    ['a text that is no object yet', '{ "operation": "add", "x": 815', /"x": 815$/],
  ] as const) {
    it(`is there with the next one when the server stops meanwhile: ${what}`, async () => {
      const ran = runTool();
      await writeArguments(text);
      await executeCommand('mcpWorkbench.stopServer', 'demo');
      await ran;
      await executeCommand('workbench.action.closeAllEditors');
      await executeCommand('mcpWorkbench.startServer', 'demo');
      assert.match(await nextText(), kept);
    });

    it(`is there when they went back to the form: ${what}`, async () => {
      const ran = runTool();
      await writeArguments(text);
      await executeCommand('workbench.action.closeActiveEditor');
      (await picks.next(/^demo › /)).escape();
      (await picks.next(/: \w+$/)).escape();
      await ran;
      assert.match(await nextText(), kept);
    });
  }
});
