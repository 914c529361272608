import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { deferred, nextTurn } from '../../../src/base/async';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { chatOpened, promptServer, run as runPrompt, set } from './promptRuns';

const { executeCommand } = vscode.commands;

/** A server with one prompt, whose messages are sent when `url` answers. */
const late = (url: string) =>
  promptServer(
    [{ name: 'slow' }],
    `const messages = [{ role: 'user', content: { type: 'text', text: 'late' } }];
    const give = () => answer({ result: { messages } });
    if (method === 'prompts/get')
      return require('node:http').get(${JSON.stringify(url)}, (response) => response.resume().on('end', give));`,
  );

describe('a prompt whose messages come while the user works on', function () {
  this.timeout(60_000);
  const { showInformationMessage } = vscode.window;
  let told: string[];
  let choice: string | undefined;
  let gate: Server;

  before(async () => {
    const api = await activateWorkbench();
    gate = createServer().listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const { port } = gate.address() as AddressInfo;
    const args = ['-e', late(`http://127.0.0.1:${port}/`)];
    await set('servers', { late: { type: 'stdio', command: 'node', args } });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'late'));
    await api.startServer('late');
  });
  after(async () => {
    gate.close();
    await set('servers', undefined);
  });

  beforeEach(() => {
    told = [];
    choice = undefined;
    Object.assign(vscode.window, {
      showInformationMessage: (message: string, ...choices: unknown[]) => {
        // Another notification offers to add prompts to the palette.
        if (!message.includes('slow')) return Promise.resolve(undefined);
        told.push([message, ...choices].join('|'));
        return Promise.resolve(choice);
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showInformationMessage });
    await set('prompts.preview', undefined);
    // The editor would ask whether to save an untitled text.
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const open = async (content: string) => {
    const document = await vscode.workspace.openTextDocument({ content });
    return vscode.window.showTextDocument(document);
  };

  /** Runs the prompt, lets the user work in another document in the meantime, and then lets the server answer. */
  const run = async (action: string, work = async () => {}) => {
    const ran = runPrompt('late', 'slow', {}, action);
    const [, response] = (await once(gate, 'request')) as [unknown, ServerResponse];
    await work();
    const { document } = await open('');
    await executeCommand('type', { text: 'mine' });
    response.end();
    return { ran, own: document };
  };
  const assertKept = (own: vscode.TextDocument) => {
    assert.equal(vscode.window.activeTextEditor?.document, own);
    assert.equal(own.getText(), 'mine');
  };

  it('leaves the keyboard to them, and is put where its cursor is by then', async () => {
    await set('prompts.preview', 'never');
    const editor = await open('one two');
    editor.selection = new vscode.Selection(0, 4, 0, 4);
    const { ran, own } = await run('insert', async () => {
      await executeCommand('cursorTop');
      await executeCommand('type', { text: 'above\n' });
    });
    await ran;
    assertKept(own);
    assert.equal(editor.document.getText().replaceAll('\r', ''), 'above\none latetwo');
    assert.match(told.join(), /^The text of the prompt "slow" was inserted into .*\|Show$/);
  });

  it('is in a document beside them where the selected text was changed, which is said', async () => {
    await set('prompts.preview', 'never');
    const editor = await open('one two');
    editor.selection = new vscode.Selection(0, 0, 0, 3);
    const { ran, own } = await run('insert', async () => {
      editor.selection = new vscode.Selection(0, 1, 0, 1);
      await executeCommand('type', { text: 'x' });
    });
    await ran;
    assertKept(own);
    assert.equal(editor.document.getText(), 'oxne two');
    assert.match(told.join(), /The selected text was changed, so the result of slow is in a/);
    const texts = vscode.window.visibleTextEditors.map(({ document }) => document.getText());
    assert.ok(texts.includes('late'), texts.join());
  });

  it('is previewed beside them', async () => {
    await set('prompts.preview', 'always');
    const { own } = await run('chat');
    const preview = await poll('the preview', 20_000, () =>
      Promise.resolve(
        vscode.window.visibleTextEditors.find(
          ({ document }) => document.languageId === 'mcp-prompt',
        ),
      ),
    );
    assert.match(preview.document.getText(), /late/);
    assertKept(own);
  });

  for (const [title, wanted] of [
    ['where that is wanted', 'Send to the Agent as One Message'],
    ['nowhere else', undefined],
  ] as const)
    it(`is offered to the chat, and goes there ${title}`, async () => {
      await set('prompts.preview', 'never');
      choice = wanted;
      const ended = deferred<void>();
      const opening = chatOpened(async () => {
        await (
          await run('message')
        ).ran;
        ended.resolve();
      });
      await ended.promise;
      assert.deepEqual(told, [
        'The prompt "slow" has its messages now.|Send to the Agent as One Message',
      ]);
      const opened = await Promise.race([opening, nextTurn()]);
      assert.equal(opened !== undefined, wanted !== undefined);
    });
});
