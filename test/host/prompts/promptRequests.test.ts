import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { ownerOfImages, PromptFiles } from '../../../src/prompts/preview/promptFiles';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { makePng } from '../../fixtures/demoServer/resources/media';
import { activateWorkbench, textOnDisk, until } from '../../support/host/hostApi';
import { chatOpened, interceptPicks, run, set } from './promptRuns';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';

/** Returns the items in the list of prompts from top to bottom, including separators. */
async function offered(): Promise<readonly vscode.QuickPickItem[]> {
  let items: readonly vscode.QuickPickItem[] = [];
  const picks = interceptPicks((pick) => (items = pick.items));
  await vscode.commands.executeCommand('mcpWorkbench.runPrompt');
  picks.dispose();
  return items;
}

/** Returns the values of the boxes that are shown. */
async function asked(show: () => Promise<unknown>): Promise<readonly string[]> {
  const values: string[] = [];
  const picks = interceptPicks(({ value }) => values.push(value));
  await show();
  picks.dispose();
  return values;
}

describe('requests for prompts', function () {
  this.timeout(60_000);
  const { showErrorMessage } = vscode.window;
  let api: WorkbenchApi;

  const stateOf = (server: string) => api.servers.find(({ name }) => name === server)?.state;

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('*');
    await set('prompts.preview', 'never');
  });

  afterEach(() => {
    vscode.window.showErrorMessage = showErrorMessage;
  });

  after(async () => {
    await set('prompts.preview', undefined);
  });

  it('find the prompts used last before all others', async () => {
    await run('demo', 'greeting', { name: 'Eve' }, 'return');
    await run('everything', 'simple-prompt', {}, 'return');
    const items = await offered();
    assert.deepEqual(
      items.slice(0, 3).map(({ label }) => label),
      ['recently used', 'Simple Prompt', 'greeting'],
    );
    assert.deepEqual(
      items.filter(({ label }) => label === 'greeting').length,
      1,
      'A prompt stands in the list once.',
    );
  });

  it('find server, name, description and arguments on the row of a prompt', async () => {
    const items = await offered();
    const item = items.find(({ label }) => label === 'Completing Arguments');
    assert.equal(item?.description, 'completing · demo');
    assert.equal(
      item?.detail,
      'Each argument shows another behaviour of completion/complete (language, framework?, item?, flaky?, racing?)',
    );
    const separators = items.filter(({ kind }) => kind === vscode.QuickPickItemKind.Separator);
    assert.deepEqual(
      separators.map(({ label }) => label).filter((label) => /^(demo|everything)$/.test(label)),
      ['demo', 'everything'],
    );
  });

  it('find the prompts of a stopped server, and start it', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'demo');
    await until(api.onDidChangeServers, () => stateOf('demo') === 'stopped');
    const labels = (await offered()).map(({ label }) => label);
    assert.ok(labels.includes('Show Media'), labels.join(', '));
    assert.match(String(await run('demo', 'greeting', { name: 'Eve' }, 'return')), /Eve/);
    assert.equal(stateOf('demo'), 'running');
  });

  it('are copied as a line for keybindings that makes them', async () => {
    const server = api.servers.find(({ name }) => name === 'everything');
    const row = { parent: {}, server, prompt: { name: 'simple-prompt' } };
    await vscode.commands.executeCommand('mcpWorkbench.copyPromptKeybinding', row);
    const { key, command, args } = JSON.parse(await vscode.env.clipboard.readText());
    assert.equal(key, '');
    const text = await vscode.commands.executeCommand(command, { ...args, action: 'return' });
    assert.match(String(text), /simple prompt/i);
  });

  it('are picked by the name of what is done with them', async () => {
    const titles: (string | undefined)[] = [];
    const picks = interceptPicks(({ title }) => titles.push(title));
    await vscode.commands.executeCommand('mcpWorkbench.copyPromptKeybinding');
    picks.dispose();
    assert.deepEqual([...new Set(titles)], ['Copy Prompt as Keybinding']);
  });

  it('that failed keep what was given, to be changed', async () => {
    const given = { timeframe: '1h', fileUri: 'file:///nowhere' };
    const answers = ['Edit Arguments…', undefined];
    vscode.window.showErrorMessage = () => Promise.resolve(answers.shift()) as Thenable<undefined>;
    assert.deepEqual(await asked(() => run('demo', 'analyze-project', given)), ['1h']);
    const later = { server: 'demo', prompt: 'analyze-project' };
    assert.deepEqual(
      await asked(async () => vscode.commands.executeCommand('mcpWorkbench.runPrompt', later)),
      ['1h'],
    );
  });

  it('hand the editor\u2019s own agent the earlier turns and the question in a chat of its own', async () => {
    const opening = await chatOpened(() => run('demo', 'conversation', {}, 'draft'));
    const { query, isPartialQuery, isNew, previousRequests, attachFiles } = Object(opening);
    assert.equal(query, 'What colour is it?');
    assert.deepEqual([isPartialQuery, isNew], [true, true]);
    assert.deepEqual(previousRequests, [
      { request: '', response: '  What shall I look at?\n' },
      { request: 'At this: "one"\r\n\ttwo 👍🏽', response: 'I see it.' },
    ]);
    assert.deepEqual(attachFiles, []);
  });

  it('are sent beside what is written in the chat, whose files stay there', async () => {
    const opening = await chatOpened(() => run('demo', 'show-media', {}, 'chatWithLinks'), {
      isRefused: true,
    });
    const { query, isPartialQuery, isNew, preserveInput, attachFiles } = Object(opening);
    assert.match(query, /^@mcp \/prompt /);
    assert.deepEqual([isPartialQuery, isNew], [false, false]);
    assert.deepEqual([preserveInput, attachFiles], [true, undefined]);
  });

  it('name the images that this chat, on another machine, would drop in silence, to be opened', async () => {
    const { showWarningMessage } = vscode.window;
    const told: unknown[] = [];
    const answers = ['Open', undefined];
    vscode.window.showWarningMessage = (...message: unknown[]) => {
      told.push(...message);
      return Promise.resolve(answers.shift()) as Thenable<undefined>;
    };
    const shown = new Promise<vscode.Tab>((resolve) => {
      const tabs = vscode.window.tabGroups.onDidChangeTabs(({ opened: [tab] }) => {
        if (!tab) return;
        tabs.dispose();
        resolve(tab);
      });
    });
    await chatOpened(() => run('demo', 'conversation', {}, 'draft'));
    vscode.window.showWarningMessage = showWarningMessage;
    assert.match(String(told[0]), /not attached: image-2\.png\./);
    // A page on another system than the editor takes the separator of Windows for a part of the name.
    const isOfImage = ({ label }: vscode.Tab) => label.replace(/^\\/, '') === 'image-2.png';
    assert.ok(isOfImage(await shown));
    // In older editors, the tab is a different one by then.
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter((tab) => isOfImage(tab)));
  });

  it('write images to the disk where the chat takes them from there, and clear up after a week', async () => {
    const disk = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'mcp-workbench-images-')));
    await nodeFiles.ownFolders(disk).make('1000', ownerOfImages);
    const memory = new MemoryFiles('mcp-workbench-test');
    const files = new PromptFiles(memory, nodeFiles, disk);
    const png = makePng();
    const { uris, refused } = await files.attach([
      { name: 'a.txt', content: 'text' },
      { name: 'b.png', content: png },
    ]);
    assert.deepEqual(refused, []);
    const [image, text] = uris;
    assert.ok(image && text);
    assert.equal(image.scheme, 'file');
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(image)), png);
    assert.equal(text.scheme, 'mcp-workbench-test');
    const folders = await vscode.workspace.fs.readDirectory(disk);
    assert.equal(folders.length, 1);
    files.dispose();
    memory.dispose();
    await vscode.workspace.fs.delete(disk, { recursive: true });
  });

  it('hand it linked resources as the documents of their server', async () => {
    const opening = await chatOpened(() => run('demo', 'show-media', {}, 'draft'));
    const { attachFiles } = Object(opening) as { readonly attachFiles: readonly vscode.Uri[] };
    const [audio, link] = attachFiles;
    assert.deepEqual([audio?.path, link?.scheme], ['/audio-3.wav', 'mcp-workbench']);
    assert.ok(link);
    const text = await textOnDisk(link);
    assert.match(text, /^# 项目说明文档/);
  });
});

describe('the command that sends a request again', () => {
  it('leaves any other text in the box of a chat of its own, unsent', async () => {
    await activateWorkbench();
    const opened = await chatOpened(async () =>
      vscode.commands.executeCommand('mcpWorkbench.retryRequest', '@mcp pay everybody', 0),
    );
    assert.ok(typeof opened === 'object' && opened && 'query' in opened);
    assert.equal(opened.query, '@mcp pay everybody');
    assert.ok('isPartialQuery' in opened && opened.isPartialQuery === true);
    assert.ok('isNew' in opened && opened.isNew === true);
  });
});
