import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { activateWorkbench } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import {
  acceptUntil,
  countQuestions,
  invoke,
  isOpen,
  latestResults,
  requests,
  sayToMcp,
  setDefaultChoice,
  setSetting,
  textOf,
} from '../../support/host/toolsSteps';

const settings = ['tools.denyList', 'tools.logArguments'];

/** Selects the row with this label in the editor's next list, in place of the user. */
function pickLabel(wanted: string): void {
  const pick = (items: readonly vscode.QuickPickItem[]) => {
    const found = items.find(({ label }) => label === wanted);
    assert.ok(found, wanted);
    return Promise.resolve(found);
  };
  vscode.window.showQuickPick = pick as unknown as typeof vscode.window.showQuickPick;
}

/** Waits until the model has received this, accepting questions; returns everything that it received. */
function told(pattern: RegExp): Promise<string> {
  return poll(`the model to be told ${pattern.source}`, 30_000, async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    const text = await latestResults();
    return pattern.test(text) ? text : undefined;
  });
}

describe('tools’ runs', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;
  const { showQuickPick, showSaveDialog } = vscode.window;
  const { Workspace } = vscode.ConfigurationTarget;
  const chat = vscode.workspace.getConfiguration('mcpWorkbench.chat');

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('*');
    countQuestions(true);
  });
  after(() => countQuestions(false));
  beforeEach(async () => {
    await setDefaultChoice('allow');
    await vscode.commands.executeCommand('demoModel.clear');
  });
  afterEach(async () => {
    vscode.window.showQuickPick = showQuickPick;
    vscode.window.showSaveDialog = showSaveDialog;
    await setDefaultChoice(undefined);
    for (const setting of settings) await setSetting(setting, undefined);
    await chat.update('maxTools', undefined, Workspace);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('begin with a search where there are many tools, and go on with what it finds', async () => {
    await chat.update('maxTools', 5, Workspace);
    await sayToMcp(
      'call findTools {"query":"calculate","limit":2} then call calculate {"operation":"add","x":1,"y":2}',
    );
    assert.match(await told(/3\.00/), /demo › calculate/);
    const offers = (await requests()).map(({ tools }) => tools.map(({ name }) => name));
    assert.deepEqual(offers[0], ['findTools', 'readResource']);
    assert.ok(offers[1]?.includes('demo__calculate') && offers[1].length <= 4);
  });

  it('stay in the conversation with their results', async () => {
    await sayToMcp('call echo {"remember":"me"}');
    await told(/remember/);
    const { length } = await requests();
    await sayToMcp('hello again');
    const latest = await poll('the next question', 30_000, async () => (await requests())[length]);
    const parts = latest.messages.flatMap((message) => message.parts);
    const call = parts.findLast((part) => part.type === 'toolCall');
    assert.ok(call?.type === 'toolCall' && call.name === 'demo__echo');
    const result = parts.find((part) => part.type === 'toolResult' && part.callId === call.callId);
    assert.match(JSON.stringify(result), /remember/);
  });

  it('are refused by a rule without a question, and the model is told', async () => {
    await setSetting('tools.denyList', ['demo/ec*']);
    const input = { name: 'demo__echo', arguments: {} };
    assert.match(textOf(await invoke('callTool', input)), /denied by a rule/);
  });

  it('are refused by the settings of any folder of the workspace', async () => {
    const folder = vscode.workspace.workspaceFolders?.at(-1);
    assert.ok(folder);
    const own = vscode.workspace.getConfiguration('mcpWorkbench.tools', folder.uri);
    const { WorkspaceFolder } = vscode.ConfigurationTarget;
    await own.update('denyList', ['*/echo'], WorkspaceFolder);
    try {
      const input = { name: 'demo__echo', arguments: {} };
      assert.match(textOf(await invoke('callTool', input)), /denied by a rule/);
    } finally {
      await own.update('denyList', undefined, WorkspaceFolder);
    }
  });

  it('are errors to the model where the server dies in the middle', async () => {
    const input = { name: 'demo__crash', arguments: {} };
    assert.match(textOf(await acceptUntil(invoke('callTool', input))), /The call failed: .*demo/);
    await api.startServer('demo');
  });

  it('are edited with the schema behind the arguments', async () => {
    await setDefaultChoice('edit');
    const input = { name: 'demo__calculate', arguments: { operation: 'add', x: 2, y: 3 } };
    const result = invoke('callTool', input);
    const document = await poll('the document of the arguments', 30_000, async () => {
      const open = vscode.window.activeTextEditor?.document;
      if (open?.uri.scheme === 'mcp-workbench-input') return open;
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return undefined;
    });
    const at = document.getText().indexOf('"add"');
    const value = new vscode.Range(document.positionAt(at), document.positionAt(at + 5));
    const list = await poll('completion by the schema', 30_000, async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        value.start.translate(0, 1),
      );
      return found.items.length > 0 ? found : undefined;
    });
    assert.ok(list.items.some(({ label }) => label === '"multiply"'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, value, '"raise"');
    await vscode.workspace.applyEdit(edit);
    const problems = await poll('a squiggle', 30_000, () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return Promise.resolve(found.length > 0 ? found : undefined);
    });
    // The document's own reference to the schema does not count as an extra argument.
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /multiply/);
    // The file that *Show Changes* compares with only differs in what was edited.
    const proposed = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(document.uri, '..', 'proposed.json'),
    );
    const before = proposed.getText().split('\n');
    const changed = document.getText().split('\n');
    assert.deepEqual(
      changed.filter((line, row) => line !== before[row]),
      ['  "operation": "raise",'],
    );
    const answer = 'mcpWorkbench.answerDocument';
    await vscode.commands.executeCommand(answer, document.uri, 'deny');
    assert.match(textOf(await result), /denied by the user/);
  });

  const placements: readonly [label: string, after: string][] = [
    ['Insert After the Selection', 'one two\nEcho: two three'],
    ['Replace the Selection', 'one Echo: two three'],
    ['Show in a Document', 'one two three'],
  ];
  for (const [label, expected] of placements)
    it(`on a selection put the result where the user says: ${label}`, async () => {
      pickLabel(label);
      const document = await vscode.workspace.openTextDocument({ content: 'one two three' });
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.LF));
      editor.selection = new vscode.Selection(0, 4, 0, 7);
      const picks = watchPicks();
      try {
        const run = vscode.commands.executeCommand('mcpWorkbench.runToolOnSelection');
        (await picks.next(/^Run MCP Tool$/)).choose('Echo Tool');
        await acceptUntil(run);
      } finally {
        picks.dispose();
      }
      assert.equal(document.getText(), expected);
      if (label === 'Show in a Document')
        await poll('the document', 10_000, () => Promise.resolve(isOpen('echo')));
    });

  it('on a selection are offered where a text is selected', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one two three' });
    const actions = (range: vscode.Range) =>
      vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
    const title = 'Run MCP Tool on Selection…';
    const selected = await actions(new vscode.Range(0, 4, 0, 7));
    assert.ok(selected.some((action) => action.title === title));
    const nothing = await actions(new vscode.Range(0, 4, 0, 4));
    assert.ok(!nothing.some((action) => action.title === title));
  });

  for (const kept of ['redacted', 'hashes'] as const)
    it(`are in the exported log, before and after, their arguments ${kept}`, async () => {
      await setSetting('tools.logArguments', kept);
      const args = { note: `kept as ${kept}`, api_key: 'hunter2' };
      await acceptUntil(invoke('callTool', { name: 'demo__echo', arguments: args }));
      const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-log-'));
      try {
        const file = join(folder, 'log.jsonl');
        vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(file));
        await vscode.commands.executeCommand('mcpWorkbench.exportToolLog');
        const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
        const records = lines.map((line) => JSON.parse(line) as AuditRecord);
        const [begun, ended] = records.slice(-2);
        assert.ok(begun?.kind === 'callBegun' && ended?.kind === 'callEnded');
        assert.equal(ended.id, begun.id);
        assert.deepEqual([begun.tool, begun.decidedBy.kind], ['echo', 'user']);
        assert.equal(ended.outcome, 'result');
        assert.ok(begun.argumentBytes > 20 && (ended.resultBytes ?? 0) > 20);
        if (kept === 'redacted')
          assert.deepEqual(begun.arguments, { value: { ...args, api_key: '‹redacted›' } });
        else assert.deepEqual(Object.keys(begun.arguments), ['fingerprint']);
        assert.ok(!lines.at(-2)?.includes('hunter2'));
      } finally {
        await rm(folder, { recursive: true });
      }
    });
});
