import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { setSetting } from '../../support/host/toolsSteps';

const { executeCommand } = vscode.commands;

const url = 'https://example.com/selected';
const insertAfter = 'Insert After the Selection';

describe('a result for a selection that comes while the user works on', function () {
  this.timeout(60_000);
  const { showInformationMessage } = vscode.window;
  const told: string[] = [];
  let picks: WatchedPicks;
  let texts = 0;

  before(async () => {
    await executeCommand('workbench.action.closeAllEditors');
    const api = await activateWorkbench();
    await api.startServer('demo');
    // Otherwise, a question would wait until no one is typing.
    await setSetting('questions.show', 'always');
  });
  after(() => setSetting('questions.show', undefined));
  beforeEach(() => {
    told.length = 0;
    picks = watchPicks();
  });
  afterEach(async () => {
    picks.dispose();
    Object.assign(vscode.window, { showInformationMessage });
    // The editor would ask whether to save an untitled text, and close it only during the next test.
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  /** Runs a tool that asks a question, with the selected address, edits the text in the meantime, and answers. */
  const run = async (choice: string | undefined, edit: () => Promise<void>) => {
    Object.assign(vscode.window, {
      showInformationMessage: (message: string, ...choices: unknown[]) => {
        told.push([message, ...choices].join('|'));
        return Promise.resolve(choice);
      },
    });
    // A new name each time: a reused one may still have what was typed into the text before.
    texts += 1;
    const untitled = vscode.Uri.from({ scheme: 'untitled', path: `selected-${texts}.txt` });
    const document = await vscode.workspace.openTextDocument(untitled);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((builder) => {
      builder.setEndOfLine(vscode.EndOfLine.LF);
      builder.insert(new vscode.Position(0, 0), `see ${url} there`);
    });
    editor.selection = new vscode.Selection(0, 4, 0, 4 + url.length);
    const ran = executeCommand('mcpWorkbench.runToolOnSelection');
    (await picks.next(/^Run MCP Tool$/)).choose('ask_url');
    (await picks.next(/: url$/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    const question = await picks.next(/^demo asks/);
    await question.settled();
    await vscode.window.showTextDocument(document);
    await edit();
    question.choose('Decline');
    await ran;
    return document;
  };
  const typeAbove = async () => {
    await executeCommand('cursorTop');
    await executeCommand('type', { text: 'above\n' });
  };

  it('is offered without taking the keyboard, and put where the text is by then', async () => {
    const document = await run(insertAfter, typeAbove);
    assert.match(told.join(), /ask_url has a result for the text that you selected\.\|Insert/);
    const [first, second, ...rest] = document.getText().split('\n');
    assert.deepEqual([first, second], ['above', `see ${url}`]);
    assert.match(rest.join('\n'), /"decline"[^]* there$/);
    assert.deepEqual(picks.open, []);
  });

  it('is shown beside the text where nothing is chosen', async () => {
    const document = await run(undefined, typeAbove);
    assert.equal(document.getText(), `above\nsee ${url} there`);
    assert.equal(vscode.window.activeTextEditor?.document, document);
    const result = await poll('the result', 10_000, () => {
      const { visibleTextEditors } = vscode.window;
      return Promise.resolve(
        visibleTextEditors.find((editor) => /"decline"/.test(editor.document.getText())),
      );
    });
    assert.notEqual(result.viewColumn, vscode.window.activeTextEditor?.viewColumn);
  });

  it('is in a document of its own where the text itself was changed, which is said', async () => {
    const document = await run(insertAfter, async () => {
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      editor.selection = new vscode.Selection(0, 8, 0, 8);
      await executeCommand('type', { text: 'x' });
    });
    assert.match(told.join(), /The selected text was changed, so the result of ask_url is in a/);
    assert.match(document.getText(), /^see httpxs:.* there$/);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /decline/);
  });
});
