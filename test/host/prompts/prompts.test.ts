import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import type { RecordedRequest } from '../../fixtures/demoModel/record';
import { makePng } from '../../fixtures/demoServer/resources/media';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';
import { built } from '../../support/paths';
import { poll } from '../../support/poll';
import { answer, inserted, interceptPicks, preview, run, set } from './promptRuns';

const hostile = 'prompts-hostile';

/** Returns what the model receives when a new conversation starts with something. */
async function received(send: () => Promise<unknown>): Promise<RecordedRequest> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await vscode.commands.executeCommand('demoModel.clear');
  await send();
  return poll('the request to the model', 30_000, async () =>
    (await vscode.commands.executeCommand<RecordedRequest[]>('demoModel.requests')).at(-1),
  );
}

describe('prompts', function () {
  this.timeout(60_000);
  const told: string[] = [];
  const { showErrorMessage } = vscode.window;
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const script = built('fixtures', 'demoServer', 'main.js');
    const args = [script, '--hostile', '--prompts', '1000', '--page-size', '500'];
    await set('servers', { [hostile]: { type: 'stdio', command: 'node', args } });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === hostile));
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

  after(async () => {
    vscode.window.showErrorMessage = showErrorMessage;
    await set('servers', undefined);
    await set('prompts.preview', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const texts: readonly (readonly [string, string])[] = [
    ['spaces', '  a  b  '],
    ['quotes', `"a" 'b' \\"`],
    ['line ends', 'a\nb\r\nc\rd\n'],
    ['Unicode', '日本語 👍🏽 naïve'],
    ['empty text', ''],
    ['a megabyte', 'x'.repeat(1_000_000)],
  ];
  for (const [name, item] of texts)
    it(`reach the server with ${name} exactly as given`, async () => {
      const given = { language: 'py', item };
      const text = await inserted('demo', 'completing', given);
      assert.deepEqual(told, []);
      assert.deepEqual(JSON.parse(text.replace('Arguments: ', '')), given);
    });

  const everything: readonly (readonly [string, object, RegExp])[] = [
    ['simple-prompt', {}, /./],
    ['args-prompt', { city: 'Bern' }, /What's weather in Bern\?/],
    ['args-prompt', { city: 'Bern', state: 'BE' }, /What's weather in Bern, BE\?/],
    ['completable-prompt', { department: 'Sales', name: 'Eve' }, /promote Eve .* Sales team/],
    ['resource-prompt', { resourceType: 'Text', resourceId: '1' }, /demo:\/\/resource\//],
    ['resource-prompt', { resourceType: 'Blob', resourceId: '2' }, /demo:\/\/resource\//],
  ];
  for (const [prompt, args, expected] of everything)
    it(`of server-everything run: ${prompt} ${JSON.stringify(args)}`, async () => {
      assert.match(await inserted('everything', prompt, args), expected);
      assert.deepEqual(told, []);
    });

  it('of server-everything are all run by this suite', () => {
    const names = api.servers.find(({ name }) => name === 'everything')?.prompts;
    assert.deepEqual(
      new Set(names?.map(({ name }) => name)),
      new Set(everything.map(([name]) => name)),
    );
  });

  it('are picked from a list that a thousand of them do not slow down', async () => {
    const waited: number[] = [];
    let count = 0;
    let start = 0;
    const picks = interceptPicks(({ items }) => {
      waited.push(performance.now() - start);
      count = items.length;
    });
    for (let round = 0; round < 3; round += 1) {
      start = performance.now();
      await vscode.commands.executeCommand('mcpWorkbench.runPrompt');
    }
    picks.dispose();
    assert.ok(count > 1000);
    assert.ok(Math.min(...waited) < 100, `${waited.join(', ')} ms`);
  });

  it('replace the selection in the editor', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'a-old-b' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 2, 0, 5);
    await run('demo', 'greeting', { name: 'Eve' });
    assert.equal(document.getText(), 'a-你好，Eve！今天有什么可以帮您的吗？-b');
  });

  it('replace the selection where it is by then, when the preview took the place of its editor', async () => {
    await set('prompts.preview', 'always');
    const document = await vscode.workspace.openTextDocument({ content: 'a-old-b' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 2, 0, 5);
    const { running, document: shown } = await preview(() =>
      run('demo', 'greeting', { name: 'Eve' }),
    );
    const again = await vscode.window.showTextDocument(document);
    await again.edit((edit) => edit.insert(new vscode.Position(0, 0), 'above\n'));
    await answer(shown, 'insert');
    await running;
    const text = document.getText().replaceAll('\r', '');
    assert.equal(text, 'above\na-你好，Eve！今天有什么可以帮您的吗？-b');
  });

  it('reach the model with every role in order and every byte as the server sent it', async () => {
    const { messages } = await received(() => run('demo', 'conversation', {}, 'chat'));
    const png = makePng();
    const data = png.toString('base64');
    assert.deepEqual(
      messages.slice(-5).map(({ role, parts }) => [role, ...parts]),
      [
        ['assistant', { type: 'text', text: '  What shall I look at?\n' }],
        ['user', { type: 'data', mimeType: 'image/png', data, bytes: png.length }],
        ['user', { type: 'text', text: 'At this: "one"\r\n\ttwo 👍🏽' }],
        ['assistant', { type: 'text', text: 'I see it.' }],
        ['user', { type: 'text', text: 'What colour is it?' }],
      ],
    );
  });

  it('bring linked resources along when the user agrees', async () => {
    const agreed = await received(() => run('demo', 'show-media', {}, 'chatWithLinks'));
    assert.match(JSON.stringify(agreed.messages), /# 项目说明文档/);
    const other = await received(() => run('demo', 'show-media', {}, 'chat'));
    assert.doesNotMatch(JSON.stringify(other.messages), /# 项目说明文档/);
  });

  it('show every message and open what they bring along', async () => {
    await set('prompts.preview', 'always');
    const { running, document } = await preview(() => run('demo', 'show-media', {}));
    const text = document.getText();
    assert.match(text, /^Show Media — demo\n/);
    assert.match(
      text,
      /\n2 User · image · image\/png · \d+ B · for: User, Assistant · priority 0.9\n/,
    );
    assert.match(text, /\n3 User · audio · audio\/wav · /);
    assert.match(text, /\n4 User · resource link · text\/markdown\n/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      20,
    );
    const opened: string[] = [];
    for (const { command } of lenses) {
      if (!/^Open (image|audio|Resource)/.test(command?.title ?? '')) continue;
      await vscode.commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []));
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      if (input instanceof vscode.TabInputCustom)
        opened.push(`${input.viewType} ${input.uri.path}`);
      if (input instanceof vscode.TabInputText) {
        const shown = await vscode.workspace.openTextDocument(input.uri);
        opened.push(`${input.uri.scheme} ${shown.getText().slice(0, 6)}`);
      }
    }
    assert.deepEqual(opened, [
      'imagePreview.previewEditor /image-2.png',
      'vscode.audioPreview /audio-3.wav',
      'mcp-workbench # 项目说明',
    ]);
    await answer(document, 'copy');
    await running;
  });

  it('show the first run of a definition only', async () => {
    await set('prompts.preview', 'firstTime');
    // No other test here previews this prompt.
    const { running, document } = await preview(() => run('demo', 'code_review', { code: 'one' }));
    await answer(document, 'copy');
    await running;
    assert.match(await inserted('demo', 'code_review', { code: 'two' }), /two/);
  });

  it('go where they went the last time, and elsewhere when the user says so', async () => {
    const target = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(target);
    const again = (name: string, command = 'runPrompt') =>
      vscode.commands.executeCommand(`mcpWorkbench.${command}`, {
        server: 'demo',
        prompt: 'greeting',
        arguments: { name },
      });
    await set('prompts.preview', 'always');
    const { running, document } = await preview(() => again('One'));
    // Called with the arguments that the menu in the editor title passes.
    await vscode.commands.executeCommand('mcpWorkbench.promptToCursor', document.uri, {
      groupId: 0,
    });
    await running;
    assert.match(target.getText(), /One/);
    await set('prompts.preview', 'never');
    await again('Two');
    assert.match(target.getText(), /One.*Two/);
    const { showQuickPick } = vscode.window;
    let marked: readonly string[] = [];
    let title: string | undefined;
    const chooseCopy = (
      rows: readonly vscode.QuickPickItem[],
      options: vscode.QuickPickOptions,
    ) => {
      title = options.title;
      marked = rows.flatMap(({ label, description }) => (description === 'current' ? [label] : []));
      return Promise.resolve(rows.find(({ label }) => label === 'Copy'));
    };
    vscode.window.showQuickPick = chooseCopy as unknown as typeof showQuickPick;
    await again('Three', 'runPromptWith');
    vscode.window.showQuickPick = showQuickPick;
    assert.deepEqual(marked, ['Insert at Cursor']);
    assert.match(title ?? '', /^Send “.+” To$/);
    assert.match(await vscode.env.clipboard.readText(), /Three/);
    await again('Four');
    assert.match(await vscode.env.clipboard.readText(), /Four/);
    assert.doesNotMatch(target.getText(), /Three|Four/);
  });

  it('go elsewhere from the step of the last argument', async () => {
    await set('prompts.preview', 'never');
    await vscode.env.clipboard.writeText('before');
    const picks = watchPicks();
    const running = vscode.commands.executeCommand('mcpWorkbench.runPrompt', {
      server: 'demo',
      prompt: 'explain-code',
    });
    const first = await picks.next(/: code$/);
    assert.doesNotMatch(first.pick.prompt ?? '', /Then/);
    await first.enter('print(1)');
    const last = await picks.next(/: language$/);
    assert.match(last.pick.prompt ?? '', / · Then: Send to @mcp$/);
    last.press('Change Where the Messages Go…');
    (await picks.next(/^Where the Messages Go$/)).choose('Copy');
    await poll('the step to come back', 20_000, () => Promise.resolve(last.isReady || undefined));
    const saysWhere = () => last.pick.prompt?.endsWith(' · Then: Copy') || undefined;
    await poll('what it says to change', 20_000, () => Promise.resolve(saysWhere()));
    last.accept();
    await running;
    picks.dispose();
    assert.match(await vscode.env.clipboard.readText(), /print\(1\)/);
  });

  it('go nowhere when the preview is closed', async () => {
    await set('prompts.preview', 'always');
    const target = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(target);
    const { running, document } = await preview(() => run('demo', 'greeting', { name: 'Eve' }));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await running;
    assert.equal(target.getText(), '');
  });

  it('with hidden characters are shown whatever the setting', async () => {
    const { running, document } = await preview(() => run(hostile, 'hidden-text', {}));
    assert.match(document.getText(), /⚠ Messages with hidden characters.*: 1\./);
    assert.match(document.getText(), /⟨U\+202E⟩/);
    await answer(document, 'copy');
    await running;
  });

  const failures: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'no messages',
      hostile,
      'empty',
      /The prompt "empty" from prompts-hostile returned no messages/,
    ],
    ['an error of the server', 'demo', 'failing', /demo.*内部错误/],
    ['an unknown name', 'demo', 'nobody', /"demo" no longer offers the prompt "nobody"/],
    ['an unknown server', 'nobody', 'greeting', /No server "nobody" is configured here/],
  ];
  for (const [name, server, prompt, expected] of failures)
    it(`fail with one clear sentence for ${name}`, async () => {
      await run(server, prompt, {});
      assert.equal(told.length, 1);
      assert.match(told[0] ?? '', expected);
    });

  it('name an action that does not exist', async () => {
    await run('demo', 'greeting', {}, 'fly');
    assert.match(
      told.join(),
      /must be one of chat, chatWithLinks, message, draft, insert, copy, save, return\./,
    );
  });

  it('offer another try after a failure, with the same arguments', async () => {
    const answers = ['Retry', undefined];
    vscode.window.showErrorMessage = (message: string, ...items: unknown[]) => {
      told.push(message);
      assert.ok(items.includes('Retry'));
      return Promise.resolve(answers.shift()) as Thenable<undefined>;
    };
    await run('demo', 'failing', {});
    assert.equal(told.length, 2);
  });

  const survived: readonly (readonly [string, RegExp])[] = [
    ['bad-base64', /not valid base64/],
    ['lying-mime', /⚠ The content does not match the type that the server gave/],
    ['huge-image', /image · image\/png · 20 MB/],
    ['markup', /\$\(trash\) \[Run\]\(command:/],
  ];
  for (const [prompt, expected] of survived)
    it(`survive ${prompt}`, async () => {
      await set('prompts.preview', 'always');
      const { running, document } = await preview(() => run(hostile, prompt, {}));
      assert.match(document.getText(), expected);
      await answer(document, 'copy');
      await running;
    });
});
