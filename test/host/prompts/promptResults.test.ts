import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { nextTurn } from '../../../src/base/async';
import { makePng } from '../../fixtures/demoServer/resources/media';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { answer, inserted, interceptPicks, preview, promptServer, run, set } from './promptRuns';

/** A server that lists two prompts: it exits when asked for one, and does not know the other. */
const faithless = promptServer(
  [{ name: 'last words' }, { name: 'gone' }],
  `if (params?.name === 'last words') process.exit(3);
  if (params?.name === 'gone') return answer({ error: { code: -32602, message: 'Unknown prompt: gone' } });`,
);

describe('the results of prompts', function () {
  this.timeout(60_000);
  const { showErrorMessage, showInformationMessage, showSaveDialog } = vscode.window;
  const { executeCommand, getCommands } = vscode.commands;
  const { selectChatModels } = vscode.lm;
  const told: string[] = [];
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    await set('servers', {
      faithless: { type: 'stdio', command: 'node', args: ['-e', faithless] },
    });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'faithless'));
    await api.startServer('*');
    vscode.window.showErrorMessage = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
  });

  beforeEach(async () => {
    told.length = 0;
    await set('prompts.preview', 'never');
  });

  afterEach(() => {
    vscode.window.showSaveDialog = showSaveDialog;
    vscode.commands.getCommands = getCommands;
    vscode.commands.executeCommand = executeCommand;
    vscode.lm.selectChatModels = selectChatModels;
    vscode.window.showInformationMessage = showInformationMessage;
  });

  after(async () => {
    vscode.window.showErrorMessage = showErrorMessage;
    await set('servers', undefined);
    await set('prompts.preview', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are returned to whoever runs the command', async () => {
    const text = await run('demo', 'debug-error', { error: 'E42' }, 'return');
    assert.match(String(text), /^User:\n.*E42\n\nAssistant:\n.*\n\nUser:\n/);
  });

  const offChat = (value?: boolean) =>
    vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', value, vscode.ConfigurationTarget.Global);

  for (const [chat, begin, why] of [
    [
      'there is none',
      () => (vscode.commands.getCommands = () => Promise.resolve([])),
      'This editor has no chat view.',
    ],
    [
      'it is turned off',
      () => offChat(true),
      'The chat is turned off by the setting chat.disableAIFeatures.',
    ],
    [
      'it fails',
      () =>
        (vscode.commands.executeCommand = <T>(name: string, ...args: unknown[]) =>
          name.startsWith('workbench.action.chat')
            ? Promise.reject(new Error('nobody answers'))
            : executeCommand<T>(name, ...args)),
      'The chat did not take the message: nobody answers',
    ],
  ] as const)
    for (const action of ['chat', 'draft'] as const)
      it(`stand in a document and the clipboard is offered where the chat is wanted and ${chat}: ${action}`, async () => {
        const copied = new Promise<string>((resolve) => {
          vscode.window.showInformationMessage = <T>(message: string, ...buttons: unknown[]) => {
            resolve(message);
            return Promise.resolve(buttons[0] as T);
          };
        });
        await begin();
        try {
          await run('demo', 'debug-error', { error: 'E42' }, action);
        } finally {
          await offChat();
        }
        const document = vscode.window.activeTextEditor?.document;
        assert.equal(document?.languageId, 'markdown');
        assert.match(document.getText(), /^# debug-error\n\n## User\n\n.*E42/);
        assert.equal(await copied, `${why} The message is in a document instead.`);
        assert.equal(await vscode.env.clipboard.readText(), document.getText());
      });

  for (const [models, find, expected] of [
    ['were found', () => nextTurn().then(() => []), ['asked for', 'found', 'sent']],
    [
      'cannot be found',
      () => nextTurn().then(() => assert.fail('none')),
      ['asked for', 'not found', 'sent'],
    ],
    ['are not found in time', () => new Promise<never>(() => {}), ['asked for', 'sent']],
  ] as const)
    it(`go to the chat once the models of the editor ${models}`, async () => {
      const order: string[] = [];
      vscode.window.showInformationMessage = () => Promise.resolve(undefined);
      vscode.lm.selectChatModels = () => {
        order.push('asked for');
        const found = find();
        void found.then(
          () => order.push('found'),
          () => order.push('not found'),
        );
        return found;
      };
      vscode.commands.executeCommand = <T>(name: string, ...args: unknown[]) => {
        if (name !== 'workbench.action.chat.open') return executeCommand<T>(name, ...args);
        order.push('sent');
        return Promise.reject(new Error('nobody answers'));
      };
      await run('demo', 'debug-error', { error: 'E42' }, 'chat');
      assert.deepEqual(order, expected);
    });

  it('are saved as Markdown with their files beside it, none overwritten', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-save-'));
    const save = async (name: string) => {
      vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(join(folder, name)));
      await run('demo', 'show-media', {}, 'save');
      return readFile(join(folder, name), 'utf8');
    };
    try {
      const first = await save('first.md');
      assert.ok(first.includes('![image-2.png](<image-2.png>)'), first);
      assert.deepEqual(await readFile(join(folder, 'image-2.png')), makePng());
      const second = await save('second.md');
      assert.ok(second.includes('![image-2-2.png](<image-2-2.png>)'), second);
      assert.equal((await readdir(folder)).length, 6);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('can go elsewhere when saving was cancelled', async () => {
    vscode.window.showSaveDialog = () => Promise.resolve(undefined);
    const { running, document } = await preview(() =>
      run('demo', 'greeting', { name: 'Eve' }, 'save'),
    );
    await answer(document, 'copy');
    assert.match(String(await running), /Eve/);
  });

  it('are an error when a server ends while it is asked', async () => {
    await run('faithless', 'last words', {});
    assert.equal(told.length, 1, told.join('\n'));
    assert.match(told[0] ?? '', /faithless/);
    assert.match(await inserted('demo', 'greeting', { name: 'Eve' }), /Eve/);
  });

  it('are an error when the server does not know what it listed', async () => {
    await run('faithless', 'gone', {});
    assert.equal(told.length, 1, told.join('\n'));
    assert.match(told[0] ?? '', /faithless.*Unknown prompt: gone/);
  });

  it('are an error when the server refuses the arguments', async () => {
    await run('demo', 'analyze-project', { timeframe: '1h', fileUri: 'file:///nowhere' });
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /demo.*资源未找到/);
  });

  it('wait for a required argument that was not given', async () => {
    const titles: (string | undefined)[] = [];
    const picks = interceptPicks(({ title }) => titles.push(title));
    await run('demo', 'completing', { framework: 'django' });
    picks.dispose();
    assert.deepEqual(titles, ['Completing Arguments (demo): language']);
    assert.deepEqual(told, []);
  });
});
