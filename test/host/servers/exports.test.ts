import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { maxConfigBytes } from '../../../src/config/places/folderFiles';
import { activateWorkbench, folderNamed, textOnDisk } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

const kept = '{\n  // mine\n  "mcpServers": { "demo": { "command": "other" } }\n}\n';

describe('an export into a file that has a server of that name', function () {
  this.timeout(60_000);
  const { showErrorMessage, showInformationMessage } = vscode.window;
  const told: string[] = [];
  let file: vscode.Uri;
  let picks: WatchedPicks;

  const write = (text: string) =>
    vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const read = () => textOnDisk(file);

  before(async () => {
    await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.cursor/mcp.json');
  });

  beforeEach(async () => {
    await write(kept);
    told.length = 0;
    picks = watchPicks();
    const tell = (message: string) => {
      told.push(message);
      return Promise.resolve();
    };
    Object.assign(vscode.window, { showErrorMessage: tell, showInformationMessage: tell });
  });

  afterEach(() => {
    picks.dispose();
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage });
  });

  after(() => vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true }));

  /** Goes to the question that offers to write, which only does so after the changes were viewed. */
  const untilSeen = async (choice: string) => {
    const done = vscode.commands.executeCommand('mcpWorkbench.exportServers');
    (await picks.next(/^Export Servers$/)).choose('demo');
    (await picks.next(/^Export Servers$/)).choose('Cursor');
    (await picks.next(/^Cursor already has a server "demo"$/)).choose(choice);
    const first = await picks.next(/^Export to Cursor$/);
    assert.ok(!first.labels.includes('Write to mcp.json'));
    first.choose('Show Changes…');
    const isShown = () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff &&
      vscode.window.activeTextEditor?.document.getText().includes('demoServer');
    await poll('the difference', 20_000, () => Promise.resolve(isShown() || undefined));
    assert.equal(await read(), kept);
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    return { question: await picks.next(/^Export to Cursor$/), done };
  };

  for (const [choice, commands] of [
    ['Keep Both', { demo: 'other', 'demo-2': 'node' }],
    ['Replace', { demo: 'node' }],
  ] as const)
    it(`asks which to keep, and shows the change before it writes: ${choice}`, async () => {
      const { question, done } = await untilSeen(choice);
      question.choose('Write to mcp.json');
      await done;
      const text = await read();
      assert.match(text, /\/\/ mine/);
      const { mcpServers } = JSON.parse(text.replace('// mine', '')) as {
        mcpServers: Record<string, { command: string }>;
      };
      const found = Object.entries(mcpServers).map(([name, { command }]) => [name, command]);
      assert.deepEqual(Object.fromEntries(found), commands);
      assert.match(told.join(), /^Exported to Cursor: demo/);
    });

  it('tells of a file that cannot be read only where that one is chosen', async () => {
    const folder = vscode.Uri.joinPath(folderNamed('docs'), '.gemini');
    const large = vscode.Uri.joinPath(folder, 'settings.json');
    await vscode.workspace.fs.writeFile(large, new Uint8Array(maxConfigBytes + 1).fill(32));
    try {
      const done = vscode.commands.executeCommand('mcpWorkbench.exportServers');
      (await picks.next(/^Export Servers$/)).choose('demo');
      const targets = await picks.next(/^Export Servers$/);
      assert.ok(targets.labels.includes('Cursor'));
      const details = targets.pick.items.flatMap(({ detail }) => detail ?? []);
      assert.match(details.join('\n'), /^.*settings\.json cannot be read: .*is larger than/);
      targets.choose('Gemini CLI');
      await done;
      assert.match(told.join(), /settings\.json cannot be read: .*is larger than/);
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('for the team goes into the repository’s own file, shown before it is written', async () => {
    const shared = vscode.Uri.joinPath(folderNamed('docs'), '.mcp.json');
    const before = await textOnDisk(shared).catch(() => undefined);
    const done = vscode.commands.executeCommand('mcpWorkbench.exportForTeam');
    (await picks.next(/^Export for the Team$/)).choose('docs');
    (await picks.next(/^Export for the Team$/)).choose('demo');
    const first = await picks.next(/^Export for the Team$/);
    first.choose('Show Changes…');
    const shown = () =>
      Promise.resolve(
        vscode.window.activeTextEditor?.document.getText().includes('demoServer') || undefined,
      );
    await poll('the difference', 20_000, shown);
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    (await picks.next(/^Export for the Team$/)).choose('Write to .mcp.json');
    await done;
    try {
      assert.match(await textOnDisk(shared), /"mcpServers"[^]*"demo"/);
      assert.match(told.join(), /^Exported to \.mcp\.json: demo$/);
    } finally {
      if (before === undefined) await vscode.workspace.fs.delete(shared);
      else await vscode.workspace.fs.writeFile(shared, new TextEncoder().encode(before));
    }
  });

  it('is refused before anything is asked where its file has unsaved changes', async () => {
    // An editor in a browser saves them by itself a second later.
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    try {
      const editor = await vscode.window.showTextDocument(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
      const done = vscode.commands.executeCommand('mcpWorkbench.exportServers');
      (await picks.next(/^Export Servers$/)).choose('demo');
      (await picks.next(/^Export Servers$/)).choose('Cursor');
      const asked = await Promise.race([done, picks.next(/^Cursor already has a server/)]);
      assert.equal(asked, undefined);
      assert.match(told.join(), /has unsaved changes/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('overwrites nothing that another program wrote in the meantime', async () => {
    const { question, done } = await untilSeen('Replace');
    const newer = kept.replace('other', 'newer');
    await write(newer);
    question.choose('Write to mcp.json');
    await done;
    assert.equal(await read(), newer);
    assert.match(told.join(), /has changed in the meantime/);
  });
});
