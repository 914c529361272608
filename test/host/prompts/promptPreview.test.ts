import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../support/host/shownPicks';
import { answer, preview, set } from './promptRuns';

/** A server whose prompts repeat their argument, or name a resource that it does not have. */
const repeating = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const names = ['left', 'returned', 'corrected', 'unsaved', 'linked'];
  const text = { type: 'text', text: 'Said: ' + params?.arguments?.text };
  const link = { type: 'resource_link', name: 'gone', uri: 'a://gone' };
  const content = params?.name === 'linked' ? link : text;
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { prompts: {} }, serverInfo: { name: 'x', version: '1' } },
    'prompts/list': { prompts: names.map((name) => ({ name, arguments: [{ name: 'text', required: true }] })) },
    'prompts/get': { messages: [{ role: 'user', content }] },
  };
  const error = { code: -32002, message: 'Resource not found' };
  const outcome = method === 'resources/read' ? { error } : { result: answers[method] ?? {} };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
});`;

/** Returns the choices above a document in order. */
async function choices(document: vscode.TextDocument): Promise<readonly string[]> {
  return (await commands(document)).map(({ title }) => title);
}

async function commands(document: vscode.TextDocument): Promise<readonly vscode.Command[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
  );
  return lenses.flatMap(({ command }) => command ?? []);
}

describe('the preview of a prompt', function () {
  this.timeout(60_000);
  const { showSaveDialog } = vscode.window;
  let picks: WatchedPicks;

  const start = (prompt: string, args?: object) =>
    vscode.commands.executeCommand('mcpWorkbench.runPrompt', {
      server: 'repeating',
      prompt,
      ...(args && { arguments: args }),
    });
  const question = () => picks.next(/: text$/);
  const shown = (show: () => Promise<void> | void) => preview(() => Promise.resolve(show()));

  /** Runs a prompt up to its preview. */
  const previewed = async (prompt: string, given: (asked: ShownPick) => Promise<void>) => {
    const running = start(prompt);
    const { document } = await shown(async () => given(await question()));
    return { running, document };
  };
  const edited = async (document: vscode.TextDocument) => {
    await answer(document, 'edit');
    return question();
  };

  before(async () => {
    const api = await activateWorkbench();
    await set('servers', {
      repeating: { type: 'stdio', command: 'node', args: ['-e', repeating] },
    });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'repeating'));
    await api.startServer('*');
    await set('prompts.preview', 'firstTime');
  });

  beforeEach(() => {
    picks = watchPicks();
  });

  afterEach(async () => {
    picks.dispose();
    vscode.window.showSaveDialog = showSaveDialog;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    await set('servers', undefined);
    await set('prompts.preview', undefined);
  });

  it('comes up again, the chosen target first, where the last one was left without sending', async () => {
    await vscode.env.clipboard.writeText('before');
    const first = await previewed('left', async (asked) => {
      asked.press('Change Where the Messages Go…');
      (await picks.next(/^Where the Messages Go$/)).choose('Copy');
      await poll('the step to come back', 20_000, () =>
        Promise.resolve(asked.isReady || undefined),
      );
      await asked.enter('one');
    });
    assert.match((await choices(first.document))[0] ?? '', /Copy$/);
    const { document } = await shown(async () => (await edited(first.document)).enter('two'));
    assert.match(document.getText(), /Said: two/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await first.running;
    const second = await previewed('left', (asked) => asked.enter('three'));
    assert.match((await choices(second.document))[0] ?? '', /Copy$/);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    await answer(second.document, 'copy');
    await second.running;
    assert.equal(await vscode.env.clipboard.readText(), 'Said: three');
  });

  it('says why a resource cannot be opened that it names', async () => {
    const { showErrorMessage } = vscode.window;
    const told = new Promise<string>((resolve) => {
      vscode.window.showErrorMessage = (message: string) => {
        resolve(message);
        return Promise.resolve(undefined);
      };
    });
    try {
      const { running, document } = await previewed('linked', (asked) => asked.enter('it'));
      const open = (await commands(document)).find(({ title }) => title === 'Open Resource');
      assert.ok(open);
      await vscode.commands.executeCommand(open.command, ...(open.arguments ?? []));
      assert.match(await told, /repeating.*a:\/\/gone.*Resource not found/);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await running;
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
    }
  });

  it('returns as it was where the editing of its arguments is left', async () => {
    const { running, document } = await previewed('returned', (asked) => asked.enter('one'));
    const text = document.getText();
    const asked = await edited(document);
    await asked.type('two');
    const again = await shown(() => asked.escape());
    assert.equal(again.document.getText(), text);
    await answer(again.document, 'copy');
    assert.equal(await running, 'Said: one');
  });

  it('comes up for corrected arguments, although the prompt was sent before', async () => {
    const first = await previewed('corrected', (asked) => asked.enter('one'));
    await answer(first.document, 'copy');
    await first.running;
    await set('prompts.preview', 'always');
    const { running, document } = await previewed('corrected', (asked) => asked.enter('two'));
    await set('prompts.preview', 'firstTime');
    const again = await shown(async () => (await edited(document)).enter('three'));
    assert.match(again.document.getText(), /Said: three/);
    await answer(again.document, 'copy');
    assert.equal(await running, 'Said: three');
  });

  it('comes up again where the last one was left after saving was cancelled', async () => {
    vscode.window.showSaveDialog = () => Promise.resolve(undefined);
    const first = await preview(() => start('unsaved', { text: 'one' }));
    await shown(() => answer(first.document, 'save'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await first.running;
    const second = await preview(() => start('unsaved', { text: 'two' }));
    await answer(second.document, 'copy');
    await second.running;
  });
});
