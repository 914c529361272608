import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listen } from '../fixtures/demoServer/http';
import { parseOptions } from '../fixtures/demoServer/options';
import { DemoState } from '../fixtures/demoServer/state';
import { useWorkbench } from '../support/workbench/journeys';
import { poll } from '../support/poll';
import {
  configureServers as addServers,
  startFromRow,
  untilRow,
} from '../support/workbench/serverSteps';

const state = new DemoState();

async function startDemo(options: readonly string[] = []): Promise<object> {
  const url = await listen(parseOptions(['--http', '0', '--page-size', '50', ...options]), state);
  return { type: 'http', url };
}

/** Runs the sample's demo server in this process, so that a test can change what it serves. */
async function configureServers(directory: string, options: readonly string[]): Promise<void> {
  const servers = { live: await startDemo(options) };
  await writeFile(join(directory, 'app', '.vscode', 'mcp.json'), JSON.stringify({ servers }));
  await writeFile(join(directory, 'docs', '.vscode', 'mcp.json'), '{ "servers": {} }');
}

describe('resources, as a user has them', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({
    theme: 'dark',
    size: { width: 1280, height: 900 },
    prepare: ({ directory }) => configureServers(directory, []),
  });

  before('start the server', async () => {
    const { tree } = workbench();
    await startFromRow(workbench(), 'live', 'Tools');
    await tree.expand('live', 'Resources');
    await tree.item('live', 'Resources', 'urn:');
  });

  afterEach('close what was opened', async () => {
    const { page } = workbench();
    await page.keyboard.press('Escape');
    await workbench().runCommand('View: Close All Editors');
  });

  it('open from the tree as text, with the language of their type', async () => {
    const { tree, page } = workbench();
    await tree.expand('live', 'Resources', 'docs://');
    await tree.click('live', 'Resources', 'docs://', '项目说明文档');
    assert.match(await workbench().editorText('readme.md'), /# 项目说明文档/);
    await page.locator('.statusbar').getByText('Markdown').waitFor();
    await workbench().screenshot('resources-text');
    // One click opens a preview, a double click keeps it open, and neither opens it twice.
    const tab = page.locator('.part.editor .tab').filter({ hasText: 'readme.md' });
    await tab.locator('.monaco-icon-label.italic').waitFor();
    await (await tree.item('live', 'Resources', 'docs://', '项目说明文档')).dblclick();
    await tab.locator('.monaco-icon-label.italic').waitFor({ state: 'detached' });
    assert.equal(await tab.count(), 1);
    await tab.hover();
    await page.locator('.workbench-hover-container').getByText('docs://readme · live').waitFor();
    await workbench().leaveHover();
    await tree.expand('live', 'Resources', 'docs://');
  });

  it('show an image in the image preview', async () => {
    const { page } = workbench();
    await workbench().runCommand('MCP Workbench: Open MCP Resource…');
    await workbench().quickPick.type('picture');
    await workbench().quickPick.pick('A Picture');
    const image = page
      .frameLocator('iframe.webview.ready')
      .frameLocator('#active-frame')
      .locator('img');
    await image.waitFor();
    const width = await image.evaluate(
      (element: { naturalWidth?: number }) => element.naturalWidth,
    );
    assert.equal(width, 64);
    await workbench().screenshot('resources-image');
  });

  it('change while they are open, show what changed, and go to the chat with it', async () => {
    const { page, quickPick, chat } = workbench();
    await workbench().runCommand('MCP Workbench: Open MCP Resource…');
    await quickPick.type('clock');
    await quickPick.pick('Clock');
    const before = await workbench().editorText('clock');
    state.advanceClock();
    const title = page.locator('.part.editor .title-actions, .part.editor .editor-actions');
    await title.locator('.action-label[aria-label^="Show Changes"]').first().waitFor();
    await workbench().screenshot('resources-changed');
    const lines = page.locator('.part.editor .editor-instance .view-line');
    await lines.getByText(`tick ${state.ticks}`).waitFor();
    await title.locator('.action-label[aria-label^="Show Changes"]').first().click();
    const diff = page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original').getByText(before).waitFor();
    await diff.locator('.editor.modified').getByText(`tick ${state.ticks}`).waitFor();
    await workbench().screenshot('resources-diff');

    await workbench().runCommand('MCP Workbench: Attach to Chat');
    // The editor's own suggestion of the open file does not count.
    const attached = page.locator('.chat-attached-context-attachment:not(.implicit)');
    await attached.filter({ hasText: 'clock' }).waitFor();
    await chat.send('@mcp what is attached?');
    const heard = await chat.completed();
    assert.match(heard, /What “resource demo:∕∕clock of the server \S+” says/);
    assert.match(heard, new RegExp(`tick ${state.ticks}`));
    await workbench().screenshot('resources-attached');
  });

  it('of a template are asked for step by step with completion, opened and remembered', async () => {
    const { tree, quickPick } = workbench();
    const template = ['live', 'Resource Templates', 'A Section of a User'] as const;
    await tree.expand('live', 'Resource Templates');
    await tree.click(...template);
    await quickPick.waitForTitle('A Section of a User (live): id (1/2)');
    await quickPick.item('bob').waitFor();
    await quickPick.type('al');
    await quickPick.item('bob').waitFor({ state: 'hidden' });
    await quickPick.pick('alice');
    await quickPick.waitForTitle('section (2/2)');
    await quickPick.pick('settings');
    assert.match(await workbench().editorText('settings.json'), /"id": "alice"/);
    await tree.expand(...template);
    await tree.item(...template, 'settings');
    await workbench().screenshot('resources-template');
    // Its row asks again now that there are rows below it.
    await tree.click(...template);
    await quickPick.waitForTitle('A Section of a User (live): id (1/2)');
    await quickPick.dismiss();
  });

  it('of a template that are not there lead back to what was typed', async () => {
    const { tree, quickPick } = workbench();
    await tree.click('live', 'Resource Templates', '项目文件');
    await quickPick.waitForTitle('项目文件 (live): path');
    await quickPick.fillInUntil('nowhere.txt', /could not read "file:\/\/\/nowhere.txt"/);
    await workbench().screenshot('resources-template-failed');
    assert.equal(await quickPick.input.inputValue(), 'nowhere.txt');
    await quickPick.type('example.txt');
    await quickPick.pick('example.txt');
    assert.match(await workbench().editorText('example.txt'), /资源内容/);
  });

  it('that no editor shows are offered as hex and to be saved, inside the folder only', async () => {
    const { quickPick, workspace } = workbench();
    await workbench().runCommand('MCP Workbench: Open MCP Resource…');
    await quickPick.type('data.bin');
    await quickPick.pick('data.bin');
    await quickPick.pick('Show as Hex');
    assert.match(await workbench().editorText('data.bin'), /00000010 {2}10 11 12/);
    await workbench().runCommand('MCP Workbench: Save to Workspace…');
    await quickPick.pick('app');
    await quickPick.type('../outside.bin');
    await quickPick.waitForMessage(/inside app/);
    await quickPick.type('saved/inside.bin');
    await quickPick.waitForMessage(/^A path inside the folder/);
    await quickPick.accept();
    const file = join(workspace.directory, 'app', 'saved', 'inside.bin');
    const saved = await poll('the saved file', 20_000, async () => {
      const bytes = await readFile(file).catch(() => undefined);
      return bytes?.length === 256 ? bytes : undefined;
    });
    assert.deepEqual(
      [...saved],
      Array.from({ length: 256 }, (_, i) => i),
    );
  });

  it('with several documents ask which, and are a folder from then on', async () => {
    const { tree, quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Open MCP Resource…');
    await quickPick.type('several');
    await quickPick.pick('Several Contents');
    await quickPick.waitForTitle('The Documents of Several Contents');
    await quickPick.pick('b.md');
    assert.match(await workbench().editorText('b.md'), /# second content/);
    await tree.expand('live', 'Resources', 'demo://');
    await tree.item('live', 'Resources', 'demo://', 'Several Contents', 'c.png');
    await workbench().screenshot('resources-several');
    // It would stay open from here on and push other servers out of view.
    await (await tree.item('live', 'Resources', 'demo://')).locator('.monaco-tl-twistie').click();
  });

  it('are filtered and shown as a list', async () => {
    const { tree, quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Show Resources as List');
    await workbench().runCommand('MCP Workbench: Filter Resources…');
    await quickPick.waitForTitle('Filter Resources');
    await quickPick.type('example');
    await poll('the list to be filtered', 20_000, async () => {
      const rows = await tree.rows();
      return rows.every(({ label }) => label !== 'abc') || undefined;
    });
    await quickPick.accept();
    await tree.item('live', 'Resources', 'example.png');
    await workbench().screenshot('resources-filtered');
    const labels = (await tree.rows()).filter(({ level }) => level === 3).map(({ label }) => label);
    assert.deepEqual(labels.slice(1, 4), ['example.png', 'example.txt', '我的示例资源']);
    await workbench().runCommand('MCP Workbench: Clear Resource Filter');
    await workbench().runCommand('MCP Workbench: Show Resources as Folders');
    await tree.item('live', 'Resources', 'urn:');
  });

  it('that a filter found are opened with the mouse while it is typed, and only Escape takes it back', async () => {
    const { tree, page, quickPick } = workbench();
    const rows = page.locator('.part.sidebar [role="treeitem"]');
    const found = (words: string) => rows.filter({ hasText: new RegExp(`^“${words}”: `) });
    await workbench().runCommand('MCP Workbench: Filter Resources…');
    await quickPick.waitForTitle('Filter Resources');
    await quickPick.type('example');
    await found('example').waitFor();
    await tree.click('live', 'Resources', 'file:///', 'example.txt');
    assert.match(await workbench().editorText('example.txt'), /资源内容/);
    await quickPick.widget.waitFor({ state: 'hidden' });
    await found('example').waitFor();
    await workbench().screenshot('resources-filter-left');
    await workbench().runCommand('MCP Workbench: Filter Resources…');
    await quickPick.waitForTitle('Filter Resources');
    await quickPick.type('readme');
    await found('readme').waitFor();
    await quickPick.dismiss();
    await found('example').waitFor();
    await workbench().runCommand('MCP Workbench: Clear Resource Filter');
    await tree.item('live', 'Resources', 'urn:');
  });

  it('that match a filter are seen at once, in folders that it opens', async () => {
    const { tree, quickPick } = workbench();
    const section = await tree.item('live', 'Resources');
    if ((await section.getAttribute('aria-expanded')) === 'true') await section.click();
    await section.and(workbench().page.locator('[aria-expanded="false"]')).waitFor();
    await workbench().runCommand('MCP Workbench: Filter Resources…');
    await quickPick.waitForTitle('Filter Resources');
    await quickPick.type('example');
    await quickPick.accept();
    await untilRow(workbench(), 'example.txt', /^/);
    await workbench().screenshot('resources-filtered-folders');
    await workbench().runCommand('MCP Workbench: Clear Resource Filter');
    await tree.item('live', 'Resources', 'urn:');
  });

  for (const [shown, close] of [
    ['open', undefined],
    ['closed', ['live', 'Resources']],
    ['closed with their server', ['live']],
  ] as const)
    it(`are ${shown} again once a filter has ended, with what was open below them`, async () => {
      const { tree, page, quickPick } = workbench();
      await tree.expand('live', 'Resources', 'docs://');
      await tree.item('live', 'Resources', 'docs://', '项目说明文档');
      const opened = await tree.rows();
      const until = (wanted: unknown) =>
        poll('the rows as they were', 20_000, async () => {
          return isDeepStrictEqual(await tree.rows(), wanted) || undefined;
        });
      if (close) {
        const row = await tree.item(...close);
        await row.locator('.monaco-tl-twistie').click();
        await row.and(page.locator('[aria-expanded="false"]')).waitFor();
      }
      const before = await tree.rows();
      for (const isLeft of [true, false]) {
        await workbench().runCommand('MCP Workbench: Filter Resources…');
        await quickPick.waitForTitle('Filter Resources');
        await quickPick.type('example');
        await untilRow(workbench(), 'example.txt', /^/);
        if (isLeft) await quickPick.dismiss();
        else {
          await quickPick.accept();
          await workbench().runCommand('MCP Workbench: Clear Resource Filter');
        }
        await until(before);
      }
      if (close) await tree.expand(...close);
      await until(opened);
    });

  it('of one URI from two servers have tabs that name the server', async () => {
    const { tree, page, workspace } = workbench();
    const file = join(workspace.directory, 'app', '.vscode', 'mcp.json');
    const before = await readFile(file, 'utf8');
    await addServers(workspace, { 'twin-server': await startDemo() });
    await startFromRow(workbench(), 'twin-server', 'Tools');
    for (const server of ['live', 'twin-server']) {
      await tree.expand(server, 'Resources');
      await tree.expand(server, 'Resources', 'docs://');
      await (await tree.item(server, 'Resources', 'docs://', '项目说明文档')).dblclick();
      await page.locator('.breadcrumbs-control').getByText('docs:∕∕readme').waitFor();
      await tree.expand(server, 'Resources');
      await tree.click(server, 'Resources');
    }
    const tabs = page.locator('.part.editor .tab').filter({ hasText: 'readme.md' });
    await tabs.filter({ hasText: 'live: docs:∕∕readme' }).waitFor();
    await tabs.filter({ hasText: 'twin-server: docs:∕∕readme' }).waitFor();
    await workbench().screenshot('resources-twins');
    await writeFile(file, before);
    await poll('the row of the other server to go', 20_000, async () => {
      const rows = await tree.rows();
      return rows.every(({ label }) => label !== 'twin-server') || undefined;
    });
  });

  it('inside a root, and which servers are told of it, stand under the root', async () => {
    const { tree, workspace } = workbench();
    await tree.expand('Workspace Roots', 'app');
    await tree.expand('Workspace Roots', 'app', 'Shared with');
    await (
      await tree.item('Workspace Roots', 'app', 'Shared with', 'live')
    )
      .locator('.custom-view-tree-node-item-checkbox')
      .click();
    await poll('the choice in the workspace file', 20_000, async () => {
      const text = await readFile(workspace.file, 'utf8');
      return /"app":\s*\[\s*"live"/.test(text) || undefined;
    });
    await untilRow(workbench(), 'app', /^0 of 1 servers$/);
    await workbench().screenshot('resources-roots');
  });

  it('have menus on their folders and on roots', async () => {
    const { tree, page } = workbench();
    assert.deepEqual(await tree.entries('live', 'Resources', 'docs://'), [
      'Copy URI',
      'Filter Resources…',
      'Sort Resources By…',
    ]);
    await tree.menu('Reveal in Explorer View', 'Workspace Roots', 'docs');
    const explorer = page.locator('.explorer-folders-view [role="treeitem"].focused');
    await explorer.or(page.locator('.explorer-folders-view .focused')).first().waitFor();
    await workbench().screenshot('resources-root-revealed');
    await workbench().openView('MCP Workbench');
    assert.deepEqual(await tree.entries('Workspace Roots', 'docs'), [
      'Reveal in Explorer View',
      'Copy Path',
    ]);
  });
});
